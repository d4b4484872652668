import PushCrypto
import Testing

/// The private keys of P-256: 32 bytes, from 1 to the order n - 1.
struct P256ScalarTests {
  /// The base point G (SEC 2, 2.4.2).
  private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
  private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  /// p - y.
  private static let minusY = "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a"

  private static let one = [UInt8](repeating: 0, count: 31) + [1]
  private static let orderMinusOne = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550")

  static let refused: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),  // n
    bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552"),  // n + 1
    [UInt8](repeating: 0xff, count: 32),
    [],
    [1],
    [UInt8](repeating: 1, count: 31),
    [UInt8](repeating: 1, count: 33),
    [0] + orderMinusOne,
  ]

  @Test(arguments: refused) func `are refused`(privateKey: [UInt8]) {
    #expect(throws: CryptoError.invalidPrivateKey) { try P256.publicKey(of: privateKey.span) }
    #expect(throws: CryptoError.invalidPrivateKey) { try DHKEM.p256.publicKey(of: privateKey.span) }
    #expect(throws: CryptoError.invalidPrivateKey) {
      let basePoint = bytes("04" + Self.x + Self.y)
      _ = try P256.sharedSecret(privateKey: privateKey.span, publicKey: basePoint.span)
    }
  }

  @Test func `1 gives the base point`() throws {
    #expect(try P256.publicKey(of: Self.one.span) == bytes("04" + Self.x + Self.y))
  }

  @Test func `n - 1 gives the base point's negative`() throws {
    #expect(try P256.publicKey(of: Self.orderMinusOne.span) == bytes("04" + Self.x + Self.minusY))
  }

  @Test(arguments: [one, orderMinusOne]) func `1 and n - 1 keep a point's x`(privateKey: [UInt8]) throws {
    let basePoint = bytes("04" + Self.x + Self.y)
    let shared = try P256.sharedSecret(privateKey: privateKey.span, publicKey: basePoint.span)
    #expect(exposed(shared) == bytes(Self.x))
  }
}
