/// A kind of key pair: the length of its keys, which of them are valid, and how other programs write them.
package protocol KeyKind: Sendable {
  /// The length of a private key (RFC 9180's Nsk) and of the random bytes that one is derived from, in bytes.
  var privateKeySize: Int { get }

  /// The length of a public key (RFC 9180's Npk), in bytes.
  var publicKeySize: Int { get }

  /// How PKCS#8 and SubjectPublicKeyInfo have such keys.
  var pkcs8: PKCS8Form { get }

  /// Checks a public key that messages are to be sealed to or verified with: its length, and that it is the one
  /// encoding of a key that keeps secrets.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func validate(publicKey: Span<UInt8>) throws(CryptoError)

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``.
  func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8]

  /// DeriveKeyPair(ikm) (RFC 9180, 4), with ``privateKeySize`` random bytes.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen.
  func deriveKeyPair(_ ikm: Span<UInt8>) throws(CryptoError) -> KeyPair
}

/// A key pair.
package struct KeyPair: ~Copyable {
  /// The serialized public key.
  package let publicKey: [UInt8]

  /// The serialized private key.
  package let privateKey: Secret

  /// Puts a pair together.
  package init(publicKey: [UInt8], privateKey: consuming Secret) {
    self.publicKey = publicKey
    self.privateKey = privateKey
  }

  /// Gives up the pair for its private key.
  package consuming func takePrivateKey() -> Secret { privateKey }
}
