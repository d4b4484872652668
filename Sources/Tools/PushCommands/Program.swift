/// A tool: its name and its commands.
package struct Program: Sendable {
  let name: String
  let commands: [Command]
  /// What follows the list of commands in the manual.
  let notes: String
  /// The manual page's text besides the commands.
  let manual: ManualText

  /// Describes a tool.
  package init(name: String, commands: [Command], notes: String, manual: ManualText) {
    (self.name, self.commands, self.notes, self.manual) = (name, commands, notes, manual)
  }

  /// Runs the command that the process was called with, and ends the process.
  package func main() async -> Never {
    Hardening.apply()
    await run(Array(CommandLine.arguments.dropFirst()), console: Console(program: name)).exit()
  }

  /// Runs one command and reports its error.
  func run(_ words: [String], console: Console) async -> ExitStatus {
    do throws(ToolError) {
      try await dispatch(words, console: console)
      try console.close()
      return .done
    } catch {
      console.report(error)
      // Earlier output may be lost too.
      do throws(ToolError) { try console.close() } catch { console.report(error) }
      return error.status
    }
  }

  private func dispatch(_ words: [String], console: Console) async throws(ToolError) {
    if let page = try manual(for: words) { return try console.printPage(page) }
    let command = try command(for: words)
    try Suggestion.checkMember(words, of: command, in: self)
    var arguments = try Arguments(parsing: Array(words.dropFirst(command.name.count)), for: command)
    try arguments.checkFilesDiffer()
    try arguments.checkStandardInput()
    try arguments.readPassphrase()
    var console = console
    console.isQuiet = arguments.has(.quiet)
    do throws(ToolError) {
      try await command.run(arguments, console)
    } catch {
      throw arguments.defaults?.attributing(error) ?? error
    }
  }

  /// The command that the words call.
  private func command(for words: [String]) throws(ToolError) -> Command {
    // The longest match: `queue dead`, not `queue`.
    let called = commands.filter { words.starts(with: $0.name) }.max { $0.name.count < $1.name.count }
    if let called { return called }
    guard let group = group(of: words), words.count == 1 || words[1].hasPrefix("-") else {
      throw Suggestion.unknownCommand(words, of: self)
    }
    var error = ToolError.usage("'\(group)' has several commands: choose one")
    error.page = Help.group(group, of: self)
    throw error
  }

  /// The manual page that the words ask for; nil if they ask for none.
  private func manual(for words: [String]) throws(ToolError) -> String? {
    switch words.first {
    case nil: throw noCommand
    case Flag.version.description: return "\(name) \(Version.text)\n"
    case let word? where Flag.help.isNamed(word): return Help.overview(of: self)
    case "help": return words.count == 1 ? Help.overview(of: self) : try page(for: Array(words.dropFirst()))
    default: return words.contains(where: Flag.help.isNamed) ? try page(for: words) : nil
    }
  }

  private func page(for words: [String]) throws(ToolError) -> String {
    let words = words.filter { !Flag.help.isNamed($0) }
    guard let group = group(of: words), words.count == 1 else {
      return Help.page(of: try command(for: words), for: words)
    }
    let own = commands.first { $0.name == words }.map { Help.page(of: $0, for: words) + "\n" } ?? ""
    return own + Help.group(group, of: self)
  }

  /// The first word, if it is the name of a group, such as `keys`.
  private func group(of words: [String]) -> String? {
    commands.contains { $0.name.count > 1 && $0.name.first == words.first } ? words.first : nil
  }

  /// The error for a call without a command: a job whose arguments got lost must not appear to have worked.
  private var noCommand: ToolError {
    // Without /proc the Swift runtime finds no arguments, not even the program's name.
    let isBlind = CommandLine.arguments.isEmpty
    var error = ToolError.usage(
      "no command is given", hint: isBlind ? "arguments are read from /proc/self/cmdline: mount /proc" : nil)
    error.page = Help.overview(of: self)
    return error
  }
}
