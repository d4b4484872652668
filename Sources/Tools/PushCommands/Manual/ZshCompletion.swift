/// The completion script for zsh: a file in its function path, named after the tool with an underscore before it.
enum ZshCompletion {
  static func script(for words: CommandWords) -> String {
    let name = words.program
    let first = words.first.map { described($0.word, as: $0.summary) }
    let others = ["'help:explain a command'", "'--help:list the commands'", "'--version:print the version'"]
    let groups = words.groups.map { group in
      let members = words.members(of: group).map { described($0.name[1], as: $0.summary) }
      return "      \(group))\n\(list(of: members, indent: "        "))        return\n        ;;\n"
    }
    return """
      #compdef \(name)
      # Completion of \(name) for zsh, written by: \(name) completions zsh

      _\(name)() {
        local -a offered
        local help=
        if (( CURRENT == 2 )); then
      \(list(of: first + others, indent: "    "))    return
        fi
        if [[ $words[2] = help ]]; then
          help=1
          shift words
          (( CURRENT -= 1 ))
        fi
        if (( CURRENT == 2 )); then
      \(list(of: first, indent: "    "))    return
        fi
        # A group may be a command, too, with options.
        if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then
          case $words[2] in
      \(groups.joined())    esac
        fi
        [[ -z $help ]] || return
        case "$words[2] $words[3]" in
      \(words.longestFirst.map(entry).joined())  esac
      }

      if [ "$funcstack[1]" = _\(name) ]; then _\(name) "$@"; else compdef _\(name) \(name); fi

      """
  }

  private static func list(of items: [String], indent: String) -> String {
    "\(indent)offered=(\n" + items.map { "\(indent)  \($0)\n" }.joined() + "\(indent))\n"
      + "\(indent)_describe command offered\n"
  }

  private static func described(_ word: String, as summary: String) -> String {
    quoted("\(word):\(escaped(summary))")
  }

  /// A command's options, and its operand.
  private static func entry(for command: Command) -> String {
    let title = command.title
    let pattern = command.name.count > 1 ? "'\(title)'" : "'\(title) '*"
    let options = CommandWords.options(of: command).map { option in
      let name = "\(option.name)\(option.value == nil ? "" : "=")"
      return quoted("\(name)[\(escaped(option.summary))]\(message(for: option))")
    }
    let operand = command.operand.map { [quoted("1:\($0.name):\(action(for: $0.offer))")] } ?? []
    let arguments = (options + operand).map { " \\\n        \($0)" }.joined()
    // `_arguments` takes the last word of the command's name for the command.
    return """
          \(pattern))
            shift \(command.name.count) words
            (( CURRENT -= \(command.name.count) ))
            _arguments\(arguments)
            ;;

      """
  }

  private static func message(for option: Parameter) -> String {
    option.value.map { ":\(escaped($0)):\(action(for: option.offer))" } ?? ""
  }

  private static func action(for offer: Offer) -> String {
    switch offer {
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .nothing: ""
    }
  }

  /// A text with the characters escaped that are special to `_arguments` and `_describe`.
  private static func escaped(_ text: String) -> String {
    text.map { "\\:[]".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String { ShellWord.singleQuoted(text) }
}
