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
    StringsReader(units).line(at: units.count)
  }
}
