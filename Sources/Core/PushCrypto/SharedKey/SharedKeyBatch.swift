/// Random salts for the messages that one call seals with shared keys, one for each message.
package final class SharedKeyBatch {
  private let salts: [UInt8]
  private let hmac = HMACSHA256()
  private var usedCount = 0

  /// Draws the salts of `count` messages together.
  package init(count: Int, random: some RandomSource) {
    var salts = [UInt8](repeating: 0, count: count * SharedKey.saltSize)
    var span = salts.mutableSpan
    random.fill(&span)
    self.salts = salts
  }

  /// Seals in place with the next salt.
  ///
  /// From `start`, `text` is the plaintext, followed by 16 bytes of room for the tag.
  /// Returns the salt and the commitment. If it throws, `text` may still be the plaintext.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, ``CryptoError/unavailable``.
  package func seal(
    _ text: inout [UInt8], from start: Int, with key: Span<UInt8>, info: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    let (salts, position) = (salts, usedCount)
    precondition(position * SharedKey.saltSize < salts.count, "a salt serves one message")
    usedCount += 1
    let salt = salts.span.item(position, size: SharedKey.saltSize)
    return try SharedKey.seal(&text, from: start, with: key, salt: salt, info: info, by: hmac)
  }
}
