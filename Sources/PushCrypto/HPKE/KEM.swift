/// A key encapsulation mechanism (RFC 9180, 4): the seam for a new suite.
///
/// It need not be a Diffie-Hellman. Everything above it asks it for its sizes.
package protocol KEM: KeyKind {
  /// The number in HPKE's registry (RFC 9180, 7.1).
  var id: UInt16 { get }

  /// The length of an encapsulated key (Nenc), in bytes.
  var encapsulatedKeySize: Int { get }

  /// The length of a shared secret (Nsecret), in bytes.
  var sharedSecretSize: Int { get }

  /// How many random bytes one encapsulation takes.
  var encapsulationSeedSize: Int { get }

  /// Gets ready for one encapsulation with each ``encapsulationSeedSize`` bytes of `seeds`.
  ///
  /// Many can take less time than one after another.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen, and
  ///   ``CryptoError/unavailable``.
  func encapsulator(seeds: Span<UInt8>, _ hmac: HMACSHA256) throws(CryptoError) -> any Encapsulator

  /// Decap(enc, skR).
  ///
  /// `pkR` is skR's own public key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/invalidPrivateKey``,
  ///   ``CryptoError/unavailable``.
  func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Secret
}

/// Encapsulations with randomness that was drawn beforehand, each of which serves one message.
package protocol Encapsulator: AnyObject {
  /// Encap(pkR), with the next randomness; it is used up even if the public key is refused.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  func encapsulate(to pkR: Span<UInt8>) throws(CryptoError) -> Encapsulation
}

/// The result of an encapsulation: a secret, and what tells it to the recipient alone.
package struct Encapsulation: ~Copyable {
  /// The shared secret, Nsecret bytes.
  package let sharedSecret: Secret
  /// RFC 9180's `enc`, Nenc bytes.
  package let encapsulatedKey: [UInt8]

  /// Puts an encapsulation together.
  package init(sharedSecret: consuming Secret, encapsulatedKey: [UInt8]) {
    self.sharedSecret = sharedSecret
    self.encapsulatedKey = encapsulatedKey
  }
}

/// A recipient's private key, used where it is kept: Decap(·, skR) of RFC 9180, 4.
///
/// It need not be readable, and belongs to one KEM.
package protocol DecapsulationKey: Sendable {
  /// Decap(enc, skR); `pkR` is the key's own public key.
  ///
  /// A bad encapsulated key is refused before the private key is used.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/keyLocked`` or
  ///   ``CryptoError/keyUnavailable`` if the key cannot be used, ``CryptoError/invalidPrivateKey``,
  ///   ``CryptoError/notAuthentic``, ``CryptoError/unavailable``.
  func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Secret
}

/// A KEM's private key in memory.
package struct SoftwareKey: DecapsulationKey {
  private let kem: any KEM
  private let secret: SharedSecret

  /// Takes a serialized private key, which is checked when it is used.
  package init(_ kem: any KEM, _ secret: SharedSecret) {
    self.kem = kem
    self.secret = secret
  }

  /// Decap(enc, skR).
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try kem.decapsulate(enc, skR: secret.exposedBytes, pkR: pkR, hmac)
  }
}
