/// The manual.
enum Help {
  /// The page that lists the commands.
  static func overview(_ commands: [Command]) -> String {
    let width = commands.map { title($0).count }.max() ?? 0
    let rows = commands.map { "  \(padded(title($0), width))  \($0.summary)" }
    return """
      sealpush: end-to-end encrypted push notifications

      \(rows.joined(separator: "\n"))

      sealpush COMMAND --help explains a command. Results are on standard output, everything else on
      standard error. - is standard input or output. Exit status: 0 done, 1 failed, 64 usage, 65 bad or
      inauthentic data, 66 no input, 73 cannot create, 77 permissions.

      """
  }

  /// A command's page.
  static func page(_ command: Command) -> String {
    let other = command.otherUse
    var text = "sealpush \(title(command)): \(command.summary)\n\nUsage: "
    text += usage(command, command.options.filter { other == nil || !$0.place.isWith })
    if let other {
      let needed = command.options.filter { $0.place == .everywhere || $0.place == .with(other.name) }
      text += "       " + usage(command, [.required(other.name, other.value ?? "", "")] + needed)
    }
    text += "\n"
    if !command.details.isEmpty { text += command.details + "\n\n" }
    let width = command.options.map(\.synopsis.count).max() ?? 0
    func list(_ options: [Option]) -> String {
      options.map { "  \(padded($0.synopsis, width))  \($0.summary)\n" }.joined()
    }
    text += list(command.options.filter { !$0.place.isWith })
    if let other { text += "\nWith \(other.name):\n" + list(command.options.filter(\.place.isWith)) }
    return text
  }

  /// How a command is called with those of its options that it needs.
  private static func usage(_ command: Command, _ options: [Option]) -> String {
    let needed = options.filter(\.isRequired).map(\.synopsis)
    let rest = options.contains { !$0.isRequired } ? ["[OPTIONS]"] : []
    return (["sealpush \(title(command))"] + needed + rest).joined(separator: " ") + "\n"
  }

  private static func title(_ command: Command) -> String { command.name.joined(separator: " ") }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Command {
  /// The option that asks for another use of the command; nil if it has one use alone.
  var otherUse: Option? {
    options.first { option in options.contains { $0.place == .with(option.name) } }
  }
}

extension Option.Place {
  var isWith: Bool { if case .with = self { true } else { false } }
}
