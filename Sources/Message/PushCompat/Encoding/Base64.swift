internal import PushCrypto
internal import PushCore

/// Base64 in the standard alphabet with padding (RFC 4648, 4), in its one canonical form.
enum StandardBase64 {
  /// Decodes ASCII text; `nil` for anything that the encoder would not have written.
  ///
  /// It is safe for secrets: the time does not depend on which characters of the alphabet the text has.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    var paddingCount = 0
    while paddingCount < 2, paddingCount < text.count, text[text.count - 1 - paddingCount] == padding {
      paddingCount += 1
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (pending, bitCount) = (UInt32(0), UInt32(0))
    for index in 0..<text.count - paddingCount {
      guard let value = sixBits(of: text[index]) else { return nil }
      pending = pending << 6 | value
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> bitCount))
      pending &= (1 << bitCount) - 1
    }
    return pending == 0 ? bytes : nil
  }

  /// Decodes text that may have white space between groups of four characters and at the end, as `openssl enc -a`
  /// writes it in lines of 64 and others in lines of 76.
  static func decodeLines(_ text: Span<UInt8>) -> [UInt8]? {
    var characters: [UInt8] = []
    characters.reserveCapacity(text.count)
    for index in text.indices {
      guard isWhiteSpace(text[index]) else {
        characters.append(text[index])
        continue
      }
      guard characters.count.isMultiple(of: 4) else { return nil }
    }
    return decode(characters.span)
  }

  /// Encodes bytes as a string, on one line.
  static func text(of bytes: Span<UInt8>) -> String { String(decoding: encode(bytes), as: UTF8.self) }

  /// Encodes bytes as ASCII, on one line.
  ///
  /// The caller wipes the result if it is secret.
  static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (pending, bitCount) = (UInt32(0), UInt32(0))
    for index in bytes.indices {
      pending = pending << 8 | UInt32(bytes[index])
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        text.append(character(of: pending >> bitCount & 0x3f))
      }
    }
    if bitCount > 0 { text.append(character(of: pending << (6 - bitCount) & 0x3f)) }
    while !text.count.isMultiple(of: 4) { text.append(padding) }
    return text
  }

  private static let padding = UInt8(ascii: "=")

  private static func isWhiteSpace(_ character: UInt8) -> Bool {
    [UInt8(ascii: " "), 0x09, 0x0a, 0x0d].contains(character)
  }

  /// The six bits of a character, `nil` for any other, without a table.
  private static func sixBits(of character: UInt8) -> UInt32? {
    let code = Int32(character)
    let value =
      between(65, and: 90, value: code) & (code - 64) | between(97, and: 122, value: code) & (code - 70)
      | between(48, and: 57, value: code) & (code + 5) | between(43, and: 43, value: code) & 63 | between(
        47, and: 47, value: code) & 64
    return value == 0 ? nil : UInt32(value - 1)
  }

  /// The character of six bits, without a table.
  private static func character(of value: UInt32) -> UInt8 {
    let value = Int32(value)
    let code =
      between(0, and: 25, value: value) & (value + 65) | between(26, and: 51, value: value) & (value + 71)
      | between(52, and: 61, value: value) & (value - 4) | between(62, and: 62, value: value) & 43 | between(
        63, and: 63, value: value) & 47
    return UInt8(truncatingIfNeeded: code)
  }

  /// All ones if `value` is between the bounds, inclusive; otherwise zero.
  private static func between(_ low: Int32, and high: Int32, value: Int32) -> Int32 {
    ~((value - low) >> 31) & ~((high - value) >> 31)
  }
}

extension Base64URL {
  /// Decodes text that has either all of its padding or none.
  static func decodePadded(_ text: Span<UInt8>) -> [UInt8]? {
    try? decode(text.extracting(first: unpaddedCount(of: text)))
  }

  /// Decodes a secret of `count` bytes from text that has either all of its padding or none; `nil` for any other text.
  ///
  /// No copy of the secret is left behind.
  static func secret(from text: Span<UInt8>, count: Int) -> Secret? {
    let size = unpaddedCount(of: text)
    guard size == encodedSize(of: count) else { return nil }
    var isCanonical = true
    let secret = Secret(count: count) { bytes in
      var position = 0
      do {
        try decode(text.extracting(first: size)) { byte in
          bytes[position] = byte
          position += 1
        }
      } catch {
        isCanonical = false
      }
    }
    guard isCanonical else { return nil }
    return secret
  }

  /// The number of characters before the padding.
  private static func unpaddedCount(of text: Span<UInt8>) -> Int {
    var count = text.count
    guard count.isMultiple(of: 4) else { return count }
    while count > max(0, text.count - 2), text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    return count
  }
}
