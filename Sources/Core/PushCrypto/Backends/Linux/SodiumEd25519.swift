#if !canImport(CryptoKit)
  internal import CSodium

  /// Ed25519 from libsodium.
  ///
  /// ``Ed25519`` has checked lengths and encodings.
  enum SodiumEd25519 {
    static var isDeterministic: Bool { true }

    static func publicKey(of privateKey: Span<UInt8>) -> [UInt8] {
      Sodium.start()
      var publicKey = [UInt8](repeating: 0, count: Ed25519.keySize)
      var span = publicKey.mutableSpan
      // Libsodium's own form of the private key, the seed followed by the public key, is discarded.
      _ = Secret(count: 2 * Ed25519.keySize) { expanded in
        unsafe expanded.withPointer { expanded, _ in
          unsafe span.withPointer { output, _ in
            unsafe privateKey.withPointer { seed, _ in
              _ = unsafe crypto_sign_seed_keypair(output, expanded, seed)
            }
          }
        }
      }
      return publicKey
    }

    static func sign(
      _ message: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>
    ) -> [UInt8] {
      Sodium.start()
      let expanded = Secret(count: 2 * Ed25519.keySize) { expanded in
        for index in 0..<Ed25519.keySize {
          expanded[index] = privateKey[index]
          expanded[Ed25519.keySize + index] = publicKey[index]
        }
      }
      var signature = [UInt8](repeating: 0, count: Ed25519.signatureSize)
      var span = signature.mutableSpan
      unsafe span.withPointer { output, _ in
        unsafe message.withPointer { message, count in
          unsafe expanded.exposedBytes.withPointer { key, _ in
            _ = unsafe crypto_sign_detached(output, nil, message, UInt64(count), key)
          }
        }
      }
      return signature
    }

    static func isValid(
      _ signature: Span<UInt8>, on message: Span<UInt8>, publicKey: Span<UInt8>
    ) -> Bool {
      Sodium.start()
      return unsafe signature.withPointer { signature, _ in
        unsafe message.withPointer { message, count in
          unsafe publicKey.withPointer { key, _ in
            unsafe crypto_sign_verify_detached(signature, message, UInt64(count), key) == 0
          }
        }
      }
    }
  }
#endif
