/// One side of an HPKE encryption context in base mode (RFC 9180, 5.2): a key, a nonce and a counter.
package struct HPKEContext: ~Copyable {
  private let aead: AEAD
  /// The AEAD's key.
  package let key: Secret
  /// The nonce that is combined with the counter by XOR.
  package let baseNonce: Secret
  private var sequenceNumber: UInt64 = 0
  private var isExhausted = false

  private static let modeBase: UInt8 = 0x00

  /// KeySchedule(mode_base, shared_secret, info, psk = "", psk_id = "") (RFC 9180, 5.1).
  init(
    suite: HPKESuite, sharedSecret: Span<UInt8>, info: Span<UInt8>, hmac: HMACSHA256 = HMACSHA256()
  ) {
    let infoHash = suite.infoHash(of: info, by: hmac)
    self.init(suite: suite, sharedSecret: sharedSecret, infoHash: infoHash.span, hmac: hmac)
  }

  /// KeySchedule with the `info_hash` that ``HPKESuite/infoHash(of:by:)`` gives.
  init(suite: HPKESuite, sharedSecret: Span<UInt8>, infoHash: Span<UInt8>, hmac: HMACSHA256) {
    precondition(sharedSecret.count == suite.kem.sharedSecretSize, "a shared secret has Nsecret bytes")
    let hkdf = suite.hkdf(by: hmac)
    // key_schedule_context = concat(mode, psk_id_hash, info_hash)
    func keyScheduleContext(_ input: borrowing HMACSHA256) {
      input.update(Self.modeBase)
      input.update(suite.pskIDHash.span)
      input.update(infoHash)
    }
    // secret = LabeledExtract(shared_secret, "secret", psk)
    hkdf.extractKey(salt: sharedSecret, label: "secret", ikm: Span())
    // key = LabeledExpand(secret, "key", key_schedule_context, Nk)
    key = hkdf.expand(label: "key", count: suite.aead.keySize) { keyScheduleContext($0) }
    // base_nonce = LabeledExpand(secret, "base_nonce", key_schedule_context, Nn)
    baseNonce = hkdf.expand(label: "base_nonce", count: AEAD.nonceSize) { keyScheduleContext($0) }
    aead = suite.aead
  }

  /// ContextS.Seal(aad, pt) (RFC 9180, 5.2).
  ///
  /// - Throws: ``CryptoError/messageLimitReached``, ``CryptoError/unavailable``.
  package mutating func seal(
    _ plaintext: Span<UInt8>, authenticating aad: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var text = [UInt8](copying: plaintext, adding: AEAD.tagSize)
    try seal(&text, from: 0, authenticating: aad)
    return text
  }

  /// ContextS.Seal(aad, pt), in place.
  ///
  /// From `start`, `text` is the plaintext, followed by 16 bytes of room for the tag.
  ///
  /// - Throws: ``CryptoError/messageLimitReached``, ``CryptoError/unavailable``.
  mutating func seal(
    _ text: inout [UInt8], from start: Int, authenticating aad: Span<UInt8>
  ) throws(CryptoError) {
    // ct = Seal(self.key, self.ComputeNonce(self.seq), aad, pt)
    try seal(&text, from: start, authenticating: aad, nonce: computeNonce())
    // self.IncrementSeq()
    incrementSequenceNumber()
  }

  private func seal(
    _ text: inout [UInt8], from start: Int, authenticating aad: Span<UInt8>, nonce: borrowing Secret
  ) throws(CryptoError) {
    try aead.seal(&text, from: start, authenticating: aad, key: key.exposedBytes, nonce: nonce.exposedBytes)
  }

  /// ContextR.Open(aad, ct) (RFC 9180, 5.2).
  ///
  /// A message that does not open leaves the counter unchanged.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, ``CryptoError/messageLimitReached``, ``CryptoError/unavailable``.
  package mutating func open(
    _ ciphertext: Span<UInt8>, authenticating aad: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    // pt = Open(self.key, self.ComputeNonce(self.seq), aad, ct)
    let nonce = try computeNonce()
    let plaintext = try aead.open(
      ciphertext, authenticating: aad, key: key.exposedBytes, nonce: nonce.exposedBytes)
    // self.IncrementSeq()
    incrementSequenceNumber()
    return plaintext
  }

  /// ComputeNonce(seq): xor(self.base_nonce, I2OSP(seq, Nn)).
  private func computeNonce() throws(CryptoError) -> Secret {
    guard !isExhausted else { throw .messageLimitReached }
    let base = baseNonce.exposedBytes
    let sequenceNumber = sequenceNumber
    return Secret(count: AEAD.nonceSize) { nonce in
      for index in 0..<AEAD.nonceSize {
        // A shift by more than the number's length yields its leading zeros.
        let shift = UInt64(8 * (AEAD.nonceSize - 1 - index))
        nonce[index] = base[index] ^ UInt8(truncatingIfNeeded: sequenceNumber >> shift)
      }
    }
  }

  /// IncrementSeq().
  ///
  /// The RFC's limit is 2^96 - 1 messages. This one, 2^64, is just as unreachable.
  private mutating func incrementSequenceNumber() {
    let (next, overflow) = sequenceNumber.addingReportingOverflow(1)
    sequenceNumber = next
    isExhausted = overflow
  }
}
