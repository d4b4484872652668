/// Finds what must be escaped in a string.
enum EscapeScan {
  /// The position of the first byte at or after `start` that must be escaped; null if there is none.
  @unsafe
  static func firstEscaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let words = UnsafeRawBufferPointer(bytes)
    var position = start
    while position + 8 <= bytes.count,
      !hasEscaped(unsafe words.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    { position += 8 }
    while position < bytes.count {
      if mustBeEscaped(unsafe bytes[position]) { return position }
      position += 1
    }
    return nil
  }

  /// Whether a text has a byte 0.
  static func hasNUL(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var position = 0
      // A zero is among what must be escaped, and almost nothing is.
      while let escaped = unsafe firstEscaped(in: bytes, from: position) {
        if unsafe bytes[escaped] == 0 { return true }
        position = escaped + 1
      }
      return false
    }
  }

  // RFC 8259, 7: only the quotation mark, the reverse solidus and the control characters must be escaped.
  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes must be escaped.
  private static func hasEscaped(_ bytes: UInt64) -> Bool {
    let quotationMarks = bytes ^ each * UInt64(UInt8(ascii: "\""))
    let solidi = bytes ^ each * UInt64(UInt8(ascii: "\\"))
    return hasByte(below: 0x20, bytes) || hasByte(below: 1, quotationMarks) || hasByte(below: 1, solidi)
  }

  /// Whether one of eight bytes is below `bound`, at most 0x80.
  ///
  /// The subtraction sets the high bit of the lowest such byte, and of no byte when there is none but of those
  /// that had it.
  private static func hasByte(below bound: UInt64, _ bytes: UInt64) -> Bool {
    (bytes &- each * bound) & ~bytes & (each * 0x80) != 0
  }

  /// 1 in each of eight bytes.
  private static let each: UInt64 = 0x0101_0101_0101_0101
}
