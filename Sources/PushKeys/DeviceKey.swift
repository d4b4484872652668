package import PushCrypto
public import PushEnvelope

/// A device's private key, or a shared one, ready to open messages with.
public struct DeviceKey: Sendable {
  private enum Key {
    case pair(PublicKey, HPKESuite, any DecapsulationKey)
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
    guard let suite = publicKey.algorithm.suite, let hpke = publicKey.algorithm.hpkeSuite else {
      return nil
    }
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
  package func binding(for topic: Topic) -> MessageBinding {
    MessageBinding(topic: topic, suite: suite, recipient: thumbprint)
  }
}

/// A P-256 private key that is used where it is kept, such as in the Secure Enclave, and never read.
public protocol P256KeyAgreement: Sendable {
  /// The shared secret of ECDH (NIST SP 800-56A) with a public key: the x coordinate of the product, 32 bytes.
  ///
  /// `publicKey` has 65 bytes, 0x04 and both coordinates (ANSI X9.63), and was checked to be on the curve. A secret
  /// of another length opens nothing. Keep no other reference to the array, or it cannot be wiped. This is called on
  /// the receiver's work thread and may block.
  ///
  /// - Throws: ``KeyStoreError`` if the key cannot be used.
  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8]
}

/// A P-256 private key that is kept elsewhere, as HPKE uses it.
package struct ExternalKey: DecapsulationKey {
  private let agreement: any P256KeyAgreement

  /// Takes the object that has the key.
  package init(_ agreement: some P256KeyAgreement) { self.agreement = agreement }

  /// Decap(enc, skR).
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try DHKEM.p256.decapsulate(enc, pkR: pkR, hmac, dh: sharedSecret)
  }

  /// DH(skR, pkE), copied from the array that it came in, which is wiped.
  ///
  /// - Throws: ``CryptoError/keyLocked``, ``CryptoError/keyUnavailable``, ``CryptoError/notAuthentic`` for a secret
  ///   that is not 32 bytes long.
  private func sharedSecret(with pkE: Span<UInt8>) throws(CryptoError) -> Secret {
    var dh: [UInt8]
    do throws(KeyStoreError) {
      dh = try agreement.sharedSecret(withX963: [UInt8](copying: pkE))
    } catch {
      throw CryptoError(error)
    }
    defer { dh.wipe() }
    guard dh.count == P256.privateKeySize else { throw .notAuthentic }
    return Secret(copying: dh.span)
  }
}

extension CryptoError {
  fileprivate init(_ error: KeyStoreError) {
    switch error {
    case .locked: self = .keyLocked
    case .unavailable: self = .keyUnavailable
    }
  }
}

extension DeviceKey: CustomReflectable {
  /// The suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}
