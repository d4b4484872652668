#if canImport(CSodium)
  internal import CSodium

  /// ChaCha20-Poly1305 from libsodium.
  ///
  /// ``AEAD`` has checked the lengths.
  enum SodiumChaChaPoly {
    /// Encrypts into memory that is 16 bytes longer, and may begin at the same address.
    @unsafe static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe AEADPointers.with(text: plaintext, data: data, key: key, nonce: nonce) { input in
        unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
          ciphertext, nil, input.text, UInt64(input.textCount), input.data,
          UInt64(input.dataCount), nil, input.nonce, input.key) == 0
      }
    }

    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe plaintext.withPointer { output, _ in
        unsafe AEADPointers.with(text: ciphertext, data: data, key: key, nonce: nonce) { input in
          unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
            output, nil, nil, input.text, UInt64(input.textCount),
            input.data, UInt64(input.dataCount), input.nonce, input.key) == 0
        }
      }
    }
  }

  /// XChaCha20-Poly1305 from libsodium.
  ///
  /// ``XChaCha20Poly1305`` has checked the lengths.
  enum SodiumXChaChaPoly {
    static var isAvailable: Bool { true }

    static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: inout MutableSpan<UInt8>
    ) {
      Sodium.start()
      unsafe ciphertext.withPointer { output, _ in
        unsafe AEADPointers.with(text: plaintext, data: data, key: key, nonce: nonce) { input in
          _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            output, nil, input.text, UInt64(input.textCount), input.data, UInt64(input.dataCount), nil,
            input.nonce, input.key)
        }
      }
    }

    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe plaintext.withPointer { output, _ in
        unsafe AEADPointers.with(text: ciphertext, data: data, key: key, nonce: nonce) { input in
          unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            output, nil, nil, input.text, UInt64(input.textCount), input.data, UInt64(input.dataCount),
            input.nonce, input.key) == 0
        }
      }
    }
  }
#endif
