/// The words of commands, as a shell completes them and as the manual names them.
struct CommandWords {
  /// The tool's name.
  let program: String
  let commands: [Command]

  init(of program: Program) { (self.program, commands) = (program.name, program.commands) }

  /// A command's options, without its operand.
  static func options(of command: Command) -> [Parameter] { command.options.filter { !$0.isOperand } }

  /// The words that can come first, each with its summary; a group's word occurs once.
  var first: [(word: String, summary: String)] {
    var words: [(String, String)] = []
    for command in commands {
      guard let word = command.name.first, !words.contains(where: { $0.0 == word }) else { continue }
      words.append((word, command.name.count == 1 ? command.summary : "\(members(of: word).count) commands"))
    }
    return words
  }

  /// The first words of commands that have two.
  var groups: [String] {
    first.map(\.word).filter { word in commands.contains { $0.name.first == word && $0.name.count > 1 } }
  }

  /// The commands of a group, without the command that has the group's own name.
  func members(of group: String) -> [Command] {
    commands.filter { $0.name.first == group && $0.name.count > 1 }
  }

  /// The commands in an order in which none hides a longer one: `queue dead` before `queue`.
  var longestFirst: [Command] {
    commands.filter { $0.name.count > 1 } + commands.filter { $0.name.count == 1 }
  }
}
