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
  /// More about its other use, for that use's page; empty if it has one use alone.
  let otherDetails: String
  /// Command lines that show it at work.
  let examples: [String]
  /// Its operand, if it has one, and its options, with those that every command has.
  let options: [Option]
  /// What it does.
  let run: @Sendable (Arguments, Console) async throws(ToolError) -> Void

  package init(
    of program: String = "sealpush", name: [String], summary: String, details: String,
    otherDetails: String = "", examples: [String] = [],
    options: [Option], run: @escaping @Sendable (Arguments, Console) async throws(ToolError) -> Void
  ) {
    (self.program, self.name, self.summary) = (program, name, summary)
    (self.details, self.otherDetails) = (details, otherDetails)
    (self.examples, self.run) = (examples, run)
    self.options = options + Option.config(for: options) + Option.ofEveryCommand
  }

  /// What it takes without a name before it; nil if it takes nothing so.
  var operand: Option? { options.first(where: \.isOperand) }

  /// Its name, as it is typed.
  var title: String { name.joined(separator: " ") }

  /// How it is called, with the program's name.
  var call: String { "\(program) \(title)" }
}

/// An option of a command, or its operand.
package struct Option: Sendable {
  /// Its name, with the hyphens; an operand's has none.
  let name: String
  /// A shorter name, such as `-q`, if it has one.
  var short: String?
  /// What its value is, such as `FILE`; nil for a flag.
  let value: String?
  /// What it is for.
  let summary: String
  /// Whether the command needs it, where it belongs.
  let isRequired: Bool
  /// What the command does with the file that the value names; nil if the value is no file.
  var file: FileUse?
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// Where it belongs.
  var place = Place.everywhere
  /// Where, all together, the command fails without it, or would take no policy, so that the configuration file
  /// provides it; nil if it never does.
  var defaultPlaces: [Place]?

  /// What a command does with a file.
  package enum FileUse: Sendable {
    /// It reads the file, or changes it in place.
    case input
    /// It makes the file, or replaces it.
    case output
  }

  /// Beside which other option an option belongs.
  enum Place: Equatable {
    case everywhere
    /// Only beside the option of that name.
    case with(String)
    /// Not beside the options of these names.
    case without([String])
  }

  /// Whether it stands without its name.
  var isOperand: Bool { !name.hasPrefix("-") }

  /// Whether a word is its name.
  func isNamed(_ word: String) -> Bool { !isOperand && (word == name || word == short) }

  /// How it is written.
  var synopsis: String { value.map { "\(name) \($0)" } ?? name }

  /// Whether the value may be `-`, for standard input or output, which it is by default if the option is not required.
  var mayBeStream: Bool { value?.hasSuffix("|-") ?? false }

  /// The same option, for a use of the command that the option `name` asks for.
  func with(_ name: String) -> Option { placed(.with(name)) }

  /// The same option, for the uses of the command that the option `name` does not ask for.
  func without(_ name: String) -> Option {
    if case .without(let others) = place {
      placed(.without(others + [name]))
    } else {
      placed(.without([name]))
    }
  }

  /// The same option, which may be given more than once.
  package func repeatable() -> Option {
    var option = self
    option.isRepeatable = true
    return option
  }

  /// The same option, which the configuration file provides where the command would fail without it.
  func configurable(_ places: Place...) -> Option {
    var option = self
    option.defaultPlaces = places
    return option
  }

  fileprivate func placed(_ place: Place) -> Option {
    var option = self
    option.place = place
    return option
  }

  package static func operand(
    _ name: String, _ summary: String, isRequired: Bool = true, file: FileUse? = nil
  ) -> Option {
    Option(name: name, value: nil, summary: summary, isRequired: isRequired, file: file)
  }

  package static func required(_ name: String, value: String, _ summary: String, file: FileUse? = nil)
    -> Option
  {
    Option(name: name, value: value, summary: summary, isRequired: true, file: file)
  }

  package static func optional(_ name: String, value: String, _ summary: String, file: FileUse? = nil)
    -> Option
  {
    Option(name: name, value: value, summary: summary, isRequired: false, file: file)
  }

  package static func flag(_ name: String, short: String? = nil, _ summary: String) -> Option {
    Option(name: name, short: short, value: nil, summary: summary, isRequired: false)
  }
}

/// What more than the command's own work asks for.
extension Option {
  static let quiet = Option.flag(
    "--quiet", short: "-q", "say nothing of success; results and problems stay")
  static let help = Option.flag("--help", short: "-h", "explain the command")

  /// What every command takes.
  static let ofEveryCommand = [quiet, help]

  /// What names the configuration file.
  static func config(_ summary: String) -> Option {
    .optional("--config", value: "FILE", summary, file: .input)
  }

  /// The same for a command with these options, if the file provides any of them.
  fileprivate static func config(for options: [Option]) -> [Option] {
    let provided = options.filter { $0.defaultPlaces != nil }
    guard let place = provided.first?.place else { return [] }
    let names = provided.map(\.name).joined(separator: " and ")
    return [config("the file with defaults for \(names); see config --help").placed(place)]
  }
}
