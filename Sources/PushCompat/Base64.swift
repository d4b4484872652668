/// Base64 in the standard alphabet with padding (RFC 4648, 4), as other systems write it.
enum Base64 {
  /// The longest text that is read or made, in characters.
  static let maximumSize = 8192

  /// The most bytes that such a text holds.
  static let maximumByteCount = maximumSize / 4 * 3

  /// Encodes `bytes`, in one line.
  static func encode(_ bytes: Span<UInt8>) -> String {
    String(decoding: StandardBase64.encode(bytes), as: UTF8.self)
  }

  /// The bytes of a text; null unless it is in its one canonical form.
  ///
  /// Text that may be `wrapped` can have white space between groups of four characters and at the end, as lines of 64
  /// or 76 have it.
  static func decode(_ text: String, wrapped: Bool = false) -> [UInt8]? {
    var characters: [UInt8] = []
    characters.reserveCapacity(text.utf8.count)
    for character in text.utf8 {
      guard wrapped, isWhiteSpace(character) else {
        characters.append(character)
        continue
      }
      guard characters.count.isMultiple(of: 4) else { return nil }
    }
    return StandardBase64.decode(characters.span)
  }

  private static func isWhiteSpace(_ character: UInt8) -> Bool {
    [UInt8(ascii: " "), 0x09, 0x0a, 0x0d].contains(character)
  }
}
