public import Foundation

/// A text whose localization is looked up when the notification is shown.
///
/// On Apple's systems such a text is an object of its own class. Here it is a string: U+F0001, the key, then U+F0002 and the
/// argument for each argument, and U+F0003. The three scalars are for private use. An argument is plain text or again such
/// a text, at most four levels deep. A string of any other form is plain text.
package struct LocalizedUserNotificationString {
  private enum Argument {
    case plain(String)
    case localized(LocalizedUserNotificationString)
  }

  private static let start: Unicode.Scalar = "\u{F0001}"
  private static let separator: Unicode.Scalar = "\u{F0002}"
  private static let end: Unicode.Scalar = "\u{F0003}"
  private static let depth = 4

  private let key: String
  private let arguments: [Argument]

  /// The text as it is shown: `text` itself, or the result of `lookUp` for its key and its arguments.
  ///
  /// Arguments that need a look-up are resolved first.
  package static func resolve(
    _ text: String, lookUp: (_ key: String, _ arguments: [String]) -> String
  ) -> String {
    LocalizedUserNotificationString(text, depth: depth)?.resolved(by: lookUp) ?? text
  }

  /// Encodes a key and its arguments as a string.
  ///
  /// The three scalars are removed wherever they do not form a valid argument.
  static func carrying(_ key: String, arguments: [String]) -> String {
    var text = String.UnicodeScalarView([start])
    text += plain(key).unicodeScalars
    for argument in arguments {
      text.append(separator)
      let isNested = LocalizedUserNotificationString(argument, depth: depth - 1) != nil
      text += (isNested ? argument : plain(argument)).unicodeScalars
    }
    text.append(end)
    return String(text)
  }

  private init?(_ text: String, depth: Int) {
    var rest = text.unicodeScalars[...]
    guard let read = Self(reading: &rest, depth: depth), rest.isEmpty else { return nil }
    self = read
  }

  private init?(reading rest: inout Substring.UnicodeScalarView, depth: Int) {
    guard depth > 0, Self.take(Self.start, from: &rest) else { return nil }
    key = Self.takePlain(&rest)
    var arguments: [Argument] = []
    while Self.take(Self.separator, from: &rest) {
      if rest.first != Self.start {
        arguments.append(.plain(Self.takePlain(&rest)))
      } else if let nested = Self(reading: &rest, depth: depth - 1) {
        arguments.append(.localized(nested))
      } else {
        return nil
      }
    }
    guard Self.take(Self.end, from: &rest) else { return nil }
    self.arguments = arguments
  }

  private func resolved(by lookUp: (_ key: String, _ arguments: [String]) -> String) -> String {
    lookUp(
      key,
      arguments.map { argument in
        switch argument {
        case .plain(let text): text
        case .localized(let nested): nested.resolved(by: lookUp)
        }
      })
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar == start || scalar == separator || scalar == end
  }

  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isMark($0) }))
  }

  private static func take(_ scalar: Unicode.Scalar, from rest: inout Substring.UnicodeScalarView) -> Bool {
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private static func takePlain(_ rest: inout Substring.UnicodeScalarView) -> String {
    let text = rest.prefix { !isMark($0) }
    rest.removeFirst(text.count)
    return String(text)
  }
}

extension NSString {
  /// A text that is looked up in the app's strings when the notification is shown.
  ///
  /// Models Apple's page "localizedUserNotificationString(forKey:arguments:)". Nothing is looked up here: the string
  /// carries the key and the arguments to the system, so it must be the whole of a title, subtitle, body or argument. As
  /// part of a longer text it is not resolved and not readable. An argument may be such a text itself.
  public static func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
    LocalizedUserNotificationString.carrying(key, arguments: (arguments ?? []).map { String(describing: $0) })
  }
}
