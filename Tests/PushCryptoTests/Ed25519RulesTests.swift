import PushCrypto
import Testing

/// The verdicts on odd keys and signatures that libraries disagree about.
struct Ed25519RulesTests {
  /// y = p + k in place of y = k.
  ///
  /// For k = 0 and 1 the point has small order as well; for some others there is no point.
  @Test(arguments: 0...18 as ClosedRange<UInt8>, [0x7f, 0xff] as [UInt8])
  func `a key without canonical form is refused`(offset: UInt8, top: UInt8) {
    let noncanonical = [0xed + offset] + [UInt8](repeating: 0xff, count: 30) + [top]
    #expect(throws: CryptoError.invalidPublicKey) { try Ed25519.validate(publicKey: noncanonical.span) }
    let signature = [UInt8](repeating: 1, count: 63) + [0]
    let isValid = Ed25519.isValid(signature.span, on: Span(), publicKey: noncanonical.span)
    #expect(!isValid)
  }

  @Test(arguments: 2...18 as ClosedRange<UInt8>) func `the same key in canonical form passes`(y: UInt8) throws
  {
    let canonical = [y] + [UInt8](repeating: 0, count: 31)
    try Ed25519.validate(publicKey: canonical.span)
  }

  /// [S + L]B = [S]B, so without the check on S a second signature can be made from any.
  @Test func `S + L is refused`() throws {
    let privateKey = [UInt8](repeating: 0x42, count: 32)
    let publicKey = try Ed25519.publicKey(of: privateKey.span)
    for message in UInt8.min...31 {
      let signature = try Ed25519.sign(
        [message].span, privateKey: privateKey.span, publicKey: publicKey.span)
      let isValid = Ed25519.isValid(signature.span, on: [message].span, publicKey: publicKey.span)
      #expect(isValid)
      let malleable = signature.prefix(32) + sum(Array(signature.suffix(32)), Self.order)
      let isMalleableValid = Ed25519.isValid(
        Array(malleable).span, on: [message].span, publicKey: publicKey.span)
      #expect(!isMalleableValid)
    }
  }

  /// A = [a]B + T, a = 0x07654321, T of order 8, R = [0x99]B, S = 0x99 + h a mod L.
  ///
  /// [S]B = R + [h]A - [h]T, h = SHA-512(R | A | M) mod L. With M = 03, h is a multiple of 8 and the last
  /// term is the identity; with M = 00 it is not, and the equation holds only after multiplication by 8.
  @Test(
    arguments: [
      (3, "6e02456aa8dce5eb1236eddfff77a7ebb9260d46a54eba30d5df6071361f6a07", true),
      (0, "5fb8f2df4f8ab1f4f05050e647ed8d7ed8a298f07005067df6251a8a7c0c0707", false),
    ] as [(UInt8, String, Bool)])
  func `the equation is the one without the cofactor`(message: UInt8, scalar: String, expected: Bool) {
    let publicKey = bytes("0e1273217677fd3e28866d181567dbf608acbe80634c71a148bdee6044be12ad")
    let signature = bytes("770d7a156b7c1804ac08476cf402546aa6b2b5b9cf8979195a46f5ebd6189a7c" + scalar)
    let isValid = Ed25519.isValid(signature.span, on: [message].span, publicKey: publicKey.span)
    #expect(isValid == expected)
  }

  @Test(arguments: [0, 1, 32, 63, 65, 128]) func `a signature has 64 bytes`(count: Int) throws {
    let privateKey = [UInt8](repeating: 0x42, count: 32)
    let publicKey = try Ed25519.publicKey(of: privateKey.span)
    let signature = try Ed25519.sign(Span(), privateKey: privateKey.span, publicKey: publicKey.span)
    let other = Array((signature + [UInt8](repeating: 0, count: 64)).prefix(count))
    let isValid = Ed25519.isValid(other.span, on: Span(), publicKey: publicKey.span)
    #expect(!isValid)
  }

  @Test func `any bit that flips is noticed`() throws {
    let privateKey = [UInt8](repeating: 0x42, count: 32)
    let publicKey = try Ed25519.publicKey(of: privateKey.span)
    let message = [UInt8]("message".utf8)
    let signature = try Ed25519.sign(message.span, privateKey: privateKey.span, publicKey: publicKey.span)
    for bit in 0..<8 * signature.count {
      var flipped = signature
      flipped[bit / 8] ^= 1 << (bit % 8)
      let isValid = Ed25519.isValid(flipped.span, on: message.span, publicKey: publicKey.span)
      #expect(!isValid, "bit \(bit)")
    }
  }

  /// L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032, 5.1), little endian.
  private static let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")

  /// The sum of two little-endian numbers, which must fit their length.
  private func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var carry = 0
    return zip(left, right).map { left, right in
      let digit = Int(left) + Int(right) + carry
      carry = digit >> 8
      return UInt8(digit & 0xff)
    }
  }
}
