extension JSONReader {
  /// Reads a string, unescaped.
  ///
  /// Throws `notAString` if another type is next.
  package mutating func readString() throws(JSONError) -> String {
    try beginString()
    let start = offset
    try skipPlainText()
    guard bytes[offset] == UInt8(ascii: "\"") else { return try readEscapedText(from: start) }
    defer { offset += 1 }
    return text(in: start..<offset)
  }

  /// Reads a string from its first escape, which is next; the plain text before it begins at `start`.
  private mutating func readEscapedText(from start: Int) throws(JSONError) -> String {
    var (text, start) = ([UInt8](), start)
    while bytes[offset] != UInt8(ascii: "\"") {
      append(start..<offset, to: &text)
      text.append(contentsOf: try readEscape().utf8)
      start = offset
      try skipPlainText()
    }
    append(start..<offset, to: &text)
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a string and passes its unescaped bytes to `yield`, one by one, without leaving a copy in memory.
  ///
  /// Throws `notAString` if another type is next. After any other error the caller must discard the bytes it received.
  package mutating func readString(to yield: (UInt8) -> Void) throws(JSONError) {
    try beginString()
    while true {
      let start = offset
      try skipPlainText()
      for position in start..<offset { yield(bytes[position]) }
      if bytes[offset] == UInt8(ascii: "\"") {
        offset += 1
        return
      }
      for byte in UTF8.encode(try readEscape()) ?? .init() { yield(byte) }
    }
  }

  /// Reads a string without escapes, and returns the range of its contents in the input.
  ///
  /// A secret in base64url can be decoded in place, without leaving a copy in memory. Throws `notAString` if another
  /// type is next, `unexpectedByte` at the first escape.
  package mutating func readSimpleStringRange() throws(JSONError) -> Range<Int> {
    try beginString()
    let start = offset
    try skipPlainText()
    guard bytes[offset] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: offset) }
    offset += 1
    return start..<(offset - 1)
  }

  /// A part of the input, which is valid UTF-8.
  func text(in range: Range<Int>) -> String {
    unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  private func append(_ range: Range<Int>, to text: inout [UInt8]) {
    unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
  }

  private mutating func beginString() throws(JSONError) {
    let byte = try peek()
    guard byte == UInt8(ascii: "\"") else { throw refusal(of: byte, otherwise: .notAString) }
    offset += 1
  }

  /// Moves to the closing quotation mark or the next backslash, and checks that the text before it is valid UTF-8.
  private mutating func skipPlainText() throws(JSONError) {
    while true {
      skipPlainWords()
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
      switch bytes[offset] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return
      case 0x00..<0x20: throw JSONError(.controlCharacter, at: offset)
      case 0x20..<0x80: offset += 1
      default: offset += try sequenceLength()
      }
    }
  }

  /// Moves to the next byte that is not plain ASCII, eight bytes at a time; stops before the input's last seven bytes.
  private mutating func skipPlainWords() {
    var position = offset
    let words = unsafe bytes.bytes
    while position + 8 <= words.byteCount {
      let word = unsafe words.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let others = Self.othersThanPlainASCII(in: UInt64(littleEndian: word))
      guard others == 0 else {
        position += others.trailingZeroBitCount / 8
        break
      }
      position += 8
    }
    offset = position
  }

  /// Marks each of eight bytes that ends a string, must be escaped, or is not ASCII, by its high bit.
  ///
  /// Only the lowest mark is reliable, because a subtraction may borrow from the bytes above it. Zero: no such byte.
  private static func othersThanPlainASCII(in bytes: UInt64) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    let quotationMarks = bytes ^ each * UInt64(UInt8(ascii: "\""))
    let solidi = bytes ^ each * UInt64(UInt8(ascii: "\\"))
    return (bytes | (bytes &- each * 0x20) | (quotationMarks &- each) | (solidi &- each)) & (each * 0x80)
  }

  /// The length of the UTF-8 sequence of two to four bytes that starts at the offset.
  private func sequenceLength() throws(JSONError) -> Int {
    // Unicode, table 3-7: the second byte's range excludes overlong forms, surrogates and values above U+10FFFF.
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch bytes[offset] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: throw JSONError(.invalidUTF8, at: offset)
      }
    for position in 1..<length {
      let allowed = position == 1 ? second : 0x80...0xBF
      guard offset + position < bytes.count, allowed.contains(bytes[offset + position]) else {
        throw JSONError(.invalidUTF8, at: offset)
      }
    }
    return length
  }

  /// Reads the escape that starts at the offset, with both halves of a surrogate pair.
  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
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
