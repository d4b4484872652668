/// Suggestions for an unknown word.
enum Suggestion {
  /// The error of a command that does not exist.
  static func unknownCommand(_ words: [String], of program: Program) -> ToolError {
    let commands = program.commands
    let isGroup = commands.contains { $0.name.count > 1 && $0.name.first == words.first }
    let name = words.prefix(isGroup ? 2 : 1).joined(separator: " ")
    let typed = [words.prefix(2).joined(separator: " "), words.first ?? ""]
    // A command's second word alone, such as `rotate`, stands for that command.
    let known = commands.map { ($0.title, $0.title) } + commands.map { ($0.name.last ?? "", $0.title) }
    return .usage(
      "there is no command '\(name)'",
      hint: question(about: nearest(to: typed, among: known)) + "\(program.name) --help lists the commands")
  }

  /// Throws an error if the word after a command's name is a mistyped subcommand, such as `dred` in `queue dred`.
  static func checkMember(_ words: [String], of command: Command, in program: Program) throws(ToolError) {
    let rest = words.dropFirst(command.name.count)
    let members = program.commands.filter {
      $0.name.count == command.name.count + 1 && $0.name.starts(with: command.name)
    }
    guard command.operand == nil, let word = rest.first,
      let meant = nearest(to: [word], among: members.map { ($0.name.last ?? "", $0.title) })
    else { return }
    throw .usage(
      "'\(word)' is not an option, and \(command.title) takes no other words",
      hint: question(about: meant) + "\(program.name) \(command.title) --help")
  }

  /// The error of an option that a command does not have; `page` explains the command.
  static func unknownOption(_ word: String, of command: Command, page: String) -> ToolError {
    guard word.hasPrefix("-") else {
      let rule = command.operand.map { "takes one \($0.name)" } ?? "takes no other words"
      return .usage("'\(word)' is not an option, and \(command.title) \(rule)", hint: page)
    }
    let names = command.options.filter { !$0.isOperand }.map { ($0.name.description, $0.name.description) }
    let isOperand = command.operand != nil && !word.hasPrefix("--")
    let operand = isOperand ? "write -- before a name that begins with -; " : ""
    return .usage(
      "there is no option '\(word)' here",
      hint: question(about: nearest(to: [word], among: names)) + operand + page)
  }

  private static func question(about name: String?) -> String { name.map { "did you mean \($0)? " } ?? "" }

  /// The meaning of the nearest known word; nil if none is near.
  private static func nearest(to typed: [String], among known: [(word: String, meaning: String)]) -> String? {
    var best: (distance: Int, meaning: String)?
    for word in typed {
      for candidate in known {
        let distance = distance(from: word.lowercased(), to: candidate.word)
        guard distance <= min(2, candidate.word.count / 3), distance < best?.distance ?? .max else {
          continue
        }
        best = (distance, candidate.meaning)
      }
    }
    return best?.meaning
  }

  /// How many letters to add, remove, replace or swap with the next one to get from one word to another; `Int.max` if
  /// their lengths differ too much to be near.
  static func distance(from one: String, to other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    guard abs(one.count - other.count) <= 2 else { return .max }
    var before: [Int] = []
    var row = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var next = [i + 1]
      for (j, otherLetter) in other.enumerated() {
        var cost = min(next[j] + 1, row[j + 1] + 1, row[j] + (letter == otherLetter ? 0 : 1))
        if i > 0, j > 0, letter == other[j - 1], one[i - 1] == otherLetter {
          cost = min(cost, before[j - 1] + 1)
        }
        next.append(cost)
      }
      (before, row) = (row, next)
    }
    return row[other.count]
  }
}
