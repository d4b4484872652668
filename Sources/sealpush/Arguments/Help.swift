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
    var text = "sealpush \(title(command)): \(command.summary)\n\nUsage: sealpush \(title(command))"
    for option in command.options where option.isRequired { text += " \(option.synopsis)" }
    text += command.options.contains { !$0.isRequired } ? " [OPTIONS]\n\n" : "\n\n"
    if !command.details.isEmpty { text += command.details + "\n\n" }
    let width = command.options.map(\.synopsis.count).max() ?? 0
    for option in command.options { text += "  \(padded(option.synopsis, width))  \(option.summary)\n" }
    return text
  }

  private static func title(_ command: Command) -> String { command.name.joined(separator: " ") }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
