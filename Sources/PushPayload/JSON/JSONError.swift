/// Why bytes are not the JSON that was asked for, and where.
///
/// It says nothing of the content, so it may be logged.
public struct JSONError: Error, Equatable, Sendable {
  /// What is wrong.
  ///
  /// The raw values are stable: logs and other programs may rely on them.
  public enum Reason: String, Sendable, CaseIterable {
    /// The input ends inside a value, or there is none.
    case unexpectedEnd = "unexpected-end"
    /// A byte that the grammar does not allow here, such as a comma before a closing bracket.
    case unexpectedByte = "unexpected-byte"
    /// Something other than white space follows the value.
    case trailingBytes = "trailing-bytes"
    /// The input starts with the byte order mark of UTF-8 or UTF-16.
    case byteOrderMark = "byte-order-mark"
    /// A string or key is not well-formed UTF-8: a stray, overlong or missing byte, a surrogate, or a value
    /// above U+10FFFF.
    case invalidUTF8 = "invalid-utf8"
    /// A control character (below U+0020) stands unescaped in a string or key.
    case controlCharacter = "control-character"
    /// A backslash is followed by something that is no escape.
    case invalidEscape = "invalid-escape"
    /// A `\u` escape names half of a surrogate pair and the other half does not follow.
    case loneSurrogate = "lone-surrogate"
    /// A number breaks the grammar, such as one with a leading zero or without a digit after the point.
    case invalidNumber = "invalid-number"
    /// An object has the same key twice, compared after unescaping.
    case duplicateKey = "duplicate-key"
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep = "too-deep"
    /// An object was asked for, and another type is there.
    case notAnObject = "not-an-object"
    /// An array was asked for, and another type is there.
    case notAnArray = "not-an-array"
    /// A string was asked for, and another type is there.
    case notAString = "not-a-string"
  }

  /// What is wrong.
  public let reason: Reason

  /// The place of the first byte that is wrong, in bytes from the start of the input.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  /// The reason and the offset, such as `duplicate-key at byte 12`.
  public var description: String {
    "\(reason.rawValue) at byte \(offset)"
  }
}
