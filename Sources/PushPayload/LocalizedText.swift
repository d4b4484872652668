/// A text that the app has in the person's language: a key of its `Localizable.strings`, and what is put in.
public struct LocalizedText: Sendable {
  /// The entry's key, such as `GAME_PLAY_REQUEST_FORMAT`.
  public var key: String

  /// What takes the place of each `%@` in order, or of `%1$@`, `%2$@` and so on.
  public var arguments: [String]

  /// Names an entry and its arguments.
  public init(_ key: String, arguments: [String] = []) {
    self.key = key
    self.arguments = arguments
  }
}

extension LocalizedText: Equatable {
  /// Whether key and arguments are equal, compared by their bytes.
  public static func == (left: LocalizedText, right: LocalizedText) -> Bool {
    ExactString(left.key) == ExactString(right.key)
      && left.arguments.map(ExactString.init) == right.arguments.map(ExactString.init)
  }
}
