package import PushCrypto
public import PushEnvelope

/// A device's private key, or a shared one, ready to open messages with.
public struct DeviceKey: Sendable {
  private enum Key {
    case pair(PublicKey, HPKESuite, any KeyAgreement)
    case shared(SharedSecret)
  }

  /// The suite that it opens.
  public let suite: Suite

  /// The key's name, which messages to it are bound to.
  public let thumbprint: Thumbprint

  private let key: Key

  /// Its public key; null for a shared key, which has none.
  public var publicKey: PublicKey? {
    guard case .pair(let publicKey, _, _) = key else { return nil }
    return publicKey
  }

  /// Takes a device's key pair; null for a sender's.
  package init?(_ publicKey: PublicKey, secret: SharedSecret) {
    guard let suite = publicKey.algorithm.suite, let hpke = HPKESuite(suite) else { return nil }
    self.suite = suite
    thumbprint = publicKey.thumbprint
    key = .pair(publicKey, hpke, SoftwareKey(hpke.kem, secret))
  }

  /// Takes a P-256 key pair whose private key is kept elsewhere, such as in the Secure Enclave, and never read.
  ///
  /// The public key is 65 bytes, 0x04 and both coordinates, and must be the private key's own.
  ///
  /// - Throws: ``PublicKeyError/refused``.
  public init(p256 publicKey: [UInt8], agreement: some P256KeyAgreement) throws(PublicKeyError) {
    let publicKey = try PublicKey(.p256, bytes: publicKey)
    suite = .p256AESGCM
    thumbprint = publicKey.thumbprint
    key = .pair(publicKey, .p256AESGCM, ExternalKey(agreement))
  }

  /// Takes a shared key that was checked, and its name.
  init(sharedKey: SharedSecret, id: Thumbprint) {
    suite = .sharedChaChaPoly
    thumbprint = id
    key = .shared(sharedKey)
  }

  /// Opens an envelope that was sealed to this key for `topic`: HPKE's OpenBase with an empty `aad`, or the shared
  /// key's suite.
  ///
  /// - Throws: ``CryptoError/keyLocked`` or ``CryptoError/keyUnavailable`` if the private key is kept elsewhere and
  ///   cannot be used; any other ``CryptoError`` if the envelope does not open.
  package func open(_ envelope: Envelope, for topic: Topic) throws(CryptoError) -> Secret {
    let info = binding(for: topic).info
    let enc = envelope.encapsulatedKey
    let ciphertext = envelope.ciphertext
    switch key {
    case .pair(let publicKey, let hpke, let privateKey):
      let pkR = publicKey.bytes
      return try HPKE.open(
        ciphertext.span, encapsulatedKey: enc.span, skR: privateKey, pkR: pkR.span, suite: hpke,
        info: info.span, aad: Span())
    case .shared(let secret):
      return try SharedKey.open(
        ciphertext.span, encapsulatedKey: enc.span, with: secret.exposedBytes, info: info.span)
    }
  }

  /// What is inside an envelope for `topic`, whoever signed it; null if it does not open, or is not well-formed.
  package func content(of envelope: Envelope, for topic: Topic) -> SealedContent? {
    guard let plaintext = try? open(envelope, for: topic) else { return nil }
    return try? SealedContent(decoding: plaintext.exposedBytes)
  }

  /// What a message to this key is bound to.
  package func binding(for topic: Topic) -> Binding {
    Binding(topic: topic, suite: suite, recipient: thumbprint)
  }
}

extension HPKESuite {
  /// HPKE's algorithms of an envelope's suite; null for the shared keys', which is not HPKE.
  package init?(_ suite: Suite) {
    switch suite {
    case .x25519ChaChaPoly: self = .x25519ChaChaPoly
    case .p256AESGCM: self = .p256AESGCM
    case .sharedChaChaPoly: return nil
    }
  }
}
