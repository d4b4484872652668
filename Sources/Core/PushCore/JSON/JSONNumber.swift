/// A JSON number, stored as its text.
///
/// Nothing is rounded: `12345678901234567890` and `1.10` are written as they were read. Two numbers are equal if their
/// texts are equal; `1` and `1.0` are not.
public struct JSONNumber: Sendable, Equatable {
  /// The number's text, which always matches the grammar of RFC 8259, section 6.
  public let literal: String

  /// Takes the text of a number; nil if it does not match the grammar of RFC 8259, section 6.
  public init?(literal: String) {
    let bytes = Array(literal.utf8)
    guard let end = try? NumberGrammar.end(of: bytes.span, from: 0), end == bytes.count else { return nil }
    self.literal = literal
  }

  /// Makes a number from a 64-bit integer, in decimal.
  public init(_ value: Int64) {
    literal = String(value)
  }

  /// Makes a number from an integer, in decimal.
  public init(_ value: Int) {
    literal = String(value)
  }

  /// Makes a number from a double, with the fewest digits that read back as the same double.
  ///
  /// A whole number keeps its decimal point (`1.0`). Nil for an infinity or NaN, which JSON does not have.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    literal = value.description
  }

  /// Takes text that is known to match the grammar.
  init(validated literal: String) {
    self.literal = literal
  }

  /// The value, if it is written as an integer and fits a signed 64-bit integer.
  ///
  /// Nil for any number with a fraction or an exponent, even `3.0` and `1e2`, and for `-0`.
  public var integer: Int64? {
    literal == "-0" ? nil : Int64(literal)
  }

  /// The nearest double.
  ///
  /// Nil if the number is too large for a double, or if it is not zero but rounds to zero.
  public var double: Double? { nearest(Double.self) }

  /// The nearest value of a floating-point type.
  ///
  /// Nil if the number is too large for the type, or if it is not zero but rounds to zero.
  func nearest<Value: BinaryFloatingPoint & LosslessStringConvertible>(_: Value.Type) -> Value? {
    guard let value = Value(literal), value.isFinite else { return nil }
    return value == 0 && hasNonzeroDigit ? nil : value
  }

  private var hasNonzeroDigit: Bool {
    let significand = literal.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    return significand.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
  }
}

/// The grammar of a JSON number (RFC 8259, section 6).
enum NumberGrammar {
  /// Finds the end of the longest number that starts at an offset.
  ///
  /// Throws `unexpectedEnd` if the input ends where a digit is required, `invalidNumber` if another byte is there or
  /// if a digit follows a leading zero.
  static func end(of bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var offset = start
    if has(UInt8(ascii: "-"), in: bytes, at: offset) {
      offset += 1
    }
    // int = zero / ( digit1-9 *DIGIT )
    let isZero = has(UInt8(ascii: "0"), in: bytes, at: offset)
    let end = try endOfDigits(in: bytes, from: offset)
    guard !isZero || end == offset + 1 else { throw JSONError(.invalidNumber, at: offset + 1) }
    offset = end
    // frac = decimal-point 1*DIGIT
    if has(UInt8(ascii: "."), in: bytes, at: offset) {
      offset = try endOfDigits(in: bytes, from: offset + 1)
    }
    // exp = e [ minus / plus ] 1*DIGIT
    if has(UInt8(ascii: "e"), in: bytes, at: offset) || has(UInt8(ascii: "E"), in: bytes, at: offset) {
      offset += 1
      if has(UInt8(ascii: "+"), in: bytes, at: offset) || has(UInt8(ascii: "-"), in: bytes, at: offset) {
        offset += 1
      }
      offset = try endOfDigits(in: bytes, from: offset)
    }
    return offset
  }

  private static func has(_ byte: UInt8, in bytes: Span<UInt8>, at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == byte
  }

  private static func endOfDigits(in bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var offset = start
    while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
      offset += 1
    }
    guard offset > start else {
      throw JSONError(offset == bytes.count ? .unexpectedEnd : .invalidNumber, at: offset)
    }
    return offset
  }
}
