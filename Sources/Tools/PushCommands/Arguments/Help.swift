/// The manual.
enum Help {
  /// The page that lists the commands.
  static func overview(of program: Program) -> String {
    "\(program.name): end-to-end encrypted push notifications\n\n\(list(of: program.commands))\n\(program.notes)"
  }

  /// The page that lists the commands of a group, such as `keys`.
  static func group(_ name: String, of program: Program) -> String {
    let members = program.commands.filter { $0.name.count > 1 && $0.name.first == name }
    return "\(list(of: members))\n\(program.name) \(name) COMMAND --help explains a command.\n"
  }

  private static func list(of commands: [Command]) -> String {
    let width = commands.map(\.title.count).max() ?? 0
    return commands.map { "  \(padded($0.title, to: width))  \($0.summary)\n" }.joined()
  }

  /// A command's page; if the words contain the option that asks for its other use, the page of that use.
  static func page(of command: Command, for words: [String]) -> String {
    let other = command.otherUse
    let isOther = other.map { asks(for: $0, in: words) } ?? false
    let options = command.options.filter { $0.isShown(with: other?.name, isAsked: isOther) }
    let details = isOther ? command.otherDetails : command.details
    let examples = examples(of: command, isAsked: isOther)
    let width = options.map(\.listed.count).max() ?? 0
    return "\(command.call): \(command.summary)\n\n"
      + usage(of: command, options: options, otherUse: isOther ? other : nil)
      + (details.isEmpty ? "\n" : "\n\(details)\n\n")
      + options.map { "  \(padded($0.listed, to: width))  \($0.summary)\n" }.joined()
      + (examples.isEmpty ? "" : "\nExamples:\n" + examples.map { "  \($0)\n" }.joined())
  }

  /// The examples of a command's own use, or of the other one, which an option asks for.
  static func examples(of command: Command, isAsked: Bool) -> [String] {
    command.examples.filter { example in
      let words = example.split(separator: " ").map(String.init)
      return (command.otherUse.map { asks(for: $0, in: words) } ?? false) == isAsked
    }
  }

  /// Whether the words contain an option, with its value or without.
  private static func asks(for option: Parameter, in words: [String]) -> Bool {
    words.contains { $0 == option.name.description || $0.hasPrefix("\(option.name)=") }
  }

  /// How a command is called, with the options that it requires.
  private static func usage(of command: Command, options: [Parameter], otherUse other: Parameter?) -> String {
    let needed = options.filter { $0.isRequired || $0.name == other?.name || $0.isOperand }.map {
      $0.isOperand && !$0.isRequired ? "[\($0.synopsis)]" : $0.synopsis
    }
    return "Usage: " + ([command.call] + needed + ["[OPTIONS]"]).joined(separator: " ") + "\n"
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Command {
  /// The option that asks for another use of the command; nil if it has only one use.
  var otherUse: Parameter? {
    options.first { option in options.contains { $0.place == .beside(option.name) } }
  }
}

extension Parameter {
  /// The option as a list shows it, with its shorter name.
  var listed: String { synopsis + (short.map { ", \($0)" } ?? "") }

  /// Whether it is shown on a command's page; with `isAsked`, on the page of the use that the option `other` asks for.
  func isShown(with other: OptionName?, isAsked: Bool) -> Bool {
    guard let other else { return true }
    return switch place {
    case .everywhere: true
    case .beside(let name): isAsked && name == other
    case .notBeside(let names): !isAsked || !names.contains(other)
    }
  }
}
