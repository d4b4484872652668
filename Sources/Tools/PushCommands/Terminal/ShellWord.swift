/// Words for the shell, in commands that the tool proposes.
enum ShellWord {
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")

  /// A path, quoted for the shell, and never mistaken for an option.
  static func quoted(_ path: String) -> String {
    let path = path.hasPrefix("-") ? "./" + path : path
    guard path.isEmpty || !path.allSatisfy(plain.contains) else { return path }
    // Control characters are spelled out; a command substitution drops a line feed at its end.
    guard Terminal.printable(path) == path || path.hasSuffix("\n") else {
      return "\"$(printf '\(path.utf8.map(spelled).joined())')\""
    }
    return singleQuoted(path)
  }

  /// A text in single quotes, within which only the quote itself is special.
  static func singleQuoted(_ text: String) -> String {
    // A combining mark after a quote forms one Character with it, but not for a shell.
    "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }

  /// The path of another name in the same folder.
  static func sibling(_ name: String, of path: String) -> String {
    quoted(String(path[..<(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)]) + name)
  }

  /// A byte in printf's format.
  private static func spelled(_ byte: UInt8) -> String {
    let character = Character(Unicode.Scalar(byte))
    if character == "%" { return "%%" }
    guard byte >= 0x80 || !plain.contains(character) else { return String(character) }
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
