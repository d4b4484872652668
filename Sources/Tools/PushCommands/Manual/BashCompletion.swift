/// The completion script for bash, 3.2 or later; it needs no other package.
enum BashCompletion {
  static func script(for words: CommandWords) -> String {
    let name = words.program
    let groups = words.groups.map { group in
      "    \(group)) _\(name)_words '\(words.members(of: group).map { $0.name[1] }.joined(separator: " "))' ;;\n"
    }
    let first = words.first.map(\.word).joined(separator: " ")
    return """
      # Completion of \(name) for bash, written by: \(name) completions bash

      # Offers those of the words that begin as the current one does.
      _\(name)_words() {
        local word
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
      }

      # Offers files (-f) or folders (-d).
      _\(name)_paths() {
        local word
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$current")
      }

      # Offers the second word of a command.
      _\(name)_second() {
        case $1 in
      \(groups.joined())  esac
      }

      _\(name)() {
        local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} options
        COMPREPLY=()
        # bash takes --option=value apart.
        [ "$option" != = ] || option=${COMP_WORDS[COMP_CWORD-2]}
        [ "$current" != = ] || current=
        if [ "$COMP_CWORD" = 1 ]; then
          _\(name)_words '\(first) help --help --version'
          return
        fi
        if [ "${COMP_WORDS[1]}" = help ]; then
          case $COMP_CWORD in
            2) _\(name)_words '\(first)' ;;
            3) _\(name)_second "${COMP_WORDS[2]}" ;;
          esac
          return
        fi
        if [ "$COMP_CWORD" = 2 ]; then
          _\(name)_second "${COMP_WORDS[1]}"
          [ ${#COMPREPLY[@]} = 0 ] || return 0
        fi
        case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
      \(words.longestFirst.map { entry(for: $0, words: words) }.joined())  *) return ;;
        esac
        _\(name)_words "$options"
      }

      complete -F _\(name) \(name)

      """
  }

  /// A command's options, with what follows each.
  private static func entry(for command: Command, words: CommandWords) -> String {
    let title = command.title
    let pattern = command.name.count > 1 ? "'\(title)'" : "'\(title) '*"
    let options = CommandWords.options(of: command)
    let values = options.filter { $0.value != nil }.map {
      "        \($0.name)) \(call(for: $0.offer, words: words)); return ;;\n"
    }
    let operand = command.operand.map { operand in
      "      case $current in\n        -*) ;;\n        *) \(call(for: operand.offer, words: words)); return ;;\n      esac\n"
    }
    return """
          \(pattern))
            options='\(options.map(\.name.description).joined(separator: " "))'
            case $option in
      \(values.joined())      esac
      \(operand ?? "")      ;;

      """
  }

  private static func call(for offer: Offer, words: CommandWords) -> String {
    switch offer {
    case .files: "_\(words.program)_paths -f"
    case .folders: "_\(words.program)_paths -d"
    case .words(let offered): "_\(words.program)_words '\(offered.joined(separator: " "))'"
    case .nothing: ":"
    }
  }
}
