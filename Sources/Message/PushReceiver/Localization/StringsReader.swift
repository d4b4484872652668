/// Reads the text form of a `.strings` file, which is an old-style property list of strings.
struct StringsReader {
  private let units: [UInt16]
  private var offset = 0

  init(units: [UInt16]) {
    self.units = units
  }

  /// Reads the whole file.
  mutating func readTable() throws(StringTableError) -> StringTable {
    var table = StringTable()
    try skipSpace()
    guard peek() != UInt16(ascii: "<") else { throw .xmlPropertyList }
    let start = offset
    let isWrapped = take("{")
    try skipSpace()
    while offset < units.count {
      if isWrapped, take("}") {
        try skipSpace()
        guard offset == units.count else { throw .unexpectedCharacter(line: line(at: offset)) }
        return table
      }
      try readEntry(into: &table)
      try skipSpace()
    }
    guard !isWrapped else { throw .unexpectedEnd(line: line(at: start)) }
    return table
  }

  private mutating func readEntry(into table: inout StringTable) throws(StringTableError) {
    let start = offset
    let key = try readText()
    var text = key
    var end = offset
    try skipSpace()
    if take("=") {
      try skipSpace()
      guard offset < units.count else { throw .unexpectedEnd(line: line(at: start)) }
      text = try readText()
      end = offset
      try skipSpace()
    } else if offset < units.count, peek() != UInt16(ascii: ";") {
      throw .unexpectedCharacter(line: line(at: offset))
    }
    guard take(";") else { throw .missingSemicolon(line: line(at: end)) }
    try table.add(text, forKey: key)
  }

  /// The next unit, not consumed; nil at the end.
  private func peek() -> UInt16? {
    offset < units.count ? units[offset] : nil
  }

  /// Skips one character if it is next.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt16(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// The number of the line that a unit is on; CR LF ends one line.
  private func line(at end: Int) -> Int {
    var line = 1
    for index in 0..<end {
      let isPair = units[index] == 0x0D && index + 1 < units.count && units[index + 1] == 0x0A
      if Self.isLineEnd(units[index]), !isPair { line += 1 }
    }
    return line
  }

  private mutating func skipSpace() throws(StringTableError) {
    while let unit = peek() {
      switch unit {
      case 0x09...0x0D, 0x20, 0x2028, 0x2029: offset += 1
      case UInt16(ascii: "/"): guard try skipComment() else { return }
      default: return
      }
    }
  }

  /// Skips a comment; returns false if the slash begins a text instead.
  private mutating func skipComment() throws(StringTableError) -> Bool {
    let start = offset
    switch start + 1 < units.count ? units[start + 1] : 0 {
    case UInt16(ascii: "/"):
      while let unit = peek(), !Self.isLineEnd(unit) { offset += 1 }
    case UInt16(ascii: "*"):
      offset += 2
      // A comment without an end would hide every entry after it.
      while !units[offset...].starts(with: "*/".utf16) {
        guard offset < units.count else { throw .unexpectedEnd(line: line(at: start)) }
        offset += 1
      }
      offset += 2
    default: return false
    }
    return true
  }

  private static func isLineEnd(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x0A, 0x0D, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension UInt16 {
  /// The unit of an ASCII character.
  fileprivate init(ascii character: Unicode.Scalar) {
    self = UInt16(UInt8(ascii: character))
  }
}

extension StringsReader {
  /// Reads a key or a text, with quotes or without.
  private mutating func readText() throws(StringTableError) -> String {
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

  /// Reads the rest of an escape after the backslash; there is at least one unit.
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
      // Larger values are not ASCII, but characters of NEXTSTEP's encoding.
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
    while offset < start + count, let unit = peek(), let digit = Self.digit(of: unit), digit < radix {
      value = value * radix + digit
      offset += 1
    }
    guard offset > start, value <= limit else { throw .invalidEscape(line: line(at: escape)) }
    return UInt16(value)
  }

  private static func digit(of unit: UInt16) -> UInt32? {
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

extension StringsReader {
  /// The UTF-16 units of a file in UTF-8 or UTF-16, without a byte order mark.
  ///
  /// A file without a mark is UTF-16 if one of its first two bytes is zero: it begins with a character of
  /// ASCII. Half a surrogate pair becomes U+FFFD later, as in Foundation.
  static func units(of file: [UInt8]) throws(StringTableError) -> [UInt16] {
    guard file.count >= 2 else { return try units(ofUTF8: file[...]) }
    switch (file[0], file[1]) {
    case (0xFE, 0xFF): return try units(ofUTF16: file[2...], isBigEndian: true)
    case (0xFF, 0xFE): return try units(ofUTF16: file[2...], isBigEndian: false)
    case (0, _): return try units(ofUTF16: file[...], isBigEndian: true)
    case (_, 0): return try units(ofUTF16: file[...], isBigEndian: false)
    case (0xEF, 0xBB) where file.count > 2 && file[2] == 0xBF: return try units(ofUTF8: file[3...])
    default: return try units(ofUTF8: file[...])
    }
  }

  private static func units(ofUTF8 bytes: ArraySlice<UInt8>) throws(StringTableError) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    var input = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded): units += Unicode.UTF8.decode(encoded).utf16
      case .emptyInput: return units
      case .error: throw .invalidText(line: lastLine(of: units))
      }
    }
  }

  /// The units of bytes in UTF-16 without a mark.
  static func units(
    ofUTF16 bytes: ArraySlice<UInt8>, isBigEndian: Bool
  ) throws(StringTableError) -> [UInt16] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    guard bytes.count.isMultiple(of: 2) else { throw .invalidText(line: lastLine(of: units)) }
    return units
  }

  private static func lastLine(of units: [UInt16]) -> Int {
    StringsReader(units: units).line(at: units.count)
  }
}
