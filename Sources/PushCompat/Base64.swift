internal import PushCrypto
internal import PushEnvelope

/// Base64 in the standard alphabet with padding (RFC 4648, 4), as other systems write it.
enum Base64 {
  /// The longest text that is read or made, in characters.
  static let maximumSize = 8192

  /// The most bytes that such a text holds.
  static let maximumByteCount = maximumSize / 4 * 3

  /// Encodes `bytes`, in one line.
  static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    Base64URL.append(bytes, to: &text)
    for index in text.indices {
      if text[index] == UInt8(ascii: "-") { text[index] = UInt8(ascii: "+") }
      if text[index] == UInt8(ascii: "_") { text[index] = UInt8(ascii: "/") }
    }
    while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; null unless it is in its one canonical form.
  ///
  /// Text that may be `wrapped` can have white space between groups of four characters and at the end, as lines of 64
  /// or 76 have it.
  static func decode(_ text: String, wrapped: Bool = false) -> [UInt8]? {
    var characters: [UInt8] = []
    characters.reserveCapacity(text.utf8.count)
    var paddingCount = 0
    for character in text.utf8 {
      switch character {
      case UInt8(ascii: "="): paddingCount += 1
      case _ where wrapped && isWhiteSpace(character):
        guard (characters.count + paddingCount).isMultiple(of: 4) else { return nil }
      case _ where paddingCount > 0: return nil
      case UInt8(ascii: "+"): characters.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/"): characters.append(UInt8(ascii: "_"))
      case UInt8(ascii: "-"), UInt8(ascii: "_"): return nil
      default: characters.append(character)
      }
    }
    guard paddingCount <= 2, (characters.count + paddingCount).isMultiple(of: 4) else { return nil }
    return try? Base64URL.decode(characters.span)
  }

  private static func isWhiteSpace(_ character: UInt8) -> Bool {
    [UInt8(ascii: " "), 0x09, 0x0a, 0x0d].contains(character)
  }
}
