/// The grammar of a JSON number (RFC 8259, section 6).
enum NumberGrammar {
  /// Finds the offset after the longest number that starts at an offset.
  ///
  /// Throws `unexpectedEnd` if the input ends where a digit must be, `invalidNumber` if something else stands
  /// there or a digit follows a leading zero.
  static func end(of bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
    var offset = start
    if has(UInt8(ascii: "-"), in: bytes, at: offset) {
      offset += 1
    }
    // int = zero / ( digit1-9 *DIGIT )
    let isZero = has(UInt8(ascii: "0"), in: bytes, at: offset)
    let end = try endOfDigits(bytes, from: offset)
    guard !isZero || end == offset + 1 else { throw JSONError(.invalidNumber, at: offset + 1) }
    offset = end
    // frac = decimal-point 1*DIGIT
    if has(UInt8(ascii: "."), in: bytes, at: offset) {
      offset = try endOfDigits(bytes, from: offset + 1)
    }
    // exp = e [ minus / plus ] 1*DIGIT
    if has(UInt8(ascii: "e"), in: bytes, at: offset) || has(UInt8(ascii: "E"), in: bytes, at: offset) {
      offset += 1
      if has(UInt8(ascii: "+"), in: bytes, at: offset) || has(UInt8(ascii: "-"), in: bytes, at: offset) {
        offset += 1
      }
      offset = try endOfDigits(bytes, from: offset)
    }
    return offset
  }

  private static func has(_ byte: UInt8, in bytes: Span<UInt8>, at offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == byte
  }

  private static func endOfDigits(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> Int {
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
