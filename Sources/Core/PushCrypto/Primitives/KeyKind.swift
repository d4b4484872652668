/// A kind of key pair: key lengths, validation, and the encoding that other programs use.
package protocol KeyKind: Sendable {
  /// The length of a private key (RFC 9180's Nsk) and of the random input to derive one, in bytes.
  var privateKeySize: Int { get }

  /// The length of a public key (RFC 9180's Npk), in bytes.
  var publicKeySize: Int { get }

  /// The encoding of such keys in PKCS#8 and SubjectPublicKeyInfo; nil if there is none.
  var pkcs8: PKCS8Form? { get }

  /// Whether this system's libraries have the algorithm. Public keys can be read and validated without it.
  var isAvailable: Bool { get }

  /// Checks that a public key has the right length and is the canonical encoding of a secure key.
  ///
  /// Call it before a message is sealed to the key or verified with it.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func validate(publicKey: Span<UInt8>) throws(CryptoError)

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, ``CryptoError/unavailable``.
  func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8]

  /// Derives a key pair from ``privateKeySize`` random bytes: DeriveKeyPair(ikm) (RFC 9180, 4).
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for the RFC's DeriveKeyPairError, which does not happen in practice;
  ///   ``CryptoError/unavailable``.
  func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair
}

extension KeyKind {
  /// True: every system has the algorithms of most keys.
  package var isAvailable: Bool { true }
}

/// A key pair.
package struct KeyPair: ~Copyable {
  /// The serialized public key.
  package let publicKey: [UInt8]

  /// The serialized private key.
  package let privateKey: Secret

  /// Makes a pair from its parts.
  package init(publicKey: [UInt8], privateKey: consuming Secret) {
    self.publicKey = publicKey
    self.privateKey = privateKey
  }

  /// Consumes the pair and returns its private key.
  package consuming func takePrivateKey() -> Secret { privateKey }
}
