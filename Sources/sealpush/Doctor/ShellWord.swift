/// Words of commands that the tool proposes.
enum ShellWord {
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%")

  /// A word as a shell takes it back.
  static func quoted(_ text: String) -> String {
    guard text.isEmpty || !text.allSatisfy(plain.contains) else { return text }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// The folder of a path.
  static func folder(of path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "." }
    return end == path.startIndex ? "/" : quoted(String(path[..<end]))
  }
}
