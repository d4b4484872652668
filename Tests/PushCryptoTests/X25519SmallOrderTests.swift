import PushCrypto
import Testing

/// Public keys that give every private key the all-zero shared secret.
///
/// The hostile vectors test that a ciphertext made for the all-zero secret does not open.
struct X25519SmallOrderTests {
  /// The seven encodings, little endian, of the u coordinates whose points have order 1, 2, 4 or 8 on the
  /// curve or its twist, and again with the top bit, which X25519 ignores.
  static let points: [[UInt8]] = {
    let points = [
      // 0 (order 2)
      "0000000000000000000000000000000000000000000000000000000000000000",
      // 1 (order 4)
      "0100000000000000000000000000000000000000000000000000000000000000",
      // 325606250916557431795983626356110631294008115727848805560023387167927233504 (order 8)
      "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
      // 39382357235489614581723060781553021112529911719440698176882885853963445705823 (order 8)
      "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
      // p - 1, p = 2^255 - 19 (order 4 on the twist)
      "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      // p, which is 0
      "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
      // p + 1, which is 1
      "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].map { bytes($0) }
    return points + points.map { $0.dropLast() + [$0[31] | 0x80] }
  }()

  @Test func `there are fourteen`() { #expect(Set(Self.points).count == 14) }

  @Test(arguments: points) func `are refused as a key`(point: [UInt8]) {
    #expect(throws: CryptoError.invalidPublicKey) { try X25519.validate(publicKey: point.span) }
    #expect(throws: CryptoError.invalidPublicKey) { try DHKEM.x25519.validate(publicKey: point.span) }
  }

  @Test(arguments: points) func `are refused in an agreement`(point: [UInt8]) {
    let privateKey = [UInt8](repeating: 0x42, count: 32)
    #expect(throws: CryptoError.invalidPublicKey) {
      _ = try X25519.sharedSecret(privateKey: privateKey.span, publicKey: point.span)
    }
  }

  @Test(arguments: points) func `are refused as a recipient`(point: [UInt8]) {
    #expect(throws: CryptoError.invalidPublicKey) {
      try HPKE.seal(
        [1].span, to: point.span, suite: .x25519ChaChaPoly, info: Span(), aad: Span(),
        random: SystemRandom())
    }
  }

  @Test(arguments: points) func `are refused as an encapsulated key`(point: [UInt8]) throws {
    let skR = [UInt8](repeating: 0x42, count: 32)
    let pkR = try X25519.publicKey(of: skR.span)
    let ciphertext = [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.invalidPublicKey) {
      _ = try HPKE.open(
        ciphertext.span, encapsulatedKey: point.span, skR: skR.span, pkR: pkR.span, suite: .x25519ChaChaPoly,
        info: Span(), aad: Span())
    }
  }

  @Test(arguments: 2...18) func `other coordinates without a canonical form are accepted`(offset: UInt8)
    throws
  {
    let noncanonical = [0xed + offset] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    try X25519.validate(publicKey: noncanonical.span)
    let canonical = [offset] + [UInt8](repeating: 0, count: 31)
    let privateKey = [UInt8](repeating: 0x42, count: 32)
    let left = try X25519.sharedSecret(privateKey: privateKey.span, publicKey: noncanonical.span)
    let right = try X25519.sharedSecret(privateKey: privateKey.span, publicKey: canonical.span)
    #expect(exposed(left) == exposed(right))
  }
}
