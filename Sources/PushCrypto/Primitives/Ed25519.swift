/// Ed25519 (RFC 8032), with the verdict on odd keys and signatures fixed here instead of in each library.
package enum Ed25519 {
  /// The length of a private key (RFC 8032's seed) and of a public key, in bytes.
  package static let keySize = 32

  /// The length of a signature, in bytes.
  package static let signatureSize = 64

  /// Whether a key has one signature for a message (RFC 8032): CryptoKit mixes random bytes into its own.
  package static var isDeterministic: Bool { Backend.Ed25519.isDeterministic }

  /// Checks that `bytes` can serve as a public key: 32 bytes, canonical, not of small order.
  ///
  /// Bytes that are no point at all pass here and verify nothing.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    guard bytes.count == keySize, Ed25519Encoding.isCanonical(bytes), !Ed25519Encoding.hasSmallOrder(bytes)
    else { throw .invalidPublicKey }
  }

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if it is not 32 bytes long.
  package static func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == keySize else { throw .invalidPrivateKey }
    return Backend.Ed25519.publicKey(of: privateKey)
  }

  /// The signature of `message`, 64 bytes, always the same if ``isDeterministic``.
  ///
  /// `publicKey` must be the private key's own; it was checked when the pair was made.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if a key is not 32 bytes long.
  package static func sign(
    _ message: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == keySize, publicKey.count == keySize else { throw .invalidPrivateKey }
    return Backend.Ed25519.sign(message, privateKey, publicKey)
  }

  /// Whether `signature` is the public key's on `message`.
  ///
  /// Refused before the library is asked: a public key that ``validate(publicKey:)`` refuses, R of small order,
  /// S not below the group's order. The equation is the one without the cofactor.
  package static func isValid(
    _ signature: Span<UInt8>, on message: Span<UInt8>, publicKey: Span<UInt8>
  ) -> Bool {
    guard signature.count == signatureSize, (try? validate(publicKey: publicKey)) != nil,
      !Ed25519Encoding.hasSmallOrder(signature.extracting(0..<32)),
      Ed25519Encoding.isReduced(signature.extracting(32..<64))
    else { return false }
    return Backend.Ed25519.isValid(signature, message, publicKey)
  }
}

/// Ed25519's key pairs; the private key is RFC 8032's seed.
package struct Ed25519Keys: KeyKind {
  /// The kind.
  package init() {}

  package var privateKeySize: Int { Ed25519.keySize }

  package var publicKeySize: Int { Ed25519.keySize }

  package var pkcs8: PKCS8Form { .ed25519 }

  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    try Ed25519.validate(publicKey: publicKey)
  }

  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    try Ed25519.publicKey(of: privateKey)
  }

  /// The pair of a seed, which is any 32 bytes.
  package func deriveKeyPair(_ ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    KeyPair(publicKey: try publicKey(of: ikm), privateKey: Secret(copying: ikm))
  }
}
