/// The manual page sealpush(1), in roff's man macros.
enum ManualPage {
  static func text(_ commands: [Command]) -> String {
    let version = Roff.text(Version.text)
    return """
      .\\" Written by: sealpush man
      .TH SEALPUSH 1 "" "SealedPush \(version)" "SealedPush"
      .nh
      .ad l
      .SH NAME
      sealpush \\- end\\-to\\-end encrypted push notifications
      .SH SYNOPSIS
      .B sealpush
      .I COMMAND
      .RI [ OPTIONS ]
      .br
      .B sealpush \\-\\-version
      .br
      .B sealpush
      .RI [ COMMAND ]
      .B \\-\\-help
      .SH DESCRIPTION
      .B sealpush
      seals a notification to a device's key, so that Apple and every relay see a placeholder and ciphertext, and opens it
      as the device does. It makes keys, rotates them and destroys them. It never uses the network.
      .PP
      Results are on standard output, everything else on standard error. A file named
      .B \\-
      is standard input or output. An option's value follows it, or stands after an equals sign. A
      .I TIME
      is a number of seconds, or a number and
      .BR s ,
      .BR m ,
      .B h
      or
      .BR d ,
      such as 30d.
      .PP
      Every command takes
      .BR \\-\\-help ,
      and
      .BR \\-\\-quiet ,
      with which it does not report success.
      .SH COMMANDS
      \(commands.map(section).joined()).SH EXIT STATUS
      \(ExitStatus.allCases.map { item(String($0.rawValue), Roff.text($0.meaning)) }.joined())\(ending)
      """
  }

  private static let ending = """
    .SH FILES
    .TP
    .I sealpush.json
    In the current folder: defaults for
    .BR \\-\\-topic ,
    .B \\-\\-from
    and
    .BR \\-\\-senders .
    .B sealpush config
    shows them.
    .SH ENVIRONMENT
    .TP
    .B SEALPUSH_CONFIG
    The path of such a file elsewhere.
    .TP
    .B NO_COLOR
    If it is set, the output has no colors.
    .SH SECURITY
    A key file must belong to its user, who alone may have access to it; one that is only read may be root's, and
    readable to its group. Passphrases and keys are read from files, from
    descriptors or from the terminal: no option takes one as its value, and no error shows one. An output shows only the
    key of an attachment's blob, in its descriptor:
    .B attach seal
    prints that unless
    .B \\-\\-descriptor
    names a file, and
    .B open
    prints it in the message.
    .SH SEE ALSO
    .BR openssl (1),
    .BR curl (1)

    """

  /// What one command does, how it is called, its options and examples; then the same of its other use.
  private static func section(_ command: Command) -> String {
    let other = command.otherUse
    let head = ".SS \(Roff.text(command.title))\n\(Roff.text(sentence(command.summary)))\n"
    let text = head + use(command, command.details, other, isAsked: false)
    guard let other else { return text }
    return text + ".PP\nWith \(Roff.bold(other.name)):\n"
      + use(command, command.otherDetails, other, isAsked: true)
  }

  private static func use(
    _ command: Command, _ details: String, _ other: Option?, isAsked: Bool
  ) -> String {
    let options = command.options.filter { $0.isShown(with: other?.name, isAsked: isAsked) }
    let asked = isAsked ? [other].compactMap(\.self).map { Option.required($0.name, $0.value ?? "", "") } : []
    let shown = options.filter { option in
      !Option.ofEveryCommand.contains { $0.name == option.name } && !asked.contains { $0.name == option.name }
    }
    return ".PP\n" + call(command, asked + shown) + Roff.paragraphs(details) + shown.map(option).joined()
      + examples(Help.examples(of: command, isAsked: isAsked))
  }

  private static func examples(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    return ".PP\nFor example:\n.RS 2\n.nf\n" + lines.map { Roff.text($0) + "\n" }.joined() + ".fi\n.RE\n"
  }

  /// How a command is called with those of its options that it needs.
  private static func call(_ command: Command, _ options: [Option]) -> String {
    let needed = options.filter(\.isRequired).map { " " + written($0) }
    let rest = options.contains { !$0.isRequired } ? " [\(Roff.italic("OPTIONS"))]" : ""
    let name = Roff.bold("sealpush \(command.title)")
    return name + needed.joined() + rest + "\n"
  }

  private static func option(_ option: Option) -> String {
    item(written(option), Roff.text(sentence(option.summary)))
  }

  /// An option with the name in bold and the value in italics.
  private static func written(_ option: Option) -> String {
    if option.isOperand { return Roff.italic(option.name) }
    return Roff.bold(option.name) + (option.value.map { " " + Roff.italic($0) } ?? "")
  }

  private static func item(_ head: String, _ body: String) -> String { ".TP\n\(head)\n\(body)\n" }

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}
