#if canImport(CryptoKit) && !canImport(CSodium)
  // Algorithms that CryptoKit does not implement. The types above check `isAvailable` first and throw
  // `CryptoError.unavailable`, so the other functions here are never called.

  /// Argon2id, for key files protected by a passphrase.
  enum NoArgon2id {
    static var isAvailable: Bool { false }

    static func derive(
      from passphrase: Span<UInt8>, salt: Span<UInt8>, parameters: Argon2id.Parameters,
      into key: inout MutableSpan<UInt8>
    ) -> Bool { false }
  }

  /// XChaCha20-Poly1305, for key files protected by a passphrase.
  enum NoXChaChaPoly {
    static var isAvailable: Bool { false }

    static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: inout MutableSpan<UInt8>
    ) { preconditionFailure("CryptoKit has no XChaCha20") }

    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool { false }
  }

  /// XSalsa20-Poly1305, for other systems' envelopes.
  enum NoXSalsaPoly {
    static var isAvailable: Bool { false }

    static func seal(
      _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) { preconditionFailure("CryptoKit has no XSalsa20") }

    static func open(
      _ box: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, into plaintext: inout MutableSpan<UInt8>
    ) -> Bool { false }
  }

  /// Sealed boxes, which need BLAKE2b and XSalsa20, for other systems' envelopes.
  enum NoSealedBox {
    static var isAvailable: Bool { false }

    static func seal(
      _ plaintext: Span<UInt8>, to publicKey: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) -> Bool { false }

    static func open(
      _ box: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool { false }
  }
#endif
