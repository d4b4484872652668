/// The completion script for bash, 3.2 or later; it needs no other package.
enum BashCompletion {
  static func script(_ words: CommandWords) -> String {
    let groups = words.groups.map { group in
      "    \(group)) _sealpush_words '\(words.members(of: group).map { $0.name[1] }.joined(separator: " "))' ;;\n"
    }
    let first = words.first.map(\.word).joined(separator: " ")
    return """
      # Completion of sealpush for bash, written by: sealpush completions bash

      # Offers those of the words that begin as the current one does.
      _sealpush_words() {
        local word
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
      }

      # Offers files (-f) or folders (-d).
      _sealpush_paths() {
        local word
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$current")
      }

      # Offers the second word of a command.
      _sealpush_second() {
        case $1 in
      \(groups.joined())  esac
      }

      _sealpush() {
        local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} options
        COMPREPLY=()
        # bash takes --option=value apart.
        [ "$option" != = ] || option=${COMP_WORDS[COMP_CWORD-2]}
        [ "$current" != = ] || current=
        if [ "$COMP_CWORD" = 1 ]; then
          _sealpush_words '\(first) help --help --version'
          return
        fi
        if [ "${COMP_WORDS[1]}" = help ]; then
          case $COMP_CWORD in
            2) _sealpush_words '\(first)' ;;
            3) _sealpush_second "${COMP_WORDS[2]}" ;;
          esac
          return
        fi
        if [ "$COMP_CWORD" = 2 ]; then
          _sealpush_second "${COMP_WORDS[1]}"
          [ ${#COMPREPLY[@]} = 0 ] || return
        fi
        case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
      \(words.commands.map(entry).joined())  *) return ;;
        esac
        _sealpush_words "$options"
      }

      complete -F _sealpush sealpush

      """
  }

  /// A command's options, with what follows each.
  private static func entry(_ command: Command) -> String {
    let title = command.title
    let pattern = command.name.count > 1 ? "'\(title)'" : "'\(title) '*"
    let options = CommandWords.options(of: command)
    let values = options.filter { $0.value != nil }.map {
      "        \($0.name)) \(call($0.offer(in: command))); return ;;\n"
    }
    let operand = command.operand.map { operand in
      "      case $current in\n        -*) ;;\n        *) \(call(operand.offer(in: command))); return ;;\n      esac\n"
    }
    return """
          \(pattern))
            options='\(options.map(\.name).joined(separator: " "))'
            case $option in
      \(values.joined())      esac
      \(operand ?? "")      ;;

      """
  }

  private static func call(_ offer: Offer) -> String {
    switch offer {
    case .files: "_sealpush_paths -f"
    case .folders: "_sealpush_paths -d"
    case .words(let words): "_sealpush_words '\(words.joined(separator: " "))'"
    case .nothing: ":"
    }
  }
}
