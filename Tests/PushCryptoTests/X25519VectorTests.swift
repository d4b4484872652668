import PushCrypto
import Testing

/// X25519 against RFC 7748 and Wycheproof.
struct X25519VectorTests {
  static func cases() throws -> [AgreementCase] { try AgreementCase.load("x25519") }

  @Test func `the file is complete`() throws {
    let cases = try Self.cases()
    #expect(cases.count == 518)
    #expect(cases.count { $0.result == .valid } == 264)
    #expect(cases.count(where: isLowOrder) == 31)
  }

  /// Twists and non-canonical u coordinates are `acceptable` and must give RFC 7748's value.
  ///
  /// A case that gives the all-zero secret is `acceptable` too, to Wycheproof, but not to HPKE (RFC 9180, 7.1.4).
  @Test(arguments: try cases()) func wycheproof(test: AgreementCase) throws {
    #expect(test.result != .invalid, "the file has no invalid case")
    if isLowOrder(test) {
      #expect(throws: CryptoError.invalidPublicKey) {
        _ = try X25519.sharedSecret(privateKey: test.private.bytes.span, publicKey: test.public.bytes.span)
      }
      #expect(throws: CryptoError.invalidPublicKey) { try X25519.validate(publicKey: test.public.bytes.span) }
    } else {
      try X25519.validate(publicKey: test.public.bytes.span)
      let shared = try X25519.sharedSecret(
        privateKey: test.private.bytes.span, publicKey: test.public.bytes.span)
      #expect(exposed(shared) == test.shared.bytes)
    }
  }

  /// RFC 7748, 5.2: both vectors, and the first round of the iteration.
  @Test func rfc7748() throws {
    struct Vector: Decodable {
      let `private`, `public`, shared: Hex
    }
    let vectors: [Vector] = try VectorFile.load("rfc7748-x25519")
    #expect(vectors.count == 3)
    for vector in vectors {
      let shared = try X25519.sharedSecret(
        privateKey: vector.private.bytes.span, publicKey: vector.public.bytes.span)
      #expect(exposed(shared) == vector.shared.bytes)
    }
  }

  @Test func `a public key is the product with u = 9`() throws {
    let privateKey = bytes("77076d0a7318a57d3c16c17251b26645df6f0ddd0b8a2f8e9a1b0a7c3c2fd3a1")
    let nine = [9] + [UInt8](repeating: 0, count: 31)
    let product = try X25519.sharedSecret(privateKey: privateKey.span, publicKey: nine.span)
    #expect(try X25519.publicKey(of: privateKey.span) == exposed(product))
  }

  @Test(arguments: [0, 1, 31, 33, 64]) func `keys of another length are refused`(count: Int) throws {
    let odd = [UInt8](repeating: 9, count: count)
    let right = [UInt8](repeating: 9, count: 32)
    #expect(throws: CryptoError.invalidPublicKey) { try X25519.validate(publicKey: odd.span) }
    #expect(throws: CryptoError.invalidPrivateKey) { try X25519.publicKey(of: odd.span) }
    #expect(throws: CryptoError.invalidPublicKey) {
      _ = try X25519.sharedSecret(privateKey: right.span, publicKey: odd.span)
    }
    #expect(throws: CryptoError.invalidPrivateKey) {
      _ = try X25519.sharedSecret(privateKey: odd.span, publicKey: right.span)
    }
  }

  private func isLowOrder(_ test: AgreementCase) -> Bool {
    test.flags.contains("LowOrderPublic") || test.flags.contains("ZeroSharedSecret")
  }
}
