@testable import PushCrypto
import Testing

#if !canImport(CryptoKit)  // which computes X25519 public keys by itself
  /// The map from Ed25519's points to X25519's (RFC 7748, 4.1), whose points share one inversion.
  struct BirationalMapTests {
    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let one = [1] + [UInt8](repeating: 0, count: 31)
    private static let minusOne = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    /// The base point's y = 4/5, which the map takes to u = 9.
    private static let base = [0x58] + [UInt8](repeating: 0x66, count: 31)
    private static let nine = [9] + [UInt8](repeating: 0, count: 31)

    @Test func `the base point becomes the base point`() {
      #expect(Self.map(Self.base) == Self.nine)
    }

    @Test func `the sign of x makes no difference`() {
      var base = Self.base
      base[31] |= 0x80
      #expect(Self.map(base) == Self.nine)
    }

    /// y = 0 is u = 1, and y = -1 is u = 0.
    @Test func `the map knows its ends`() {
      #expect(Self.map(Self.zero) == Self.one)
      #expect(Self.map(Self.minusOne) == Self.zero)
    }

    /// 1 - y is zero, which has no inverse.
    @Test func `the neutral point becomes zero`() {
      #expect(Self.map(Self.one) == Self.zero)
    }

    @Test(arguments: 0..<3) func `the neutral point harms no point beside it`(position: Int) {
      var points = [Self.base, Self.minusOne]
      var expected = [Self.nine, Self.zero]
      points.insert(Self.one, at: position)
      expected.insert(Self.zero, at: position)
      #expect(Self.map(points.flatMap(\.self)) == expected.flatMap(\.self))
    }

    /// Coordinates at the edges of 51-bit limbs and of the field, and those whose u is there; computed with Python's
    /// integers.
    @Test func `the map is exact at the edges of its limbs`() {
      for (y, u) in Self.edges { #expect(Self.map(bytes(y)) == bytes(u), "y = \(y)") }
      #expect(Self.map(Self.edges.flatMap { bytes($0.y) }) == Self.edges.flatMap { bytes($0.u) })
    }

    private static func map(_ points: [UInt8]) -> [UInt8] {
      var points = points
      BirationalMap.replaceByU(&points)
      return points
    }

    /// y and u, in little endian.
    private static let edges: [(y: String, u: String)] = [
      (
        "ffffffffffff0700000000000000000000000000000000000000000000000000",
        "237662277662a7d8899dd8899d6227766227768a9dd8899dd829766227766227"
      ),
      (
        "0000000000000800000000000000000000000000000000000000000000000000",
        "da388ee3388e1bc7711cc771dc388ee3388ee3c6711cc7711c378ee3388ee338"
      ),
      (
        "0100000000000800000000000000000000000000000000000000000000000000",
        "efffffffffffffffffffffffffffffffffffffffffffffffff9fbc86f21aca6b"
      ),
      (
        "ffffffffffffffffffffffff3f00000000000000000000000000000000000000",
        "717c606487c2763d29730c70f08f0f8cec50d8ae27658e010efef181911d0a5b"
      ),
      (
        "0000000000000000000000004000000000000000000000000000000000000000",
        "d2822dd8822d5ab0055bb0050bb6600bb6608b166cc1166cc1822dd8822dd822"
      ),
      (
        "0100000000000000000000004000000000000000000000000000000000000000",
        "f1ffffffffffffffffffffffffffffffffffff93d7505e43790de53594d7505e"
      ),
      (
        "ffffffffffffffffffffffffffffffffffffff01000000000000000000000000",
        "b89790d0d21e1e8876f54a937834986f20dde5ca9790d0d21e1e8876f54a9378"
      ),
      (
        "0000000000000000000000000000000000000002000000000000000000000000",
        "fd6edd22296559ea79b36c10142563908ac0e907deba4552cab2d4f366d92028"
      ),
      (
        "0100000000000000000000000000000000000002000000000000000000000000",
        "eeffffffffffffffffffffff7ff21aca6b28afa1bc86f21aca6b28afa1bc8672"
      ),
      (
        "ffffffffffffffffffffffffffffffffffffffffffffffffff0f000000000000",
        "89c242b75b4a3ce7d98cab2376492369abdaa6a938fa4c67c2c41416badd5262"
      ),
      (
        "0000000000000000000000000000000000000000000000000010000000000000",
        "b91e9d2994b6446bbba5b79dbe0419a4abbb5d4591522dfe1953ecd19942694b"
      ),
      (
        "0100000000000000000000000000000000000000000000000010000000000000",
        "fcffffffffff4f5e43790de53594d7505e43790de53594d7505e43790de53514"
      ),
      (
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3f",
        "8688888888888888888888888888888888888888888888888888888888888808"
      ),
      (
        "0000000000000000000000000000000000000000000000000000000000000040",
        "9296969696969696969696969696969696969696969696969696969696969616"
      ),
      (
        "0100000000000000000000000000000000000000000000000000000000000040",
        "89d7505e43790de53594d7505e43790de53594d7505e43790de53594d7505e43"
      ),
      (
        "0200000000000000000000000000000000000000000000000000000000000000",
        "eaffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      ),
      (
        "0300000000000000000000000000000000000000000000000000000000000000",
        "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      ),
      (
        "1200000000000000000000000000000000000000000000000000000000000000",
        "3f4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b4b"
      ),
      (
        "1300000000000000000000000000000000000000000000000000000000000000",
        "da388ee3388ee3388ee3388ee3388ee3388ee3388ee3388ee3388ee3388ee338"
      ),
      (
        "1400000000000000000000000000000000000000000000000000000000000000",
        "c46b28afa1bc86f21aca6b28afa1bc86f21aca6b28afa1bc86f21aca6b28af21"
      ),
      (
        "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "a4aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2a"
      ),
      (
        "eaffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3f"
      ),
      (
        "f6ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3f",
        "4955555555555555555555555555555555555555555555555555555555555555"
      ),
      (
        "f7ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff3f",
        "0300000000000000000000000000000000000000000000000000000000000000"
      ),
      (
        "000000000000f8ffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "2c8b9ee92cda14cc9bd94cb62577d32722186651b31148ee105dface9114eb0c"
      ),
      (
        "ffffffffffff070000000000c0ffffffffffffffffffffffffffffffffffff7f",
        "3c65078fbaa7dd6a991ad753fb2c5b77b3049ff5619511dfee6265d51303aa75"
      ),
      (
        "ffffffffffffffffffffffff3f000000000000feffffffffffffffffffffff7f",
        "b8d40147dc4a714e6b21e0c2f7869fa42833b858d0eb160f643e470a891d0731"
      ),
      (
        "ffffffffffffffffffffffffffffffffffffff010000000000f0ffffffffff7f",
        "c538c5d9745f15d6889c3d0f33e2afea422da8ddf01ba07a0bf6d0f423d01b0e"
      ),
      (
        "4955555555555555555555555555555555555555555555555555555555555555",
        "0200000000000000000000000000000000000000000000000000000000000000"
      ),
      (
        "f1ffffffffffffffffffffffffffffffffffffffffffffffff9fbc86f21aca6b",
        "ffffffffffff0700000000000000000000000000000000000000000000000000"
      ),
      (
        "233333333333676666666666c6cccccccccccc99999999999931333333333373",
        "0000000000000800000000000000000000000000000000000000000000000000"
      ),
      (
        "f3ffffffffffffffffffffffffffffffffffff93d7505e43790de53594d7505e",
        "ffffffffffffffffffffffff3f00000000000000000000000000000000000000"
      ),
      (
        "ef3b44e8908c7d6d92e1f873294bddf11dea3131e6207a82ddc240bc7bf13627",
        "0000000000000000000000000000000000000000000000000010000000000000"
      ),
      (
        "32cff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33c4f",
        "0000000000000000000000000000000000000000000000000000000000000040"
      ),
      (
        "13c7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711cc7711c47",
        "daffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      ),
      (
        "2994d7505e43790de53594d7505e43790de53594d7505e43790de53594d7505e",
        "d9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
      ),
      (
        "c83aa50bc53a23b1db37b54a41ad24e3aeeae6de41c112918fbf8080073a0673",
        "000000000000f8ffffffffffffffffffffffffffffffffffffffffffffffff7f"
      ),
    ]
  }
#endif
