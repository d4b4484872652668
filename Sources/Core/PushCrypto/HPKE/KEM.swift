/// A key encapsulation mechanism (RFC 9180, 4); a new suite adds a type that conforms to this protocol.
///
/// The mechanism need not be based on Diffie-Hellman. Its callers use the sizes that it declares.
package protocol KEM: KeyKind {
  /// The identifier in HPKE's registry (RFC 9180, 7.1).
  var id: UInt16 { get }

  /// The length of an encapsulated key (Nenc), in bytes.
  var encapsulatedKeySize: Int { get }

  /// The length of a shared secret (Nsecret), in bytes.
  var sharedSecretSize: Int { get }

  /// The number of random bytes that one encapsulation uses.
  var encapsulationSeedSize: Int { get }

  /// Prepares an encapsulation for each recipient's public key, with the next ``encapsulationSeedSize`` bytes of `seeds`.
  ///
  /// A batch can take less time than separate calls.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for the RFC's DeriveKeyPairError, which does not happen in practice;
  ///   ``CryptoError/unavailable``.
  func encapsulator(
    to recipients: [[UInt8]], seeds: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator

  /// Prepares an encapsulation for each recipient's public key with unpredictable bytes from `random`, in whatever way is
  /// fastest.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, which does not happen in practice; ``CryptoError/unavailable``.
  func encapsulator(
    to recipients: [[UInt8]], random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator

  /// Recovers a shared secret: Decap(enc, skR).
  ///
  /// `pkR` is the public key that belongs to skR.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, ``CryptoError/invalidPrivateKey``,
  ///   ``CryptoError/unavailable``.
  func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret

  /// Makes a reusable private key from its serialized form, which is checked on use.
  func decapsulationKey(for skR: SharedSecret) -> any DecapsulationKey
}

extension KEM {
  /// Makes a key that stores only its serialized form.
  package func decapsulationKey(for skR: SharedSecret) -> any DecapsulationKey {
    SoftwareKey(kem: self, secret: skR)
  }

  /// Prepares encapsulations, each with a random seed.
  package func encapsulator(
    to recipients: [[UInt8]], random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let seeds = random.secret(count: recipients.count * encapsulationSeedSize)
    return try encapsulator(to: recipients, seeds: seeds.exposedBytes, by: hmac)
  }
}

/// Makes encapsulations, one for each recipient in turn, with randomness that was drawn in advance.
package protocol Encapsulator: AnyObject {
  /// Encapsulates a secret, Encap(pkR), to the next recipient, whose turn is over even if its public key is refused.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  func encapsulate() throws(CryptoError) -> Encapsulation
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

/// A recipient's private key of one KEM, used where it is stored: Decap(·, skR) of RFC 9180, 4.
///
/// The key's bytes need not be readable.
package protocol DecapsulationKey: Sendable {
  /// Recovers a shared secret: Decap(enc, skR).
  ///
  /// `pkR` is the public key that belongs to skR. A bad encapsulated key is refused before the private key is used.
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

  /// Recovers a shared secret: Decap(enc, skR).
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try kem.decapsulate(enc, skR: secret.exposedBytes, pkR: pkR, by: hmac)
  }
}
