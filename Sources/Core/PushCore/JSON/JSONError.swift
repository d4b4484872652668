/// Why bytes are not the expected JSON, and at which byte.
///
/// The error contains nothing from the input, so it may be logged.
public struct JSONError: Error, Hashable, Sendable {
  /// Why the JSON is not valid.
  ///
  /// The raw values are stable: logs and other programs may rely on them.
  public enum Reason: String, Sendable, CaseIterable {
    /// The input ends inside a value, or is empty.
    case unexpectedEnd = "unexpected-end"
    /// A byte that the grammar does not allow here, such as a comma before a closing bracket.
    case unexpectedByte = "unexpected-byte"
    /// The value is followed by something other than white space.
    case trailingBytes = "trailing-bytes"
    /// The input starts with the byte order mark of UTF-8 or UTF-16.
    case byteOrderMark = "byte-order-mark"
    /// A string or key is not well-formed UTF-8: a stray or missing byte, an overlong form, a surrogate, or a code
    /// point above U+10FFFF.
    case invalidUTF8 = "invalid-utf8"
    /// A string or key has an unescaped control character (below U+0020).
    case controlCharacter = "control-character"
    /// A backslash does not start a valid escape.
    case invalidEscape = "invalid-escape"
    /// A `\u` escape is half of a surrogate pair without the other half.
    case loneSurrogate = "lone-surrogate"
    /// A number breaks the grammar, for example by a leading zero or a missing digit after the decimal point.
    case invalidNumber = "invalid-number"
    /// An object has the same key twice, compared after unescaping.
    case duplicateKey = "duplicate-key"
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep = "too-deep"
    /// An object was expected, but the value has another type.
    case notAnObject = "not-an-object"
    /// An array was expected, but the value has another type.
    case notAnArray = "not-an-array"
    /// A string was expected, but the value has another type.
    case notAString = "not-a-string"
  }

  /// Why the JSON is not valid.
  public let reason: Reason

  /// The offset of the first invalid byte, from 0.
  public let offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError {
  /// The line and column of the first invalid byte in `text`, which must be the bytes that were parsed.
  package func position(in text: Span<UInt8>) -> JSONPosition {
    var position = JSONPosition(line: 1, column: 1)
    for index in 0..<min(max(offset, 0), text.count) {
      switch text[index] {
      case UInt8(ascii: "\n"): position = JSONPosition(line: position.line + 1, column: 1)
      // Continuation bytes belong to the character before them.
      case 0x80..<0xc0: continue
      default: position.column += 1
      }
    }
    return position
  }
}

/// A place in a text of several lines, counted as editors do.
package struct JSONPosition: Hashable, Sendable {
  /// The line, from 1; lines end with a line feed.
  package fileprivate(set) var line: Int

  /// The character in the line (Unicode scalars), from 1.
  package fileprivate(set) var column: Int
}

extension JSONPosition: CustomStringConvertible {
  /// The line and the column, such as `line 3, column 7`.
  package var description: String { "line \(line), column \(column)" }
}

extension JSONError: CustomStringConvertible {
  /// The reason and the offset, such as `duplicate-key at byte 12`.
  public var description: String {
    "\(reason.rawValue) at byte \(offset)"
  }
}
