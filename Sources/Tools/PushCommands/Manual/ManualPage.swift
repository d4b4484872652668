/// What a tool's manual page says besides its commands, in roff.
package struct ManualText: Sendable {
  let description: String
  let statuses: [ExitStatus: String]
  let environment: String
  let security: String
  let others: String

  /// Takes the texts: `statuses` has the exit statuses that differ from other tools', `environment` is a list of items,
  /// and `others` names other programs.
  package init(
    description: String, statuses: [ExitStatus: String] = [:], environment: String = "", security: String,
    others: String
  ) {
    (self.description, self.statuses, self.environment) = (description, statuses, environment)
    (self.security, self.others) = (security, others)
  }
}

/// A tool's manual page, in roff's man macros.
enum ManualPage {
  static func text(of program: Program) -> String {
    let (name, version) = (program.name, Roff.text(Version.text))
    return """
      .\\" Written by: \(name) man
      .TH \(name.uppercased()) 1 "" "SealedPush \(version)" "SealedPush"
      .nh
      .ad l
      .SH NAME
      \(name) \\- end\\-to\\-end encrypted push notifications
      .SH SYNOPSIS
      .B \(name)
      .I COMMAND
      .RI [ OPTIONS ]
      .br
      .B \(name) \\-\\-version
      .br
      .B \(name)
      .RI [ COMMAND ]
      .B \\-\\-help
      .SH DESCRIPTION
      .B \(name)
      \(program.manual.description)
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
      with which success prints nothing.
      .SH COMMANDS
      \(program.commands.map(section).joined()).SH EXIT STATUS
      \(ExitStatus.allCases.map { status($0, of: program) }.joined())\(ending(of: program.manual))
      """
  }

  private static func status(_ status: ExitStatus, of program: Program) -> String {
    item(String(status.rawValue), body: Roff.text(program.manual.statuses[status] ?? status.meaning))
  }

  private static func ending(of manual: ManualText) -> String {
    """
    .SH FILES
    .TP
    .I sealpush.json
    In the current folder: defaults for
    .BR \\-\\-topic ,
    .BR \\-\\-from ,
    .B \\-\\-senders
    and
    .BR \\-\\-post\\-quantum .
    .B sealpush config
    shows them.
    .SH ENVIRONMENT
    .TP
    .B SEALPUSH_CONFIG
    The path of such a file elsewhere.
    .TP
    .B NO_COLOR
    If it is set, the output has no colors.
    \(manual.environment).SH SECURITY
    \(manual.security)
    .SH SEE ALSO
    \(manual.others)

    """
  }

  /// What a command does, how it is called, its options and examples; then the same for its other use.
  private static func section(of command: Command) -> String {
    let other = command.otherUse
    let head = ".SS \(Roff.text(command.title))\n\(Roff.text(sentence(from: command.summary)))\n"
    let text = head + use(of: command, details: command.details, other: other, isAsked: false)
    guard let other else { return text }
    return text + ".PP\nWith \(Roff.bold(other.name.description)):\n"
      + use(of: command, details: command.otherDetails, other: other, isAsked: true)
  }

  private static func use(
    of command: Command, details: String, other: Parameter?, isAsked: Bool
  ) -> String {
    let options = command.options.filter { $0.isShown(with: other?.name, isAsked: isAsked) }
    let asked = isAsked ? [other].compactMap(\.self).map { $0.required() } : []
    let shown = options.filter { option in
      !Parameter.ofEveryCommand.contains { $0.name == option.name }
        && !asked.contains { $0.name == option.name }
    }
    return ".PP\n" + call(of: command, options: asked + shown) + Roff.paragraphs(of: details)
      + shown.map(option).joined()
      + examples(of: Help.examples(of: command, isAsked: isAsked))
  }

  private static func examples(of lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    return ".PP\nFor example:\n.RS 2\n.nf\n" + lines.map { Roff.text($0) + "\n" }.joined() + ".fi\n.RE\n"
  }

  /// How a command is called, with the options that it requires.
  private static func call(of command: Command, options: [Parameter]) -> String {
    let needed = options.filter { $0.isRequired || $0.isOperand }.map {
      $0.isRequired ? " " + written($0) : " [\(written($0))]"
    }
    let rest = options.contains { !$0.isRequired && !$0.isOperand } ? " [\(Roff.italic("OPTIONS"))]" : ""
    let name = Roff.bold(command.call)
    return name + needed.joined() + rest + "\n"
  }

  private static func option(_ option: Parameter) -> String {
    item(written(option), body: Roff.text(sentence(from: option.summary)))
  }

  /// An option with the name in bold and the value in italics.
  private static func written(_ option: Parameter) -> String {
    if option.isOperand { return Roff.italic(option.name.description) }
    return Roff.bold(option.name.description) + (option.value.map { " " + Roff.italic($0) } ?? "")
  }

  private static func item(_ head: String, body: String) -> String { ".TP\n\(head)\n\(body)\n" }

  private static func sentence(from summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}
