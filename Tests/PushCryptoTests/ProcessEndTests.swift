#if canImport(Glibc)
  import Glibc
  import PushCrypto
  import Testing

  /// OpenSSL's cleanup at exit frees memory that exiting threads free too.
  @Suite("OpenSSL does not clean up when the process exits")
  struct ProcessEndTests {
    enum Use: Int, CaseIterable {
      case digest, curve, cipher, paddedCipher, passwordKey, keyPairs, postQuantum
    }

    @Test("whatever is used first", arguments: Use.allCases) func first(use: Use) async {
      await #expect(processExitsWith: .exitCode(7)) { [use = use.rawValue as Int] in
        try Self.make(try #require(Use(rawValue: use)))
        // OpenSSL calls this function when it cleans up.
        typealias AtExit = @convention(c) (@convention(c) () -> Void) -> CInt
        let atExit = unsafe unsafeBitCast(dlsym(nil, "OPENSSL_atexit"), to: AtExit.self)
        try #require(atExit { _exit(1) } == 1)
        exit(7)
      }
    }

    private static func make(_ use: Use) throws {
      let (key, block) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 1, count: 16))
      switch use {
      case .digest: _ = try IncrementalSHA256().finish()
      case .curve: _ = try P256.publicKey(of: key.span)
      case .cipher:
        let nonce = [UInt8](repeating: 1, count: AEAD.nonceSize)
        _ = try AEAD.aes256GCM.seal(key.span, authenticating: Span(), key: key.span, nonce: nonce.span)
      case .paddedCipher: _ = try AESCBC.encrypt(key.span, key: key.span, initializationVector: block.span)
      case .passwordKey:
        _ = try PBKDF2.key(of: key.span, salt: block.span, iterations: 1000, digest: .sha256, count: 32)
      case .keyPairs:
        _ = try HPKEBatch(
          to: Array(repeating: [9] + [UInt8](repeating: 0, count: 31), count: 2), suite: .x25519ChaChaPoly,
          random: SystemRandom())
      case .postQuantum: _ = XWing().isAvailable
      }
    }
  }
#endif
