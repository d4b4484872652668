/// The completion script for fish.
enum FishCompletion {
  static func script(for words: CommandWords) -> String {
    let commands = ["", " help"].flatMap { offers(of: words, after: "__\(words.program)_at\($0)") }
    return """
      # Completion of \(words.program) for fish, written by: \(words.program) completions fish

      # Whether the words before the current one are these, and no others.
      function __\(words.program)_at
          set -l words (commandline -opc)
          test "$words[2..]" = "$argv"
      end

      # Whether the command is this one.
      function __\(words.program)_in
          set -l words (commandline -opc)
          set -l last (math (count $argv) + 1)
          test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
      end

      complete -c \(words.program) -f
      complete -c \(words.program) -n __\(words.program)_at -a help -d 'explain a command'
      complete -c \(words.program) -n __\(words.program)_at -l help -d 'list the commands'
      complete -c \(words.program) -n __\(words.program)_at -l version -d 'print the version'
      \((commands + words.commands.flatMap { entries(for: $0, words: words) }).joined())
      """
  }

  /// Completes the commands' words where the condition `place` holds.
  private static func offers(of words: CommandWords, after place: String) -> [String] {
    let first = words.first.map {
      "complete -c \(words.program) -n '\(place)' -a \($0.word) -d \(quoted($0.summary))\n"
    }
    return first
      + words.groups.flatMap { group in
        words.members(of: group).map {
          "complete -c \(words.program) -n '\(place) \(group)' -a \($0.name[1]) -d \(quoted($0.summary))\n"
        }
      }
  }

  /// A command's options, and its operand.
  private static func entries(for command: Command, words: CommandWords) -> [String] {
    let others = command.name.count == 1 ? words.members(of: command.title) : []
    let place = ([command] + others).map { "__\(words.program)_in \($0.title)" }.joined(
      separator: "; and not ")
    let beginning = "complete -c \(words.program) -n '\(place)'"
    let options = CommandWords.options(of: command).map { option in
      let value = option.value != nil ? " " + arguments(for: option.offer, isRequired: true) : ""
      return "\(beginning) -l \(option.name.description.dropFirst(2))\(value) -d \(quoted(option.summary))\n"
    }
    let operand =
      command.operand.map { ["\(beginning) \(arguments(for: $0.offer, isRequired: false))\n"] }
      ?? []
    return options + operand
  }

  private static func arguments(for offer: Offer, isRequired: Bool) -> String {
    switch offer {
    case .files: isRequired ? "-r -F" : "-F"
    case .folders: "\(isRequired ? "-x " : "")-a '(__fish_complete_directories)'"
    case .words(let words): "\(isRequired ? "-x " : "")-a \(quoted(words.joined(separator: " ")))"
    case .nothing: "-x"
    }
  }

  /// A word of fish: within single quotes, only they and the backslash have a meaning.
  private static func quoted(_ text: String) -> String {
    "'" + text.map { "\\'".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
