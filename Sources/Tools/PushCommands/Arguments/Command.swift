/// One of the tool's commands.
package struct Command: Sendable {
  /// The program that has it.
  let program: String
  /// Its words, such as `keys`, `new`.
  let name: [String]
  /// What it does, in a line.
  let summary: String
  /// More about it, for its help page.
  let details: String
  /// More about its other use, for that use's page; empty if it has only one use.
  let otherDetails: String
  /// Command lines that show it at work.
  let examples: [String]
  /// Its operand, if it has one, and its options, with those that every command has.
  let options: [Parameter]
  /// What it does.
  let run: @Sendable (Arguments, Console) async throws(ToolError) -> Void

  package init(
    of program: String = "sealpush", name: [String], summary: String, details: String,
    otherDetails: String = "", examples: [String] = [],
    options: [Parameter], run: @escaping @Sendable (Arguments, Console) async throws(ToolError) -> Void
  ) {
    (self.program, self.name, self.summary) = (program, name, summary)
    (self.details, self.otherDetails) = (details, otherDetails)
    (self.examples, self.run) = (examples, run)
    self.options = options + Parameter.config(for: options) + Parameter.ofEveryCommand
  }

  /// Its operand; nil if it has none.
  var operand: Parameter? { options.first(where: \.isOperand) }

  /// Its name, as it is typed.
  var title: String { name.joined(separator: " ") }

  /// How it is called, with the program's name.
  var call: String { "\(program) \(title)" }
}
