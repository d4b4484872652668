private import Locks

/// X-Wing (draft-connolly-cfrg-xwing-kem): ML-KEM-768 and X25519 together, secure as long as one of them is.
///
/// A quantum computer cannot open recorded messages. The private key is a seed of 32 bytes.
package struct XWing: KEM {
  package init() {}

  package var id: UInt16 { 0x647a }

  package var privateKeySize: Int { Self.privateKeySize }

  /// ML-KEM-768's public key, then X25519's.
  package var publicKeySize: Int { MLKEM768.publicKeySize + X25519.keySize }

  /// ML-KEM-768's ciphertext, then X25519's ephemeral public key.
  package var encapsulatedKeySize: Int { MLKEM768.ciphertextSize + X25519.keySize }

  package var sharedSecretSize: Int { Self.sharedSecretSize }

  package var encapsulationSeedSize: Int { MLKEM768.encapsulationSeedSize + X25519.keySize }

  /// The length of a private key, in bytes.
  static let privateKeySize = 32

  /// The length of a shared secret, in bytes.
  static let sharedSecretSize = 32

  /// The label that the combiner hashes with its other inputs (5.3): six characters that draw a butterfly.
  static let label = [UInt8](#"\.//^\"#.utf8)

  /// Nil: no program writes such keys in PKCS#8.
  package var pkcs8: PKCS8Form? { nil }

  /// Whether this system's libraries have ML-KEM-768 and SHA-3: OpenSSL 3.5, or CryptoKit of iOS 26 and macOS 26.
  package var isAvailable: Bool { Backend.XWing.isAvailable }

  /// Checks both parts of a public key; needs no library with ML-KEM.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    guard publicKey.count == publicKeySize,
      MLKEM768.isValid(publicKey: publicKey.extracting(..<MLKEM768.publicKeySize))
    else { throw .invalidPublicKey }
    try DHKEM.x25519.validate(publicKey: publicKey.extracting(MLKEM768.publicKeySize...))
  }

  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    try expanded(privateKey).publicKey
  }

  /// Makes the key pair whose private key is `ikm`.
  ///
  /// Any 32 random bytes are a private key. DeriveKeyPair is not used, because its drafts differ.
  package func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    KeyPair(publicKey: try publicKey(of: ikm), privateKey: Secret(copying: ikm))
  }

  /// Expands a private key: expandDecapsulationKey(sk) (5.2).
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for a wrong length, ``CryptoError/unavailable``.
  fileprivate func expanded(_ privateKey: Span<UInt8>) throws(CryptoError) -> Backend.XWing.PrivateKey {
    guard privateKey.count == Self.privateKeySize else { throw .invalidPrivateKey }
    guard isAvailable, let key = Backend.XWing.PrivateKey(seed: privateKey) else { throw .unavailable }
    return key
  }
}

// MARK: Encapsulation

extension XWing {
  package func encapsulator(
    to recipients: [[UInt8]], seeds: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    try encapsulator(to: recipients, seeds: SharedSecret(Secret(copying: seeds)))
  }

  /// Prepares encapsulations whose randomness the libraries draw.
  package func encapsulator(
    to recipients: [[UInt8]], random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    try encapsulator(to: recipients, seeds: nil)
  }

  private func encapsulator(
    to recipients: [[UInt8]], seeds: SharedSecret?
  ) throws(CryptoError) -> any Encapsulator {
    guard isAvailable else { throw .unavailable }
    // What cannot be a key is refused when its turn comes.
    let keys = recipients.map { (try? validate(publicKey: $0.span)) == nil ? nil : $0 }
    return XWingEncapsulator(keys, encapsulations: Backend.XWing.Encapsulations(to: keys, seeds: seeds))
  }

  /// Makes a key that is expanded when it is first used, and then keeps the expansion, which takes most of the time
  /// of opening a message.
  package func decapsulationKey(for skR: SharedSecret) -> any DecapsulationKey {
    XWingKey(kem: self, seed: skR)
  }

  package func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try decapsulate(enc) { () throws(CryptoError) in try expanded(skR) }
  }

  /// Recovers a shared secret: Decapsulate(ct, sk) (5.5).
  ///
  /// An altered ML-KEM ciphertext yields another secret, with which the message does not open.
  fileprivate func decapsulate(
    _ enc: Span<UInt8>, with key: () throws(CryptoError) -> Backend.XWing.PrivateKey
  ) throws(CryptoError) -> Secret {
    guard enc.count == encapsulatedKeySize else { throw .invalidPublicKey }
    try X25519.validate(publicKey: enc.extracting(MLKEM768.ciphertextSize...))
    guard let secret = try key().decapsulate(enc) else { throw .unavailable }
    return secret
  }
}

/// Makes the encapsulations of one batch.
private final class XWingEncapsulator: Encapsulator {
  private let recipients: [[UInt8]?]
  private let encapsulations: Backend.XWing.Encapsulations
  private var usedCount = 0

  /// Takes the recipients' public keys; nil for one that is refused.
  init(_ recipients: [[UInt8]?], encapsulations: Backend.XWing.Encapsulations) {
    self.recipients = recipients
    self.encapsulations = encapsulations
  }

  /// Encapsulates a secret to the next recipient: Encapsulate(pk) (5.4).
  func encapsulate() throws(CryptoError) -> Encapsulation {
    let position = usedCount
    usedCount += 1
    guard let recipient = recipients[position] else { throw .invalidPublicKey }
    guard let encapsulation = encapsulations.encapsulation(to: recipient, at: position) else {
      throw .unavailable
    }
    return encapsulation
  }
}

/// A private key of X-Wing in memory.
private final class XWingKey: DecapsulationKey {
  private let kem: XWing
  private let seed: SharedSecret
  private let expanded = Mutex<Backend.XWing.PrivateKey?>(nil)

  init(kem: XWing, seed: SharedSecret) {
    self.kem = kem
    self.seed = seed
  }

  /// Recovers a shared secret: Decap(enc, skR).
  func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try kem.decapsulate(enc, with: key)
  }

  private func key() throws(CryptoError) -> Backend.XWing.PrivateKey {
    let (kem, seed) = (kem, seed)
    return try expanded.withLock { expanded throws(CryptoError) in
      if let expanded { return expanded }
      let key = try kem.expanded(seed.exposedBytes)
      expanded = key
      return key
    }
  }
}
