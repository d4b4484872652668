/// One of the tool's commands.
struct Command: Sendable {
  /// Its words, such as `keys`, `new`.
  let name: [String]
  /// What it does, in a line.
  let summary: String
  /// More about it, for its help page.
  let details: String
  /// Its options, and its operand if it has one.
  let options: [Option]
  /// What it does.
  let run: @Sendable (Arguments, Console) async throws(ToolError) -> Void

  /// What it takes without a name before it; nil if it takes nothing so.
  var operand: Option? { options.first(where: \.isOperand) }
}

/// An option of a command, or its operand.
struct Option: Sendable {
  /// Its name, with the hyphens; an operand's has none.
  let name: String
  /// What its value is, such as `FILE`; nil for a flag.
  let value: String?
  /// What it is for.
  let summary: String
  /// Whether the command needs it, where it belongs.
  let isRequired: Bool
  /// What the command does with the file that the value names; nil if the value is no file.
  var file: FileUse?
  /// Where it belongs.
  var place = Place.everywhere

  /// What a command does with a file.
  enum FileUse {
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

  private func placed(_ place: Place) -> Option {
    var option = self
    option.place = place
    return option
  }

  static func operand(_ name: String, _ summary: String, file: FileUse? = nil) -> Option {
    Option(name: name, value: nil, summary: summary, isRequired: true, file: file)
  }

  static func required(_ name: String, _ value: String, _ summary: String, file: FileUse? = nil) -> Option {
    Option(name: name, value: value, summary: summary, isRequired: true, file: file)
  }

  static func optional(_ name: String, _ value: String, _ summary: String, file: FileUse? = nil) -> Option {
    Option(name: name, value: value, summary: summary, isRequired: false, file: file)
  }

  static func flag(_ name: String, _ summary: String) -> Option {
    Option(name: name, value: nil, summary: summary, isRequired: false)
  }
}
