internal import PushCrypto
internal import PushEnvelope

extension Base64URL {
  /// The `count` bytes of a text, which may have all of its padding; null for any other text.
  ///
  /// No copy is left behind.
  static func secret(_ text: Span<UInt8>, count: Int) -> Secret? {
    let size = encodedSize(of: count)
    guard text.count == size || text.count == (size + 3) / 4 * 4 else { return nil }
    for index in size..<text.count where text[index] != UInt8(ascii: "=") { return nil }
    var isGood = true
    let secret = Secret(count: count) { bytes in
      var position = 0
      do {
        try decode(text.extracting(0..<size)) { byte in
          bytes[position] = byte
          position += 1
        }
      } catch {
        isGood = false
      }
    }
    guard isGood else { return nil }
    return secret
  }
}
