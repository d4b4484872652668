@testable import PushCrypto
import TestSupport
import Testing

#if !canImport(CryptoKit)  // which computes X25519 public keys by itself
  /// The map from Ed25519's points to X25519's (RFC 7748, 4.1), whose points share one inversion.
  struct BirationalMapTests {
    private static let zero = [UInt8](repeating: 0, count: 32)
    private static let one = [1] + [UInt8](repeating: 0, count: 31)
    private static let minusOne = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    /// y = 4/5, the base point's, which is u = 9.
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

    /// What one computation leaves behind is another's scratch memory.
    @Test(.hangGuard) func `several threads compute at once`() async {
      await withTaskGroup(of: Bool.self) { group in
        for count in 1...16 {
          group.addTask { Self.mapsOftenEnough(count) }
        }
        for await isRight in group { #expect(isRight) }
      }
    }

    private static func map(_ points: [UInt8]) -> [UInt8]? { OpenSSLBirationalMap.u(ofPoints: points.span) }

    private static func mapsOftenEnough(_ count: Int) -> Bool {
      let points = [[UInt8]](repeating: base, count: count).flatMap(\.self)
      let expected = [[UInt8]](repeating: nine, count: count).flatMap(\.self)
      for _ in 0..<50 where map(points) != expected { return false }
      return true
    }
  }
#endif
