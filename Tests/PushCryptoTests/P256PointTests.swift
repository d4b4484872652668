import PushCrypto
import Testing

/// P-256 takes points only as 0x04, x and y, so that a key has one encoding.
struct P256PointTests {
  /// The base point G (SEC 2, 2.4.2), whose y is odd.
  private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
  private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

  private static let one = [UInt8](repeating: 0, count: 31) + [1]

  private func refuse(_ point: [UInt8]) {
    #expect(throws: CryptoError.invalidPublicKey) { try P256.validate(publicKey: point.span) }
    #expect(throws: CryptoError.invalidPublicKey) {
      _ = try P256.sharedSecret(privateKey: Self.one.span, publicKey: point.span)
    }
  }

  @Test func `uncompressed`() throws {
    let point = bytes("04" + Self.x + Self.y)
    try P256.validate(publicKey: point.span)
  }

  @Test func `compressed`() { refuse(bytes("03" + Self.x)) }

  @Test func `hybrid, with the sign of y beside y`() { refuse(bytes("07" + Self.x + Self.y)) }

  @Test func `at infinity`() { refuse([0]) }
}
