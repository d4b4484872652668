private import Glibc

/// The server's tool: what needs a network.
@main
enum Sealpushd {
  static let commands: [Command] = [.apns, .demo]

  static func main() async {
    // A reader of the output that has gone becomes an error of the write.
    _ = signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs one command, and reports its error.
  static func run(_ words: [String]) async -> ExitStatus {
    do throws(ToolError) {
      if let page = try page(words) {
        Output.print(page)
      } else {
        let command = try command(words[0])
        try await command.run(Arguments(parsing: Array(words.dropFirst()), of: command))
      }
      return .done
    } catch {
      Output.report(error)
      return error.status
    }
  }

  private static func command(_ word: String) throws(ToolError) -> Command {
    guard let command = commands.first(where: { $0.name == word }) else {
      throw .usage("there is no command '\(word)'", hint: "sealpushd --help lists the commands")
    }
    return command
  }

  /// The page of the manual that the words ask for; nil if they ask for none.
  private static func page(_ words: [String]) throws(ToolError) -> String? {
    switch words.first {
    case nil: throw .usage("no command is given", hint: "sealpushd --help lists the commands")
    case "--help", "-h": return Help.overview(commands)
    case "help": return words.count == 1 ? Help.overview(commands) : Help.page(of: try command(words[1]))
    case let word?:
      guard words.contains("--help") || words.contains("-h") else { return nil }
      return Help.page(of: try command(word))
    }
  }
}
