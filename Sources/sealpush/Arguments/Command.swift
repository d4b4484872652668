/// One of the tool's commands.
struct Command: Sendable {
  /// Its words, such as `keys`, `new`.
  let name: [String]
  /// What it does, in a line.
  let summary: String
  /// More about it, for its help page.
  let details: String
  /// Its options.
  let options: [Option]
  /// What it does.
  let run: @Sendable (Arguments, Console) async throws(ToolError) -> Void
}

/// An option of a command.
struct Option: Sendable {
  /// Its name, with the hyphens.
  let name: String
  /// What its value is, such as `FILE`; null for a flag.
  let value: String?
  /// What it is for.
  let summary: String
  /// Whether the command needs it.
  let isRequired: Bool

  static func required(_ name: String, _ value: String, _ summary: String) -> Option {
    Option(name: name, value: value, summary: summary, isRequired: true)
  }

  static func optional(_ name: String, _ value: String, _ summary: String) -> Option {
    Option(name: name, value: value, summary: summary, isRequired: false)
  }

  static func flag(_ name: String, _ summary: String) -> Option {
    Option(name: name, value: nil, summary: summary, isRequired: false)
  }
}
