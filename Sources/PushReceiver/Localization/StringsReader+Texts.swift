extension StringsReader {
  /// Reads a key or a text, with quotes or without.
  mutating func readText() throws(StringTableError) -> String {
    let start = offset
    if let quote = peek(), quote == UInt16(ascii: "\"") || quote == UInt16(ascii: "'") {
      offset += 1
      return try readQuoted(to: quote, from: start)
    }
    while let unit = peek(), Self.isUnquoted(unit) { offset += 1 }
    guard offset > start else { throw .unexpectedCharacter(line: line(at: start)) }
    return String(decoding: units[start..<offset], as: UTF16.self)
  }

  private mutating func readQuoted(to quote: UInt16, from start: Int) throws(StringTableError) -> String {
    var text: [UInt16] = []
    while let unit = peek() {
      offset += 1
      switch unit {
      case quote: return String(decoding: text, as: UTF16.self)
      case UInt16(ascii: "\\"):
        guard offset < units.count else { throw .unexpectedEnd(line: line(at: start)) }
        text.append(try readEscape())
      default: text.append(unit)
      }
    }
    throw .unexpectedEnd(line: line(at: start))
  }

  /// Reads what follows a backslash, of which there is at least one unit.
  private mutating func readEscape() throws(StringTableError) -> UInt16 {
    let start = offset
    let unit = units[start]
    offset += 1
    switch unit {
    case UInt16(ascii: "n"): return 0x0A
    case UInt16(ascii: "t"): return 0x09
    case UInt16(ascii: "r"): return 0x0D
    case UInt16(ascii: "U"):
      return try readDigits(radix: 16, atMost: 4, limit: .max, escape: start)
    case UInt16(ascii: "0")...UInt16(ascii: "7"):
      offset = start
      // Above, it is no ASCII: a character of NEXTSTEP's encoding.
      return try readDigits(radix: 8, atMost: 3, limit: 0x7F, escape: start)
    case _ where Self.isLetterOrDigit(unit): throw .invalidEscape(line: line(at: start))
    default: return unit
    }
  }

  private mutating func readDigits(
    radix: UInt32, atMost count: Int, limit: UInt16, escape: Int
  ) throws(StringTableError) -> UInt16 {
    let start = offset
    var value: UInt32 = 0
    while offset < start + count, let unit = peek(), let digit = Self.digit(unit), digit < radix {
      value = value * radix + digit
      offset += 1
    }
    guard offset > start, value <= limit else { throw .invalidEscape(line: line(at: escape)) }
    return UInt16(value)
  }

  private static func digit(_ unit: UInt16) -> UInt32? {
    switch unit {
    case UInt16(ascii: "0")...UInt16(ascii: "9"): UInt32(unit - UInt16(ascii: "0"))
    case UInt16(ascii: "a")...UInt16(ascii: "f"): UInt32(unit - UInt16(ascii: "a") + 10)
    case UInt16(ascii: "A")...UInt16(ascii: "F"): UInt32(unit - UInt16(ascii: "A") + 10)
    default: nil
    }
  }

  private static func isLetterOrDigit(_ unit: UInt16) -> Bool {
    switch unit {
    case UInt16(ascii: "0")...UInt16(ascii: "9"), UInt16(ascii: "A")...UInt16(ascii: "Z"),
      UInt16(ascii: "a")...UInt16(ascii: "z"):
      true
    default: false
    }
  }

  private static func isUnquoted(_ unit: UInt16) -> Bool {
    switch unit {
    case UInt16(ascii: "_"), UInt16(ascii: "."), UInt16(ascii: "$"), UInt16(ascii: "/"), UInt16(ascii: ":"),
      UInt16(ascii: "-"):
      true
    default: isLetterOrDigit(unit)
    }
  }
}
