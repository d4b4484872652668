/// Hexadecimal digits as ASCII bytes.
package enum HexDigit {
  /// The lowercase digit of a value from 0 to 15.
  package static func of(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The value of a digit in either case; nil for any other byte.
  package static func value(of digit: UInt8) -> UInt8? {
    let number = digit &- UInt8(ascii: "0")
    if number < 10 { return number }
    // Setting one bit makes a letter lowercase.
    let letter = (digit | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : nil
  }

  /// Bytes as lowercase digits.
  package static func text(of bytes: [UInt8]) -> String {
    unsafe String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (index, byte) in bytes.enumerated() {
        unsafe text[2 * index] = of(byte >> 4)
        unsafe text[2 * index + 1] = of(byte & 0x0f)
      }
      return 2 * bytes.count
    }
  }
}
