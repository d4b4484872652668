@testable import PushCrypto
import Testing

/// Each rule for encodings alone.
///
/// libsodium has most of these rules too, so only these tests fail if one of this module's rules is missing.
struct Ed25519EncodingTests {
  /// L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, 5.1), little endian.
  private static let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")

  @Test func `scalars below L are reduced`() {
    let below = [Self.order[0] - 1] + Self.order.dropFirst()
    let cases: [([UInt8], Bool)] = [
      ([UInt8](repeating: 0, count: 32), true),
      ([1] + [UInt8](repeating: 0, count: 31), true),
      (below, true),
      (Self.order, false),
      ([Self.order[0] + 1] + Self.order.dropFirst(), false),
      (Self.order.dropLast() + [0x11], false),
      ([UInt8](repeating: 0, count: 31) + [0x10], true),
      ([UInt8](repeating: 0xff, count: 31) + [0x0f], true),
      ([UInt8](repeating: 0xff, count: 32), false),
    ]
    for (scalar, expected) in cases { #expect(isReduced(scalar) == expected) }
  }

  /// p = 2^255 - 19: its lowest byte is 0xed.
  @Test func `coordinates below p are canonical`() {
    for sign: UInt8 in [0, 0x80] {
      for lowest in UInt8.min...UInt8.max {
        let point = [lowest] + [UInt8](repeating: 0xff, count: 30) + [0x7f | sign]
        #expect(isCanonical(point) == (lowest < 0xed))
        let inner = [lowest, 0xfe] + [UInt8](repeating: 0xff, count: 29) + [0x7f | sign]
        #expect(isCanonical(inner))
        let small = [lowest] + [UInt8](repeating: 0, count: 30) + [sign]
        #expect(isCanonical(small))
      }
    }
  }

  @Test(arguments: Ed25519SmallOrder.points) func `small orders are known`(point: [UInt8]) {
    #expect(hasSmallOrder(point))
    for index in 0..<32 {
      var other = point
      other[index] ^= 0x04
      #expect(!hasSmallOrder(other))
    }
  }

  // `#expect` cannot take apart a call that has a span.
  private func isReduced(_ scalar: [UInt8]) -> Bool { Ed25519Encoding.isReduced(scalar.span) }
  private func isCanonical(_ point: [UInt8]) -> Bool { Ed25519Encoding.isCanonical(point.span) }
  private func hasSmallOrder(_ point: [UInt8]) -> Bool { Ed25519Encoding.hasSmallOrder(point.span) }
}
