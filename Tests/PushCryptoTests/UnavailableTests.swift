import PushCrypto
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// An algorithm that the system's library lacks throws an error that says so.
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

  @Test(.enabled(if: !XWing().isAvailable, "this OpenSSL has ML-KEM")) func `the encapsulations of X-Wing`() {
    let seeds = [UInt8](repeating: 1, count: XWing().encapsulationSeedSize)
    #expect(throws: CryptoError.unavailable) {
      _ = try XWing().encapsulator(to: [[]], seeds: seeds.span, by: HMACSHA256())
    }
    #expect(throws: CryptoError.unavailable) {
      _ = try XWing().encapsulator(to: [[]], random: SystemRandom(), by: HMACSHA256())
    }
  }

  #if canImport(Glibc)
    @Test func `AES-GCM, where the administrator has turned OpenSSL's algorithms off`() async {
      await #expect(processExitsWith: .success) {
        typealias Load = @convention(c) (OpaquePointer?, UnsafePointer<CChar>) -> OpaquePointer?
        let load = unsafe unsafeBitCast(dlsym(nil, "OSSL_PROVIDER_load"), to: Load.self)
        // With a provider that has nothing, OpenSSL does not load the one that has everything.
        try #require(unsafe load(nil, "null") != nil)
        let key = [UInt8](repeating: 1, count: 32)
        let nonce = [UInt8](repeating: 2, count: AEAD.nonceSize)
        try #require(throws: CryptoError.unavailable) {
          try AEAD.aes256GCM.seal(key.span, authenticating: Span(), key: key.span, nonce: nonce.span)
        }
        try #require(throws: CryptoError.unavailable) {
          var text = key
          try AEAD.aes256GCM.seal(&text, from: 0, authenticating: Span(), key: key.span, nonce: nonce.span)
        }
        try #require(throws: CryptoError.unavailable) {
          _ = try AEAD.aes256GCM.open(key.span, authenticating: Span(), key: key.span, nonce: nonce.span)
        }
      }
    }
  #endif
}
