/// Base64url without padding (RFC 4648, 5), in its one canonical form.
public enum Base64URL {
  /// Encodes `bytes`; the result has ceil(4 n / 3) characters.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(encodedSize(of: bytes.count))
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the encoding of `bytes` to `text`, whose capacity the caller reserved if the bytes are secret.
  package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    encode(bytes) { text.append($0) }
  }

  /// The number of characters that `count` bytes take.
  public static func encodedSize(of count: Int) -> Int { (4 * count + 2) / 3 }

  /// Decodes `text`.
  ///
  /// - Throws: ``Base64URLError``, naming the first thing that is wrong: a padding character, a character of
  ///   another alphabet, an impossible length, or bits after the last byte that are not zero.
  public static func decode(_ text: String) throws(Base64URLError) -> [UInt8] {
    var text = text
    text.makeContiguousUTF8()
    return try decode(text.utf8Span.span)
  }

  /// Decodes ASCII `text`, as ``decode(_:)-(String)``.
  ///
  /// - Throws: ``Base64URLError``.
  package static func decode(_ text: Span<UInt8>) throws(Base64URLError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * text.count / 4)
    try decode(text) { bytes.append($0) }
    return bytes
  }

  /// Decodes ASCII `text`, handing over byte after byte.
  ///
  /// - Throws: ``Base64URLError``, after bytes that must then be thrown away.
  package static func decode(_ text: Span<UInt8>, _ yield: (UInt8) -> Void) throws(Base64URLError) {
    var pending: UInt32 = 0
    var bitCount = 0
    for index in text.indices {
      guard let value = value(of: text[index]) else {
        throw Base64URLError(reason: .init(character: text[index]), offset: index)
      }
      pending = pending << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      yield(UInt8(truncatingIfNeeded: pending >> UInt32(bitCount)))
      pending &= (1 << UInt32(bitCount)) - 1
    }
    guard bitCount < 6 else { throw Base64URLError(reason: .impossibleLength, offset: text.count) }
    guard pending == 0 else { throw Base64URLError(reason: .trailingBits, offset: text.count - 1) }
  }

  private static func encode(_ bytes: Span<UInt8>, _ yield: (UInt8) -> Void) {
    var pending: UInt32 = 0
    var bitCount: UInt32 = 0
    for index in bytes.indices {
      pending = pending << 8 | UInt32(bytes[index])
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        yield(character(of: UInt8(truncatingIfNeeded: pending >> bitCount & 0x3f)))
      }
      pending &= (1 << bitCount) - 1
    }
    if bitCount > 0 { yield(character(of: UInt8(truncatingIfNeeded: pending << (6 - bitCount)))) }
  }

  private static func character(of value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
