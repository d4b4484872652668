/// The command line tool.
@main
enum Sealpush {
  static let commands: [Command] = [
    .demo, .keysNew, .keysExport, .keysImport, .keysList, .keysRotate, .keysRevoke, .keysPrune, .keysDoctor,
    .keysPassphrase, .keysEnrol, .keysAccept, .keysConfirm, .keysForget, .keysSignSenders, .vectorsVerify,
    .seal, .open,
    .simulate, .inspect, .lint, .log, .attachSeal, .attachOpen,
    .completions { commands }, .man { commands },
  ]

  static func main() async {
    Hardening.apply()
    await run(Array(CommandLine.arguments.dropFirst()), Console()).exit()
  }

  /// Runs one command and reports its error.
  static func run(_ words: [String], _ console: Console) async -> ExitStatus {
    do throws(ToolError) {
      try await dispatch(words, console)
      try console.close()
      return .done
    } catch {
      console.report(error)
      // What was written before may be lost too.
      do throws(ToolError) { try console.close() } catch { console.report(error) }
      return error.status
    }
  }

  private static func dispatch(_ words: [String], _ console: Console) async throws(ToolError) {
    switch words.first {
    case nil, "help", "--help", "-h": return try console.print(Help.overview(commands))
    case "--version": return try console.print("sealpush \(Version.text)\n")
    default: break
    }
    guard let command = commands.first(where: { words.starts(with: $0.name) }) else {
      if isHelpOfGroup(words) { return try console.print(Help.overview(commands)) }
      throw .usage("there is no command '\(unknownName(words))'", hint: "sealpush --help lists the commands")
    }
    let rest = words.dropFirst(command.name.count)
    guard !rest.contains("--help") && !rest.contains("-h") else {
      return try console.print(Help.page(command))
    }
    var arguments = try Arguments(parsing: Array(rest), for: command)
    try arguments.checkFilesDiffer()
    try arguments.checkStandardInput()
    try arguments.readPassphrase()
    try await command.run(arguments, console)
  }

  /// Whether the words ask for help on a group, such as `keys`.
  private static func isHelpOfGroup(_ words: [String]) -> Bool {
    words.count == 2 && ["--help", "-h"].contains(words[1])
      && commands.contains { $0.name.count > 1 && $0.name.first == words.first }
  }

  /// The name of an unknown command, for the error: two words if the first is a group.
  private static func unknownName(_ words: [String]) -> String {
    let isGroup = commands.contains { $0.name.count > 1 && $0.name.first == words.first }
    return words.prefix(isGroup ? 2 : 1).joined(separator: " ")
  }
}
