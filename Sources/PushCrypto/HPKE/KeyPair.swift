/// A key pair of a KEM.
package struct KeyPair: ~Copyable {
  /// The serialized public key.
  package let publicKey: [UInt8]

  /// The serialized private key.
  package let privateKey: Secret

  init(publicKey: [UInt8], privateKey: consuming Secret) {
    self.publicKey = publicKey
    self.privateKey = privateKey
  }

  /// Gives up the pair for its private key.
  package consuming func takePrivateKey() -> Secret { privateKey }
}

/// What encapsulation gives: a secret, and what lets the recipient have it too.
struct Encapsulation: ~Copyable {
  let sharedSecret: Secret
  let encapsulatedKey: [UInt8]

  init(sharedSecret: consuming Secret, encapsulatedKey: [UInt8]) {
    self.sharedSecret = sharedSecret
    self.encapsulatedKey = encapsulatedKey
  }
}
