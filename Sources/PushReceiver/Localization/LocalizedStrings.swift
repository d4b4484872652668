package import PushPayload

/// The texts of the containing app, by their keys.
///
/// A sealed content names them with `title-loc-key`, `subtitle-loc-key` and `loc-key`. They are the app's,
/// and not the extension's, because a sender knows only the app.
public protocol LocalizedStrings: Sendable {
  /// The text of a key as the translator wrote it, with its specifiers; null if there is none.
  func format(forKey key: String) -> String?
}

extension LocalizedStrings {
  /// The text of a key with the arguments in the place of its specifiers.
  ///
  /// `%@` takes the arguments in order, `%n$@` the n-th, counted from 1, and `%%` is a percent sign. Nothing
  /// is invented: a specifier without an argument stays as it stands, and so does one of another kind (`%d`,
  /// `%ld`, `%#@name@`), which takes no argument. Where arguments add more than 64 KiB, the next ones are not
  /// filled in. A key without a text shows itself, as on iOS, and takes no arguments.
  public func text(forKey key: String, arguments: [String]) -> String {
    guard let format = format(forKey: key) else { return key }
    return TextFormat(format).filled(with: arguments)
  }

  /// The text of an alert's line: the literal one, or else that of its key; empty if there is neither.
  ///
  /// Of the key's arguments a number is its digits, and what is neither a string nor a number is empty, so
  /// that the others keep their places.
  package func text(_ literal: String?, key: JSONValue?, arguments: JSONValue?) -> String {
    if let literal, !literal.isEmpty { return literal }
    guard let key = key?.string, !key.isEmpty else { return "" }
    let texts = arguments?.array?.map { $0.string ?? $0.number?.literal ?? "" }
    return text(forKey: key, arguments: texts ?? [])
  }
}

/// No texts: every key shows itself.
public struct NoStrings: LocalizedStrings {
  /// Makes the empty choice.
  public init() {}

  /// Null, whatever the key.
  public func format(forKey key: String) -> String? { nil }
}
