package import PushCrypto
public import PushCore

/// A device's private key, or a shared key, that opens messages.
public struct DeviceKey: Sendable {
  private enum Key {
    case pair(PublicKey, HPKESuite, any DecapsulationKey)
    case shared(SharedSecret)
  }

  /// The suite of the messages that the key opens.
  public let suite: Suite

  /// The key's thumbprint, to which messages are bound.
  public let thumbprint: Thumbprint

  private let key: Key

  /// The public key; nil for a shared key, which has none.
  public var publicKey: PublicKey? {
    guard case .pair(let publicKey, _, _) = key else { return nil }
    return publicKey
  }

  /// Makes a key from a device's key pair; nil for a sender's key pair.
  init?(publicKey: PublicKey, secret: StoredSecret) {
    guard let suite = publicKey.algorithm.suite, let hpke = publicKey.algorithm.hpkeSuite else {
      return nil
    }
    self.suite = suite
    thumbprint = publicKey.thumbprint
    key = .pair(publicKey, hpke, secret.decapsulationKey(for: hpke.kem))
  }

  /// Makes a key from a P-256 key pair whose private key stays outside this package, such as in the Secure Enclave.
  ///
  /// The public key is 65 bytes: 0x04 and both coordinates (ANSI X9.63). It must belong to the private key.
  ///
  /// - Throws: `ValueError`.
  package init(p256 publicKey: [UInt8], agreement: some P256KeyAgreement) throws(ValueError) {
    let publicKey = try PublicKey(algorithm: .p256, bytes: publicKey)
    suite = .p256AESGCM
    thumbprint = publicKey.thumbprint
    key = .pair(publicKey, .p256AESGCM, ExternalKey(agreement))
  }

  /// Takes a validated shared key and its thumbprint.
  init(sharedKey: SharedSecret, id: Thumbprint) {
    suite = .sharedChaChaPoly
    thumbprint = id
    key = .shared(sharedKey)
  }

  /// Opens an envelope sealed to this key for `topic`, with HPKE's OpenBase and an empty `aad`, or with the shared
  /// key's suite.
  ///
  /// - Throws: `CryptoError.keyLocked` or `CryptoError.keyUnavailable` if the private key is kept elsewhere and
  ///   cannot be used. Any other `CryptoError` if the envelope does not open.
  package func open(_ envelope: Envelope, for topic: Topic) throws(CryptoError) -> Secret {
    let info = binding(for: topic).info
    switch key {
    case .pair(let publicKey, let hpke, let privateKey):
      let pkR = publicKey.bytes
      return try HPKE.open(
        envelope.ciphertextSpan, encapsulatedKey: envelope.encapsulatedKeySpan, skR: privateKey,
        pkR: pkR.span, suite: hpke, info: info.span, aad: Span())
    case .shared(let secret):
      return try SharedKey.open(
        envelope.ciphertextSpan, encapsulatedKey: envelope.encapsulatedKeySpan,
        with: secret.exposedBytes, info: info.span)
    }
  }

  /// Returns the content of an envelope for `topic` without checking a signature; nil if the envelope does not open
  /// or the content is not well-formed.
  package func content(of envelope: Envelope, for topic: Topic) -> SealedContent? {
    guard let plaintext = try? open(envelope, for: topic) else { return nil }
    return try? SealedContent(decoding: plaintext.exposedBytes)
  }

  /// The data that binds a message to this key and to `topic`.
  package func binding(for topic: Topic) -> MessageBinding {
    MessageBinding(topic: topic, suite: suite, recipient: thumbprint)
  }
}

/// A P-256 private key that never leaves where it is stored, such as the Secure Enclave.
package protocol P256KeyAgreement: Sendable {
  /// Returns the ECDH shared secret (NIST SP 800-56A) with a public key: the x coordinate of the product, 32 bytes.
  ///
  /// `publicKey` is 65 bytes, 0x04 and both coordinates (ANSI X9.63), and is known to be on the curve. If the
  /// returned secret has another length, the message does not open. Keep no other reference to the returned array,
  /// because then it cannot be wiped. The receiver calls this on its work thread, so it may block.
  ///
  /// - Throws: ``KeyStoreError`` if the key cannot be used.
  func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8]
}

/// Adapts an external P-256 private key to HPKE.
package struct ExternalKey: DecapsulationKey {
  private let agreement: any P256KeyAgreement

  /// Takes the object that holds the key.
  package init(_ agreement: some P256KeyAgreement) { self.agreement = agreement }

  /// Decap(enc, skR).
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try DHKEM.p256.decapsulate(enc, pkR: pkR, by: hmac, dh: sharedSecret)
  }

  /// DH(skR, pkE), copied out of the returned array, which is then wiped.
  ///
  /// - Throws: `CryptoError.keyLocked`, `CryptoError.keyUnavailable`, `CryptoError.notAuthentic` if the secret
  ///   is not 32 bytes long.
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
  /// Shows only the suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}
