/// A KEM that keeps no secret, with sizes that no Diffie-Hellman has: it shows that a suite needs nothing but this file,
/// its backend and a line in each table.
package struct MadeUpKEM: KEM {
  package init() {}

  package var id: UInt16 { 0xfffe }

  package var privateKeySize: Int { 48 }

  package var publicKeySize: Int { 1216 }

  package var encapsulatedKeySize: Int { 1120 }

  package var sharedSecretSize: Int { 32 }

  package var encapsulationSeedSize: Int { 40 }

  package var pkcs8: PKCS8Form? {
    PKCS8Form(algorithm: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x7f], contents: .octetString)
  }

  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    guard publicKey.count == publicKeySize else { throw .invalidPublicKey }
  }

  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == privateKeySize else { throw .invalidPrivateKey }
    return MadeUpBackend.expand(privateKey, publicKeySize)
  }

  package func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    KeyPair(publicKey: try publicKey(of: ikm), privateKey: Secret(copying: ikm))
  }

  package func encapsulator(
    seeds: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    MadeUpEncapsulator(self, [UInt8](copying: seeds))
  }

  package func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    guard enc.count == encapsulatedKeySize else { throw .invalidPublicKey }
    let own = try publicKey(of: skR)
    return MadeUpBackend.secret(enc, own.span)
  }
}

private final class MadeUpEncapsulator: Encapsulator {
  private let kem: MadeUpKEM
  private var seeds: [UInt8]

  init(_ kem: MadeUpKEM, _ seeds: [UInt8]) { (self.kem, self.seeds) = (kem, seeds) }

  func encapsulate(to pkR: Span<UInt8>) throws(CryptoError) -> Encapsulation {
    try kem.validate(publicKey: pkR)
    let seed = Array(seeds.prefix(kem.encapsulationSeedSize))
    seeds.removeFirst(kem.encapsulationSeedSize)
    let enc = MadeUpBackend.expand(seed.span, kem.encapsulatedKeySize)
    return Encapsulation(sharedSecret: MadeUpBackend.secret(enc.span, pkR), encapsulatedKey: enc)
  }
}
