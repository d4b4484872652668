/// Hybrid public key encryption (RFC 9180) in base mode.
package enum HPKE {
  /// A message sealed in one shot.
  package struct Message: Equatable, Sendable {
    /// RFC 9180's `enc`.
    package let encapsulatedKey: [UInt8]
    /// The ciphertext and its 16-byte tag.
    package let ciphertext: [UInt8]
  }

  /// Seals one message: SealBase(pkR, info, aad, pt) (RFC 9180, 6.1).
  ///
  /// Each message draws fresh randomness for its encapsulation from `random`.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>,
    aad: Span<UInt8>, random: some RandomSource
  ) throws(CryptoError) -> Message {
    let batch = try HPKEBatch(to: [[UInt8](copying: pkR)], suite: suite, random: random)
    return try batch.seal(plaintext, to: pkR, info: info, aad: aad)
  }

  /// Opens one message: OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1).
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

  /// Opens one message with a copy of a serialized private key: OpenBase(enc, skR, info, aad, ct) (RFC 9180, 6.1).
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

  /// Sets up a sender with given randomness (`ikmE`): SetupBaseS(pkR, info) (RFC 9180, 5.1.1).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func setupSender(
    to pkR: Span<UInt8>, suite: HPKESuite, info: Span<UInt8>, ikmE: Span<UInt8>
  ) throws(CryptoError) -> Sender {
    try HPKEBatch(to: [[UInt8](copying: pkR)], suite: suite, seeds: ikmE).setupSender(to: pkR, info: info)
  }

  /// Sets up a recipient: SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1).
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

  /// Sets up a recipient with a copy of a serialized private key: SetupBaseR(enc, skR, info) (RFC 9180, 5.1.1).
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

/// A batch of messages of one suite, each with its own encapsulation to its own recipient.
///
/// Messages are sealed in the order of the recipients. A batch takes less time than separate messages. Its secrets are wiped
/// at the end of this object's life, so make one for each call that seals, and do not share it between calls.
package final class HPKEBatch {
  /// The maximum number of messages in a batch.
  package static let maximumCount = 64

  private let suite: HPKESuite
  private let hmac: HMACSHA256
  private let encapsulator: any Encapsulator
  private var recipients: ArraySlice<[UInt8]>

  /// Prepares a message to each of 1 to ``maximumCount`` public keys, with its own randomness.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for RFC 9180's DeriveKeyPairError, which does not happen in practice;
  ///   ``CryptoError/unavailable``.
  package convenience init(
    to recipients: [[UInt8]], suite: HPKESuite, random: some RandomSource
  ) throws(CryptoError) {
    Self.check(recipients)
    let hmac = HMACSHA256()
    if random.isRepeatable {
      let seeds = random.secret(count: recipients.count * suite.kem.encapsulationSeedSize)
      self.init(
        to: recipients, suite: suite, hmac: hmac,
        encapsulator: try suite.kem.encapsulator(to: recipients, seeds: seeds.exposedBytes, by: hmac))
    } else {
      self.init(
        to: recipients, suite: suite, hmac: hmac,
        encapsulator: try suite.kem.encapsulator(to: recipients, random: random, by: hmac))
    }
  }

  /// Prepares a message to each public key, with the next encapsulation seed in `seeds`.
  ///
  /// - Throws: as ``init(to:suite:random:)``.
  convenience init(to recipients: [[UInt8]], suite: HPKESuite, seeds: Span<UInt8>) throws(CryptoError) {
    Self.check(recipients)
    precondition(
      seeds.count == recipients.count * suite.kem.encapsulationSeedSize, "each message has its own seed")
    let hmac = HMACSHA256()
    self.init(
      to: recipients, suite: suite, hmac: hmac,
      encapsulator: try suite.kem.encapsulator(to: recipients, seeds: seeds, by: hmac))
  }

  private init(
    to recipients: [[UInt8]], suite: HPKESuite, hmac: HMACSHA256, encapsulator: any Encapsulator
  ) {
    self.recipients = recipients[...]
    self.suite = suite
    self.hmac = hmac
    self.encapsulator = encapsulator
  }

  private static func check(_ recipients: [[UInt8]]) {
    precondition((1...maximumCount).contains(recipients.count), "a batch has 1 to 64 messages")
  }

  /// Seals the next message, to the next recipient: SealBase(pkR, info, aad, pt) (RFC 9180, 6.1).
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

  /// Seals the next message in place, to the next recipient, and returns `enc`: SealBase(pkR, info, aad, pt).
  ///
  /// From `start`, `text` is the plaintext and 16 bytes of room for the tag. After an error the plaintext may still be
  /// there.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ text: inout [UInt8], from start: Int, to pkR: Span<UInt8>, infoHash: Span<UInt8>, aad: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var sender = try setupSender(to: pkR, infoHash: infoHash)
    try sender.context.seal(&text, from: start, authenticating: aad)
    return sender.encapsulatedKey
  }

  /// Sets up the sender of the next message: SetupBaseS(pkR, info) (RFC 9180, 5.1.1).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  func setupSender(to pkR: Span<UInt8>, info: Span<UInt8>) throws(CryptoError) -> HPKE.Sender {
    let infoHash = suite.infoHash(of: info, by: hmac)
    return try setupSender(to: pkR, infoHash: infoHash.span)
  }

  private func setupSender(to pkR: Span<UInt8>, infoHash: Span<UInt8>) throws(CryptoError) -> HPKE.Sender {
    guard let next = recipients.popFirst() else { preconditionFailure("a key pair serves one message") }
    precondition(pkR.hasBytes(next), "messages are sealed in the order of their recipients")
    // shared_secret, enc = Encap(pkR)
    // return enc, KeyScheduleS(mode_base, shared_secret, info, default_psk, default_psk_id)
    return sender(with: try encapsulator.encapsulate(), infoHash: infoHash)
  }

  private func sender(with encapsulation: borrowing Encapsulation, infoHash: Span<UInt8>) -> HPKE.Sender {
    let sharedSecret = encapsulation.sharedSecret.exposedBytes
    return HPKE.Sender(
      encapsulatedKey: encapsulation.encapsulatedKey,
      context: HPKEContext(suite: suite, sharedSecret: sharedSecret, infoHash: infoHash, hmac: hmac))
  }
}
