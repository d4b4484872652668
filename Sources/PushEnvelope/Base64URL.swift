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
    var index = 0
    while index + 2 < bytes.count {
      let group = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      append(group, 4, to: &text)
      index += 3
    }
    switch bytes.count - index {
    case 1: append(UInt32(bytes[index]) << 16, 2, to: &text)
    case 2: append(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3, to: &text)
    default: break
    }
  }

  /// The number of characters that `count` bytes take.
  public static func encodedSize(of count: Int) -> Int { (4 * count + 2) / 3 }

  /// Decodes `text`.
  ///
  /// - Throws: ``Base64URLError``, naming the first thing that is wrong: a padding character, a character of
  ///   another alphabet, an impossible length, or bits after the last byte that are not zero.
  public static func decode(_ text: String) throws(Base64URLError) -> [UInt8] {
    let bytes = Array(text.utf8)
    return try decode(bytes.span)
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

  /// Appends the first `count` of a group's four characters.
  private static func append(_ group: UInt32, _ count: UInt32, to text: inout [UInt8]) {
    for position in 0..<count {
      text.append(character(of: UInt8(truncatingIfNeeded: group >> (18 - 6 * position)) & 0x3f))
    }
  }

  /// The character of six bits, without a table or a branch, which a private key would steer.
  private static func character(of value: UInt8) -> UInt8 {
    // Each step is taken by those values that are not below its bound: A…Z, a…z, 0…9, -, _.
    var character = Int16(value) + 65
    character += isAtLeast(26, value) & 6
    character -= isAtLeast(52, value) & 75
    character -= isAtLeast(62, value) & 13
    character += isAtLeast(63, value) & 49
    return UInt8(truncatingIfNeeded: character)
  }

  /// All ones if `value` is not below `bound`, else zero.
  private static func isAtLeast(_ bound: Int16, _ value: UInt8) -> Int16 {
    ~((Int16(value) - bound) >> 15)
  }

  /// The six bits of a character, or null for a foreign one; without a table, and without a branch that tells one
  /// good character from another.
  private static func value(of character: UInt8) -> UInt8? {
    let code = Int16(character)
    let upper = isBetween(65, 90, character) & (code - 65)
    let lower = isBetween(97, 122, character) & (code - 71)
    let digit = isBetween(48, 57, character) & (code + 4)
    let hyphen = isBetween(45, 45, character) & 62
    let underscore = isBetween(95, 95, character) & 63
    let value = upper | lower | digit | hyphen | underscore
    let isGood = value | isBetween(65, 65, character)
    return isGood == 0 ? nil : UInt8(truncatingIfNeeded: value)
  }

  /// All ones if `value` is neither below the one bound nor above the other, else zero.
  private static func isBetween(_ low: Int16, _ high: Int16, _ value: UInt8) -> Int16 {
    isAtLeast(low, value) & ~isAtLeast(high + 1, value)
  }
}
