/// Hybrid public key encryption (RFC 9180) in base mode.
package enum HPKE {
  /// A message sealed in one shot.
  package struct Message: Equatable, Sendable {
    /// RFC 9180's `enc`.
    package let encapsulatedKey: [UInt8]
    /// The ciphertext and its 16-byte tag.
    package let ciphertext: [UInt8]
  }

  /// SealBase(pkR, info, aad, pt) (RFC 9180, 6.1).
  ///
  /// Each message draws fresh randomness for its encapsulation from `random`.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>,
    aad: Span<UInt8>, random: some RandomSource
  ) throws(CryptoError) -> Message {
    let batch = try HPKEBatch(count: 1, suite: suite, random: random)
    return try batch.seal(plaintext, to: pkR, info: info, aad: aad)
  }

  /// OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1).
  ///
  /// `pkR` must belong to the private key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/notAuthentic``,
  ///   ``CryptoError/unavailable``, and any error that skR throws.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulatedKey enc: Span<UInt8>, skR: some DecapsulationKey, pkR: Span<UInt8>,
    suite: HPKESuite, info: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    var context = try setupRecipient(encapsulatedKey: enc, skR: skR, pkR: pkR, suite: suite, info: info)
    return try context.open(ciphertext, authenticating: aad)
  }

  /// OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1), with a copy of a serialized private key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/notAuthentic``,
  ///   ``CryptoError/unavailable``, ``CryptoError/invalidPrivateKey``.
  package static func open(
    _ ciphertext: Span<UInt8>, encapsulatedKey enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>,
    suite: HPKESuite, info: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    let key = suite.kem.decapsulationKey(for: SharedSecret(Secret(copying: skR)))
    return try open(
      ciphertext, encapsulatedKey: enc, skR: key, pkR: pkR, suite: suite, info: info, aad: aad)
  }

  /// SetupBaseS(pkR, info) (RFC 9180, 5.1.1), with the randomness `ikmE` of the encapsulation.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func setupSender(
    to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>, ikmE: Span<UInt8>
  ) throws(CryptoError) -> Sender {
    try HPKEBatch(suite: suite, seeds: ikmE).setupSender(to: pkR, info: info)
  }

  /// SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, and any error that skR throws.
  package static func setupRecipient(
    encapsulatedKey enc: Span<UInt8>, skR: some DecapsulationKey, pkR: Span<UInt8>, suite: HPKESuite,
    info: Span<UInt8>
  ) throws(CryptoError) -> HPKEContext {
    let hmac = HMACSHA256()
    // shared_secret = Decap(enc, skR)
    let sharedSecret = try skR.decapsulate(enc, pkR: pkR, by: hmac)
    // return KeyScheduleR(mode_base, shared_secret, info, default_psk, default_psk_id)
    return HPKEContext(suite: suite, sharedSecret: sharedSecret.exposedBytes, info: info, hmac: hmac)
  }

  /// SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1), with a copy of a serialized private key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/invalidPrivateKey``.
  package static func setupRecipient(
    encapsulatedKey enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKEContext {
    let key = suite.kem.decapsulationKey(for: SharedSecret(Secret(copying: skR)))
    return try setupRecipient(encapsulatedKey: enc, skR: key, pkR: pkR, suite: suite, info: info)
  }

  /// The result of a sender's setup.
  package struct Sender: ~Copyable {
    /// RFC 9180's `enc`.
    package let encapsulatedKey: [UInt8]
    /// The context to seal with.
    package var context: HPKEContext
  }
}

/// A batch of messages of one suite that one call seals, each with its own encapsulation.
///
/// A batch takes less time than separate messages. Its secrets are wiped when the call returns, and are never shared
/// with another call.
package final class HPKEBatch {
  /// The maximum number of messages in a batch.
  package static let maximumCount = 64

  private let suite: HPKESuite
  private let hmac: HMACSHA256
  private let encapsulator: any Encapsulator

  /// Prepares 1 to ``maximumCount`` messages, each with its own randomness.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for RFC 9180's DeriveKeyPairError, which does not happen in practice;
  ///   ``CryptoError/unavailable``.
  package convenience init(
    count: Int, suite: HPKESuite, random: some RandomSource
  ) throws(CryptoError) {
    precondition((1...Self.maximumCount).contains(count), "a batch has 1 to 64 messages")
    let hmac = HMACSHA256()
    if random.isRepeatable {
      let seeds = random.secret(count: count * suite.kem.encapsulationSeedSize)
      self.init(
        suite: suite, hmac: hmac,
        encapsulator: try suite.kem.encapsulator(seeds: seeds.exposedBytes, by: hmac))
    } else {
      self.init(
        suite: suite, hmac: hmac,
        encapsulator: try suite.kem.encapsulator(count: count, random: random, by: hmac))
    }
  }

  /// Prepares one message for each encapsulation seed in `seeds`.
  ///
  /// - Throws: as ``init(count:suite:random:)``.
  convenience init(suite: HPKESuite, seeds: Span<UInt8>) throws(CryptoError) {
    let (count, rest) = seeds.count.quotientAndRemainder(dividingBy: suite.kem.encapsulationSeedSize)
    precondition((1...Self.maximumCount).contains(count) && rest == 0, "a batch has 1 to 64 messages")
    let hmac = HMACSHA256()
    self.init(suite: suite, hmac: hmac, encapsulator: try suite.kem.encapsulator(seeds: seeds, by: hmac))
  }

  private init(suite: HPKESuite, hmac: HMACSHA256, encapsulator: any Encapsulator) {
    self.suite = suite
    self.hmac = hmac
    self.encapsulator = encapsulator
  }

  /// SealBase(pkR, info, aad, pt) (RFC 9180, 6.1), with the next encapsulation.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, info: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    var text = [UInt8](copying: plaintext, adding: AEAD.tagSize)
    let infoHash = suite.infoHash(of: info, by: hmac)
    let enc = try seal(&text, from: 0, to: pkR, infoHash: infoHash.span, aad: aad)
    return HPKE.Message(encapsulatedKey: enc, ciphertext: text)
  }

  /// SealBase(pkR, info, aad, pt), in place, with the next encapsulation.
  ///
  /// From `start`, `text` is the plaintext, followed by 16 bytes of room for the tag.
  /// Returns `enc`. If it throws, `text` may still be the plaintext.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ text: inout [UInt8], from start: Int, to pkR: Span<UInt8>, infoHash: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var sender = try setupSender(to: pkR, infoHash: infoHash)
    try sender.context.seal(&text, from: start, authenticating: aad)
    return sender.encapsulatedKey
  }

  /// SetupBaseS(pkR, info) (RFC 9180, 5.1.1), with the next encapsulation.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  func setupSender(to pkR: Span<UInt8>, info: Span<UInt8>) throws(CryptoError) -> HPKE.Sender {
    let infoHash = suite.infoHash(of: info, by: hmac)
    return try setupSender(to: pkR, infoHash: infoHash.span)
  }

  private func setupSender(to pkR: Span<UInt8>, infoHash: Span<UInt8>) throws(CryptoError) -> HPKE.Sender {
    // shared_secret, enc = Encap(pkR)
    // return enc, KeyScheduleS(mode_base, shared_secret, info, default_psk, default_psk_id)
    sender(with: try encapsulator.encapsulate(to: pkR), infoHash: infoHash)
  }

  private func sender(with encapsulation: borrowing Encapsulation, infoHash: Span<UInt8>) -> HPKE.Sender {
    let sharedSecret = encapsulation.sharedSecret.exposedBytes
    return HPKE.Sender(
      encapsulatedKey: encapsulation.encapsulatedKey,
      context: HPKEContext(suite: suite, sharedSecret: sharedSecret, infoHash: infoHash, hmac: hmac))
  }
}
