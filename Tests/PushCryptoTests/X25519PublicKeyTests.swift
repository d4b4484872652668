@testable import PushCrypto
import Testing

/// X25519(sk, 9) by Ed25519's table and the map between the curves, against libsodium's own ladder.
struct X25519PublicKeyTests {
  @Test func `both ways agree on random keys`() {
    for _ in 0..<4000 {
      let key = SystemRandom().secret(X25519.keySize)
      let table = SodiumX25519.publicKeyByTable(of: key.exposedBytes)
      #expect(table == SodiumX25519.publicKeyByLadder(of: key.exposedBytes))
    }
  }

  /// The bits that clamping sets and clears, alone and together, and the ends of the range.
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
    let ladder = SodiumX25519.publicKeyByLadder(of: key.span)
    #expect(SodiumX25519.publicKeyByTable(of: key.span) == ladder)
    #expect(try X25519.publicKey(of: key.span) == ladder)
  }

  /// libsodium refuses zero on Ed25519's curve; X25519 clamps it to a key like any other.
  @Test func `the key of zeros has a public key too`() throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    let nine = [9] + [UInt8](repeating: 0, count: 31)
    let expected = try X25519.sharedSecret(privateKey: zeros.span, publicKey: nine.span)
    #expect(try X25519.publicKey(of: zeros.span) == exposed(expected))
  }

  /// RFC 7748, 4.1: y = 1 is the point at infinity, y = -1 is u = 0, y = 4/5 is u = 9.
  @Test func `the map knows its exceptions`() {
    let one = [1] + [UInt8](repeating: 0, count: 31)
    #expect(OpenSSLBirationalMap.u(ofPoint: one.span) == nil)
    let minusOne = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    #expect(OpenSSLBirationalMap.u(ofPoint: minusOne.span) == [UInt8](repeating: 0, count: 32))
    for top in [0x66, 0xe6] as [UInt8] {  // the top bit is not y's
      let base = [0x58] + [UInt8](repeating: 0x66, count: 30) + [top]
      #expect(OpenSSLBirationalMap.u(ofPoint: base.span) == [9] + [UInt8](repeating: 0, count: 31))
    }
  }
}
