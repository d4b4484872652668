/// A key encapsulation mechanism (RFC 9180, 4): the seam for a new suite.
///
/// It need not be based on Diffie-Hellman. All code above it uses the sizes that it declares.
package protocol KEM: KeyKind {
  /// The identifier in HPKE's registry (RFC 9180, 7.1).
  var id: UInt16 { get }

  /// The length of an encapsulated key (Nenc), in bytes.
  var encapsulatedKeySize: Int { get }

  /// The length of a shared secret (Nsecret), in bytes.
  var sharedSecretSize: Int { get }

  /// The number of random bytes that one encapsulation uses.
  var encapsulationSeedSize: Int { get }

  /// Prepares one encapsulation for each ``encapsulationSeedSize`` bytes of `seeds`.
  ///
  /// A batch can take less time than separate calls.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for the RFC's DeriveKeyPairError, which does not happen in practice;
  ///   ``CryptoError/unavailable``.
  func encapsulator(seeds: Span<UInt8>, by hmac: HMACSHA256) throws(CryptoError) -> any Encapsulator

  /// Prepares `count` encapsulations with unpredictable bytes from `random`, in whatever way is fastest.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, which does not happen in practice; ``CryptoError/unavailable``.
  func encapsulator(
    count: Int, random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator

  /// Decap(enc, skR).
  ///
  /// `pkR` is the public key that belongs to skR.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/invalidPrivateKey``,
  ///   ``CryptoError/unavailable``.
  func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret

  /// Makes a private key for repeated use from its serialized form, which is checked on use.
  func decapsulationKey(for skR: SharedSecret) -> any DecapsulationKey
}

extension KEM {
  /// Makes a key that keeps only its serialized form.
  package func decapsulationKey(for skR: SharedSecret) -> any DecapsulationKey {
    SoftwareKey(kem: self, secret: skR)
  }

  /// Prepares `count` encapsulations, each with a random seed.
  package func encapsulator(
    count: Int, random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let seeds = random.secret(count: count * encapsulationSeedSize)
    return try encapsulator(seeds: seeds.exposedBytes, by: hmac)
  }
}

/// A series of encapsulations with randomness drawn in advance, one for each message.
package protocol Encapsulator: AnyObject {
  /// Encap(pkR), with the next randomness, which is used up even if the public key is refused.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  func encapsulate(to pkR: Span<UInt8>) throws(CryptoError) -> Encapsulation
}

/// The result of an encapsulation: a shared secret, and the key from which only the recipient can recover it.
package struct Encapsulation: ~Copyable {
  /// The shared secret, Nsecret bytes.
  package let sharedSecret: Secret
  /// RFC 9180's `enc`, Nenc bytes.
  package let encapsulatedKey: [UInt8]

  /// Makes an encapsulation.
  package init(sharedSecret: consuming Secret, encapsulatedKey: [UInt8]) {
    self.sharedSecret = sharedSecret
    self.encapsulatedKey = encapsulatedKey
  }
}

/// A recipient's private key, used where it is stored: Decap(·, skR) of RFC 9180, 4.
///
/// The key need not be readable. It belongs to one KEM.
package protocol DecapsulationKey: Sendable {
  /// Decap(enc, skR); `pkR` is the public key that belongs to skR.
  ///
  /// A bad encapsulated key is refused before the private key is used.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/keyLocked`` or
  ///   ``CryptoError/keyUnavailable`` if the key cannot be used, ``CryptoError/invalidPrivateKey``,
  ///   ``CryptoError/notAuthentic``, ``CryptoError/unavailable``.
  func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret
}

/// A KEM's private key in memory.
package struct SoftwareKey: DecapsulationKey {
  private let kem: any KEM
  private let secret: SharedSecret

  /// Makes a key from a serialized private key, which is checked on use.
  package init(kem: any KEM, secret: SharedSecret) {
    self.kem = kem
    self.secret = secret
  }

  /// Decap(enc, skR).
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try kem.decapsulate(enc, skR: secret.exposedBytes, pkR: pkR, by: hmac)
  }
}
