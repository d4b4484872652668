extension JSONReader {
  /// Reads the escape that starts at the offset, with both halves of a surrogate pair.
  mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
    let letter = bytes[start + 1]
    offset += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readCodePoint(ofEscapeAt: start)
    default: throw JSONError(.invalidEscape, at: start)
    }
  }

  private mutating func readCodePoint(ofEscapeAt start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try readFourDigits()
    if let scalar = Unicode.Scalar(first) {
      return scalar
    }
    // RFC 8259, 7: beyond the basic plane, a pair of escapes that are UTF-16 surrogates.
    guard (0xD800..<0xDC00).contains(first), isUnicodeEscape(at: offset) else {
      throw JSONError(.loneSurrogate, at: start)
    }
    offset += 2
    let second = try readFourDigits()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(.loneSurrogate, at: start) }
    return scalar
  }

  private func isUnicodeEscape(at position: Int) -> Bool {
    position + 1 < bytes.count
      && bytes[position] == UInt8(ascii: "\\") && bytes[position + 1] == UInt8(ascii: "u")
  }

  private mutating func readFourDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: throw JSONError(.invalidEscape, at: offset)
      }
      offset += 1
    }
    return value
  }
}
