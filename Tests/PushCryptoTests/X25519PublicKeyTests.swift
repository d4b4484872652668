@testable import PushCrypto
import Testing

/// X25519(sk, 9) against libsodium's own ladder; Linux computes it from Ed25519's table and the map between the curves.
struct X25519PublicKeyTests {
  #if !canImport(CryptoKit)  // CryptoKit has only one way
    @Test func `both ways agree on random keys`() {
      for count in [1, 2, 3, 64] + [Int](repeating: 7, count: 500) {
        let keys = SystemRandom().secret(count: count * X25519.keySize)
        let table = SodiumX25519.publicKeysByTable(of: keys.exposedBytes)
        #expect(table == SodiumX25519.publicKeysByBasePoint(of: keys.exposedBytes))
      }
    }
  #endif

  /// Keys with each bit that clamping sets or clears, alone and together, and the ends of the range.
  @Test(arguments: [
    [UInt8](repeating: 0, count: 31) + [1], [UInt8](repeating: 0xff, count: 32),
    [UInt8](repeating: 1, count: 32),
    [1] + [UInt8](repeating: 0, count: 31), [7] + [UInt8](repeating: 0, count: 31),
    [8] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0, count: 31) + [0x40],
    [UInt8](repeating: 0, count: 31) + [0x80], [UInt8](repeating: 0, count: 31) + [0xc0],
    [0xf8] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    // the group's order, and its neighbours
    bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"),
    bytes("ecd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"),
    bytes("eed3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"),
  ]) func `both ways agree at the edges`(key: [UInt8]) throws {
    let nine = [9] + [UInt8](repeating: 0, count: 31)
    let product = try X25519.sharedSecret(privateKey: key.span, publicKey: nine.span)
    #expect(try X25519.publicKey(of: key.span) == exposed(product))
    #if !canImport(CryptoKit)  // CryptoKit has only one way
      #expect(SodiumX25519.publicKeysByBasePoint(of: key.span) == exposed(product))
      #expect(SodiumX25519.publicKeysByTable(of: key.span) == exposed(product))
    #endif
  }

  /// libsodium refuses zero on Ed25519's curve; X25519 clamps it to a key like any other.
  @Test func `the key of zeros has a public key too`() throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    let nine = [9] + [UInt8](repeating: 0, count: 31)
    let expected = try X25519.sharedSecret(privateKey: zeros.span, publicKey: nine.span)
    #expect(try X25519.publicKey(of: zeros.span) == exposed(expected))
  }

  @Test(arguments: 0..<3) func `the key of zeros harms no key beside it`(position: Int) throws {
    let keys = (0..<3).map { [UInt8](repeating: $0 == position ? 0 : UInt8($0 + 1), count: 32) }
    let row = keys.flatMap(\.self)
    let publicKeys = X25519.publicKeys(of: row.span)
    #expect(publicKeys == (try keys.flatMap { try X25519.publicKey(of: $0.span) }))
  }

  @Test func `no keys have no public keys`() {
    #expect(X25519.publicKeys(of: Span()) == [])
  }
}
