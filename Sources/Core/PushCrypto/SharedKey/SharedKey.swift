/// Key-committing encryption with a key that both sides share: HKDF-SHA256 and ChaCha20-Poly1305.
///
/// This is the suite `shared-chachapoly` of FORMAT.md, section 4. Each message has its own key, derived with a random
/// salt. The AEAD alone does not commit to its key; the commitment that is sent with the salt does.
package enum SharedKey {
  /// The length of a key, in bytes.
  package static let size = 32

  /// The length of a salt, in bytes.
  package static let saltSize = 32

  /// The length of the salt and the commitment, which are sent with the ciphertext, in bytes.
  package static let encapsulatedKeySize = saltSize + commitmentSize

  private static let commitmentSize = 32

  /// A message sealed in one shot.
  package struct Message: Equatable, Sendable {
    /// The salt and the commitment.
    package let encapsulatedKey: [UInt8]
    /// The ciphertext and its 16-byte tag.
    package let ciphertext: [UInt8]
  }

  /// Checks a key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` unless it has 32 bytes that are not all zero.
  package static func validate(_ key: Span<UInt8>) throws(CryptoError) {
    guard key.count == size, !ConstantTime.isZero(key) else { throw .invalidPrivateKey }
  }

  /// Seals a plaintext bound to `info`, with a fresh 32-byte salt from `random`.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, with key: Span<UInt8>, info: Span<UInt8>, random: some RandomSource
  ) throws(CryptoError) -> Message {
    var text = [UInt8](copying: plaintext, adding: AEAD.tagSize)
    let enc = try SharedKeyBatch(count: 1, random: random).seal(&text, from: 0, with: key, info: info)
    return Message(encapsulatedKey: enc, ciphertext: text)
  }

  /// Seals in place, with a 32-byte salt that no other message has.
  ///
  /// From `start`, `text` is the plaintext, followed by 16 bytes of room for the tag.
  /// Returns the salt and the commitment. If it throws, `text` may still be the plaintext.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ text: inout [UInt8], from start: Int, with key: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>,
    by hmac: HMACSHA256
  ) throws(CryptoError) -> [UInt8] {
    try validate(key)
    return try Schedule(from: key, salt: salt, info: info, by: hmac).seal(&text, from: start, salt: salt)
  }

  /// Opens a ciphertext, after checking that the commitment matches the key.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, ``CryptoError/invalidPrivateKey``.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulatedKey: Span<UInt8>, with key: Span<UInt8>, info: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    try validate(key)
    guard encapsulatedKey.count == encapsulatedKeySize else { throw .notAuthentic }
    let schedule = Schedule(
      from: key, salt: encapsulatedKey.extracting(0..<saltSize), info: info, by: HMACSHA256())
    let commitment = encapsulatedKey.extracting(saltSize..<encapsulatedKeySize)
    guard ConstantTime.equal(schedule.commitment, commitment) else { throw .notAuthentic }
    return try AEAD.chaCha20Poly1305.open(
      ciphertext, authenticating: Span(), key: schedule.key, nonce: schedule.nonce)
  }

  /// Computes HKDF-SHA256(salt, key, info, count); an empty salt means no salt (RFC 5869).
  package static func derive(
    count: Int, from key: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>,
    by hmac: HMACSHA256 = HMACSHA256()
  ) -> Secret {
    HKDFSHA256.extractKey(salt: salt, by: hmac) { $0.update(key) }
    return HKDFSHA256.expand(count: count, by: hmac) { $0.update(info) }
  }

  /// HKDF-SHA256(salt, K, info, 76) = commitment (32) | key (32) | nonce (12).
  private struct Schedule: ~Copyable {
    private let bytes: Secret

    init(from sharedKey: Span<UInt8>, salt: Span<UInt8>, info: Span<UInt8>, by hmac: HMACSHA256) {
      bytes = SharedKey.derive(count: Self.size, from: sharedKey, salt: salt, info: info, by: hmac)
    }

    var commitment: Span<UInt8> {
      @_lifetime(borrow self)
      get { bytes.exposedBytes.extracting(0..<Self.keyStart) }
    }

    var key: Span<UInt8> {
      @_lifetime(borrow self)
      get { bytes.exposedBytes.extracting(Self.keyStart..<Self.nonceStart) }
    }

    var nonce: Span<UInt8> {
      @_lifetime(borrow self)
      get { bytes.exposedBytes.extracting(Self.nonceStart..<Self.size) }
    }

    /// Encrypts, and returns the salt and the commitment.
    func seal(_ text: inout [UInt8], from start: Int, salt: Span<UInt8>) throws(CryptoError) -> [UInt8] {
      try AEAD.chaCha20Poly1305.seal(&text, from: start, authenticating: Span(), key: key, nonce: nonce)
      return [UInt8](concatenating: salt, commitment)
    }

    private static let keyStart = commitmentSize
    private static let nonceStart = keyStart + AEAD.chaCha20Poly1305.keySize
    private static let size = nonceStart + AEAD.nonceSize
  }
}
