package import PushCrypto
public import PushEnvelope

/// A device's private key, ready to open messages with.
public struct DeviceKey: Sendable {
  /// The suite that it opens.
  public let suite: Suite

  /// Its public key.
  public let publicKey: PublicKey

  private let privateKey: any KeyAgreement

  /// Takes a device's key pair; null for a sender's.
  package init?(_ publicKey: PublicKey, secret: SharedSecret) {
    guard let suite = publicKey.algorithm.suite else { return nil }
    self.suite = suite
    self.publicKey = publicKey
    privateKey = SoftwareKey(HPKESuite(suite).kem, secret)
  }

  /// Takes a P-256 key pair whose private key is kept elsewhere, such as in the Secure Enclave, and never read.
  ///
  /// The public key is 65 bytes, 0x04 and both coordinates, and must be the private key's own.
  ///
  /// - Throws: ``PublicKeyError/refused``.
  public init(p256 publicKey: [UInt8], agreement: some P256KeyAgreement) throws(PublicKeyError) {
    suite = .p256AESGCM
    self.publicKey = try PublicKey(.p256, bytes: publicKey)
    privateKey = ExternalKey(agreement)
  }

  /// Opens an envelope that was sealed to this key for `topic`: HPKE's OpenBase with an empty `aad`.
  ///
  /// - Throws: ``CryptoError/keyLocked`` or ``CryptoError/keyUnavailable`` if the private key is kept elsewhere and
  ///   cannot be used; any other ``CryptoError`` if the envelope does not open.
  package func open(_ envelope: Envelope, for topic: Topic) throws(CryptoError) -> Secret {
    let info = binding(for: topic).info
    let enc = envelope.encapsulatedKey
    let ciphertext = envelope.ciphertext
    let pkR = publicKey.bytes
    return try HPKE.open(
      ciphertext.span, encapsulatedKey: enc.span, skR: privateKey, pkR: pkR.span,
      suite: HPKESuite(suite), info: info.span, aad: Span())
  }

  /// What a message to this key is bound to.
  package func binding(for topic: Topic) -> Binding {
    Binding(topic: topic, suite: suite, recipient: publicKey.thumbprint)
  }
}

extension HPKESuite {
  /// HPKE's algorithms of an envelope's suite.
  package init(_ suite: Suite) {
    switch suite {
    case .x25519ChaChaPoly: self = .x25519ChaChaPoly
    case .p256AESGCM: self = .p256AESGCM
    }
  }
}
