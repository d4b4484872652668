import PushCrypto
import Testing

/// P-256 key agreement against Wycheproof.
struct P256VectorTests {
  static func cases() throws -> [AgreementCase] { try AgreementCase.load("ecdh_secp256r1_ecpoint") }

  @Test func `the file is complete`() throws {
    let cases = try Self.cases()
    #expect(cases.count == 355)
    #expect(cases.count { $0.result == .valid } == 330)
    #expect(cases.count { $0.result == .invalid } == 24)
  }

  /// The one `acceptable` case has a compressed point, which is not HPKE's form (RFC 9180, 7.1.1).
  @Test(arguments: try cases()) func wycheproof(test: AgreementCase) throws {
    let privateKey = Self.fixedLength(test.private.bytes)
    if test.result == .valid {
      let shared = try P256.sharedSecret(privateKey: privateKey.span, publicKey: test.public.bytes.span)
      #expect(exposed(shared) == test.shared.bytes)
      try P256.validate(publicKey: test.public.bytes.span)
    } else {
      #expect(throws: CryptoError.invalidPublicKey) {
        _ = try P256.sharedSecret(privateKey: privateKey.span, publicKey: test.public.bytes.span)
      }
      #expect(throws: CryptoError.invalidPublicKey) { try P256.validate(publicKey: test.public.bytes.span) }
    }
  }

  /// The file's private keys are integers of the fewest bytes, with a sign byte.
  static func fixedLength(_ integer: [UInt8]) -> [UInt8] {
    let digits = integer.drop { $0 == 0 }
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
