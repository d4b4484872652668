import PushCrypto
import Testing

/// An algorithm that the system's library lacks throws `unavailable`.
struct UnavailableTests {
  private static let reason: Comment = "libsodium has it"
  private let key = [UInt8](repeating: 1, count: 32)
  private let nonce = [UInt8](repeating: 2, count: 24)
  private let text = [UInt8](repeating: 3, count: 64)

  @Test(.enabled(if: !Argon2id.isAvailable, reason)) func `a key from a passphrase`() throws {
    let parameters = try #require(Argon2id.Parameters(passes: 1, memory: 8 << 10))
    #expect(throws: CryptoError.unavailable) {
      _ = try Argon2id.key(
        of: text.span, salt: text.span.extracting(first: 16), parameters: parameters, count: 32)
    }
  }

  @Test(.enabled(if: !XChaCha20Poly1305.isAvailable, reason)) func `the AEAD with long nonces`() {
    #expect(throws: CryptoError.unavailable) {
      try XChaCha20Poly1305.seal(text.span, authenticating: Span(), key: key.span, nonce: nonce.span)
    }
    #expect(throws: CryptoError.unavailable) {
      _ = try XChaCha20Poly1305.open(text.span, authenticating: Span(), key: key.span, nonce: nonce.span)
    }
  }

  @Test(.enabled(if: !XSalsa20Poly1305.isAvailable, reason)) func `secret boxes`() {
    #expect(throws: CryptoError.unavailable) {
      try XSalsa20Poly1305.seal(text.span, key: key.span, nonce: nonce.span)
    }
    #expect(throws: CryptoError.unavailable) {
      _ = try XSalsa20Poly1305.open(text.span, key: key.span, nonce: nonce.span)
    }
  }

  @Test(.enabled(if: !SealedBox.isAvailable, reason)) func `sealed boxes`() {
    #expect(throws: CryptoError.unavailable) { try SealedBox.seal(text.span, to: key.span) }
    #expect(throws: CryptoError.unavailable) {
      _ = try SealedBox.open(text.span, privateKey: key.span, publicKey: key.span)
    }
  }
}
