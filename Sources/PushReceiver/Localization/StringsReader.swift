/// Reads the text form of a `.strings` file, which is an old-style property list of strings.
struct StringsReader {
  let units: [UInt16]
  var offset = 0

  init(_ units: [UInt16]) {
    self.units = units
  }

  /// Reads everything.
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

  /// The next unit, not consumed; null at the end.
  func peek() -> UInt16? {
    offset < units.count ? units[offset] : nil
  }

  /// Moves past one character if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt16(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// The number of the line that a unit is on; CR LF ends one line.
  func line(at end: Int) -> Int {
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

  /// Moves past a comment; false if the slash begins a text instead.
  private mutating func skipComment() throws(StringTableError) -> Bool {
    let start = offset
    switch start + 1 < units.count ? units[start + 1] : 0 {
    case UInt16(ascii: "/"):
      while let unit = peek(), !Self.isLineEnd(unit) { offset += 1 }
    case UInt16(ascii: "*"):
      offset += 2
      // A comment that does not end would hide every entry behind it.
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
  init(ascii character: Unicode.Scalar) {
    self = UInt16(UInt8(ascii: character))
  }
}
