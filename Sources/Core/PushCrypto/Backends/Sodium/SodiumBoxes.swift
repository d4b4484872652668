#if canImport(CSodium)
  internal import CSodium

  /// XSalsa20-Poly1305 from libsodium.
  ///
  /// ``XSalsa20Poly1305`` has checked the lengths.
  enum SodiumXSalsaPoly {
    static var isAvailable: Bool { true }

    static func seal(
      _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) {
      Sodium.start()
      unsafe box.withPointer { output, _ in
        unsafe AEADPointers.with(text: plaintext, data: Span(), key: key, nonce: nonce) { input in
          _ = unsafe crypto_secretbox_easy(
            output, input.text, UInt64(input.textCount), input.nonce, input.key)
        }
      }
    }

    static func open(
      _ box: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe plaintext.withPointer { output, _ in
        unsafe AEADPointers.with(text: box, data: Span(), key: key, nonce: nonce) { input in
          unsafe crypto_secretbox_open_easy(
            output, input.text, UInt64(input.textCount), input.nonce, input.key) == 0
        }
      }
    }
  }

  /// Sealed boxes from libsodium.
  ///
  /// ``SealedBox`` has checked the lengths.
  enum SodiumSealedBox {
    static var isAvailable: Bool { true }

    /// Returns `false` if libsodium refuses the public key.
    static func seal(
      _ plaintext: Span<UInt8>, to publicKey: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe box.withPointer { output, _ in
        unsafe plaintext.withPointer { plaintext, count in
          unsafe publicKey.withPointer { publicKey, _ in
            unsafe crypto_box_seal(output, plaintext, UInt64(count), publicKey) == 0
          }
        }
      }
    }

    static func open(
      _ box: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe plaintext.withPointer { output, _ in
        unsafe box.withPointer { box, count in
          unsafe privateKey.withPointer { privateKey, _ in
            unsafe publicKey.withPointer { publicKey, _ in
              unsafe crypto_box_seal_open(output, box, UInt64(count), publicKey, privateKey) == 0
            }
          }
        }
      }
    }
  }
#endif
