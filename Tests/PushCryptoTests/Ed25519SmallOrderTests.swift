import PushCrypto
import Testing

/// Signatures whose equation [S]B = R + [h]A holds, h = SHA-512(R | A | M) mod L, but whose A or R has small
/// order.
///
/// They prove nothing: they can be made without a private key.
struct Ed25519SmallOrderTests {
  @Test func `there are fourteen`() { #expect(Set(Ed25519SmallOrder.points).count == 14) }

  @Test(arguments: Ed25519SmallOrder.points) func `are refused as a public key`(point: [UInt8]) {
    #expect(throws: CryptoError.invalidPublicKey) { try Ed25519.validate(publicKey: point.span) }
  }

  /// With S = 0x01234567, R = [S]B and a one-byte message for which h is a multiple of 8, [h]A is the
  /// identity whichever point of small order A is, so the equation holds.
  @Test(arguments: zip(Ed25519SmallOrder.points, messages))
  func `verify nothing as a public key`(point: [UInt8], message: UInt8) {
    let isValid = Ed25519.isValid(Self.signature.span, on: [message].span, publicKey: point.span)
    #expect(!isValid)
  }

  /// If A is the identity, so is [h]A for every message: one signature would be valid for all messages.
  @Test(
    arguments: Ed25519SmallOrder.points.filter { [0x01, 0xee].contains($0[0]) }, ["", "a", "any message"])
  func `the identity verifies nothing`(identity: [UInt8], message: String) {
    let message = [UInt8](message.utf8)
    let isValid = Ed25519.isValid(Self.signature.span, on: message.span, publicKey: identity.span)
    #expect(!isValid)
    // R = the identity, S = 0: the same without even a point to choose.
    let zero = identity + [UInt8](repeating: 0, count: 32)
    let isZeroValid = Ed25519.isValid(zero.span, on: message.span, publicKey: identity.span)
    #expect(!isZeroValid)
  }

  /// A = [a]B with a = 0x07654321, M = "message", S = h a mod L, so that [S]B = [h]A.
  ///
  /// With R = the identity the
  /// equation holds as it stands, with the other R after multiplication by 8.
  @Test(arguments: zip(Ed25519SmallOrder.points, scalars))
  func `are refused as R`(point: [UInt8], scalar: [UInt8]) throws {
    let publicKey = bytes("62a1b4e66acb0b37d06030fb317ac0bca8b164f543999ac033114378078f8fcf")
    try Ed25519.validate(publicKey: publicKey.span)
    let signature = point + scalar
    let isValid = Ed25519.isValid(signature.span, on: [UInt8]("message".utf8).span, publicKey: publicKey.span)
    #expect(!isValid)
  }

  /// The same key with R = [0x99]B, S = 0x99 + h a mod L verifies, so it is R that was refused above.
  @Test func `the key itself is a good one`() {
    let publicKey = bytes("62a1b4e66acb0b37d06030fb317ac0bca8b164f543999ac033114378078f8fcf")
    let signature = bytes(
      "770d7a156b7c1804ac08476cf402546aa6b2b5b9cf8979195a46f5ebd6189a7c"
        + "fee1adc42d7b883b19820018ec6c34f52d7d602cbaf369bff76083dc1c5a8703")
    let isValid = Ed25519.isValid(signature.span, on: [UInt8]("message".utf8).span, publicKey: publicKey.span)
    #expect(isValid)
  }

  private static let signature = bytes(
    "93c9449be4e3975f799a691f11d3bdab8ac6348ba2afbdfb9310fdb6b32ebdd7"
      + "6745230100000000000000000000000000000000000000000000000000000000")

  /// A message for each of the points.
  private static let messages: [UInt8] = [
    0x07, 0x07, 0x08, 0x08, 0x03, 0x01, 0x04,
    0x10, 0x0c, 0x10, 0x04, 0x07, 0x09, 0x34,
  ]

  /// An S for each of the points.
  private static let scalars: [[UInt8]] = [
    "d69e8a34febf35889801c9f308490518f5469ccf288c118bcf1a7949ff954b07",
    "3de9283d897d83278203095a368a0d1dd76a09dc055036e8aad5baa7d4eca30e",
    "54e4adf930142a3ad4a02f97056218a167ebe9430a52f4b35076cb1d6db60602",
    "be00ea8a05e05f0603d535333d045e7ca40e4fb4ba8b4ea4577cb0afe259ec00",
    "bd2923f721890924f74ee7d4e85465c17584d7716c00a7dfc0c38e998a467c05",
    "8323a8908d887ae6362d4a9b974dcec29aa71ad60f4b5b480345f522583e5b01",
    "eb8f62207bcaca8abe3e7490b46b9c77e1f891348eb7132e8f6789547accbf04",
    "10de6f2ce7040ce528a187a5fe40ee9e2022252b6c93f6904bf5b0d2d9ee840e",
    "45bdad1c29d41be9b23be4ff278a0c881706ed493fd06a82de790e599d040d0f",
    "b92115b5e0e6ae42f23eb848cc3e5b9a2b07dbba24894fa050f9fd2835fd290b",
    "2ce120069dff04d1e503181b9584f13db5a5d8158917463eef5ef59607235708",
    "926128fc9ed19dbb8f88d5a6cf93988f1b8898de599c4b2f03a229c1d48c6d0a",
    "d693ec16f55d3513eced2921d20085cc46cda58a5cc0d5666620d9d1c7e5a90d",
    "90f917341e0ed69587128d24b93c3609d6e314b0e48a2e0916f83dfdfba0b70b",
  ].map { bytes($0) }
}
