package import PushCore

/// The texts of the containing app, by their keys.
///
/// Sealed content refers to them with `title-loc-key`, `subtitle-loc-key` and `loc-key`. They belong to the app,
/// not to the extension, because a sender knows only the app.
public protocol LocalizedStrings: Sendable {
  /// The text of a key as the translator wrote it, with its specifiers; nil if there is none.
  func format(forKey key: String) -> String?
}

extension LocalizedStrings {
  /// The text of a key, with its specifiers replaced by the arguments.
  ///
  /// `%@` takes the arguments in order, `%n$@` the n-th, counted from 1, and `%%` is a percent sign. A specifier
  /// without an argument stays as it is. So does any other kind (`%d`, `%ld`, `%#@name@`), which takes no
  /// argument. When arguments add more than 64 KiB, the remaining ones are not filled in.
  ///
  /// A key without a text is its own text, specifiers included: the key `%@ says hi` with the argument `Ada` shows "Ada
  /// says hi", and the key `GREETING` shows "GREETING". Apple does not describe this case. It is inferred from two facts:
  /// `NSLocalizedString` returns the key if there is no text, and Apple's guide of 2010 says that the key string of
  /// `loc-key` "can be formatted with %@ and %n$@ specifiers".
  public func text(forKey key: String, arguments: [String]) -> String {
    TextFormat(format(forKey: key) ?? key).filled(with: arguments)
  }

  /// The text of an alert's line: the literal text, or else its key's text; empty if there is neither.
  ///
  /// A number among the key's arguments becomes its digits. An argument that is neither a string nor a number
  /// becomes empty, so the others keep their places.
  package func text(literal: String?, key: JSONValue?, arguments: JSONValue?) -> String {
    if let literal, !literal.isEmpty { return literal }
    guard let key = key?.string, !key.isEmpty else { return "" }
    let texts = arguments?.array?.map { $0.string ?? $0.number?.literal ?? "" }
    return text(forKey: key, arguments: texts ?? [])
  }
}

/// An app without texts: every key shows itself.
package struct NoStrings: LocalizedStrings {
  /// Makes an empty set of texts.
  package init() {}

  /// Returns nil for every key.
  package func format(forKey key: String) -> String? { nil }
}

/// A text with places for arguments: `%@`, `%n$@` and `%%`.
private struct TextFormat {
  /// The most bytes that arguments may add, so a format that repeats one cannot grow without bound.
  static let maximumAddedSize = 65_536

  private let format: [UInt8]

  init(_ format: String) {
    self.format = Array(format.utf8)
  }

  /// The text with its arguments filled in; specifiers inside an argument are ignored.
  func filled(with arguments: [String]) -> String {
    var text: [UInt8] = []
    var index = 0
    var inOrder = 0
    var room = Self.maximumAddedSize
    while index < format.count {
      guard let specifier = specifier(at: index) else {
        text.append(format[index])
        index += 1
        continue
      }
      if let position = specifier.position(inOrder: &inOrder) {
        if arguments.indices.contains(position), arguments[position].utf8.count <= room {
          room -= arguments[position].utf8.count
          text += arguments[position].utf8
        } else {
          text += format[index..<specifier.end]
        }
      } else {
        text.append(UInt8(ascii: "%"))
      }
      index = specifier.end
    }
    return String(decoding: text, as: UTF8.self)
  }

  private struct Specifier {
    enum Kind { case percent, next, numbered(Int) }

    let kind: Kind
    let end: Int

    /// The argument's index; nil for a percent sign.
    func position(inOrder: inout Int) -> Int? {
      switch kind {
      case .percent: return nil
      case .numbered(let number): return number - 1
      case .next:
        inOrder += 1
        return inOrder - 1
      }
    }
  }

  /// The specifier that starts at a percent sign; nil for another byte, or a specifier that strings do not fill.
  private func specifier(at start: Int) -> Specifier? {
    guard format[start] == UInt8(ascii: "%"), start + 1 < format.count else { return nil }
    switch format[start + 1] {
    case UInt8(ascii: "%"): return Specifier(kind: .percent, end: start + 2)
    case UInt8(ascii: "@"): return Specifier(kind: .next, end: start + 2)
    default: return numbered(at: start)
    }
  }

  private func numbered(at start: Int) -> Specifier? {
    let digits = format[(start + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard format[digits.endIndex...].starts(with: "$@".utf8),
      // `nil` if it is not a number, or does not fit in 64 bits.
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return Specifier(kind: .numbered(number), end: digits.endIndex + 2)
  }
}
