#if !canImport(CryptoKit)
  internal import CSodium

  /// X25519 from libsodium.
  ///
  /// ``X25519`` has checked the lengths.
  enum SodiumX25519 {
    /// Computes X25519(sk, 9) for each 32-byte private key.
    ///
    /// Keys and results are concatenated.
    static func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8] {
      Sodium.start()
      guard isLadder, let publicKeys = publicKeysByTable(of: privateKeys) else {
        return publicKeysByBasePoint(of: privateKeys)
      }
      return publicKeys
    }

    /// Whether libsodium multiplies the base point like any other point, without a table.
    ///
    /// It does so on CPUs with AVX before version 1.0.19 (library version 26).
    private static let isLadder = sodium_runtime_has_avx() == 1 && sodium_library_version_major() < 26

    /// Computes X25519(sk, 9) with libsodium's own function.
    static func publicKeysByBasePoint(of privateKeys: Span<UInt8>) -> [UInt8] {
      unsafe products(of: privateKeys) { output, key in unsafe crypto_scalarmult_base(output, key) }
    }

    /// Computes X25519(sk, 9) in half the time, from libsodium's table of multiples of Ed25519's base point.
    ///
    /// Both curves clamp the scalar in the same way, and the map between them takes one base point to the other
    /// (RFC 7748, 4.1). Returns `nil` if a private key is all zero, which libsodium refuses on this curve.
    static func publicKeysByTable(of privateKeys: Span<UInt8>) -> [UInt8]? {
      var isRefused = false
      var points = unsafe products(of: privateKeys) { output, key in
        let code = unsafe crypto_scalarmult_ed25519_base(output, key)
        isRefused = isRefused || code != 0
        return code
      }
      guard !isRefused else { return nil }
      BirationalMap.replaceByU(&points)
      return points
    }

    @unsafe private static func products(
      of privateKeys: Span<UInt8>, multiply: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> CInt
    ) -> [UInt8] {
      var products = [UInt8](repeating: 0, count: privateKeys.count)
      var span = products.mutableSpan
      unsafe span.withPointer { output, count in
        unsafe privateKeys.withPointer { keys, _ in
          for start in stride(from: 0, to: count, by: X25519.keySize) {
            _ = unsafe multiply(output + start, keys + start)
          }
        }
      }
      return products
    }

    /// Returns the shared secret, which is all zero if libsodium refuses the point.
    static func sharedSecret(privateKey: Span<UInt8>, publicKey: Span<UInt8>) -> Secret {
      Sodium.start()
      return Secret(count: X25519.keySize) { output in
        unsafe output.withPointer { output, count in
          unsafe privateKey.withPointer { privateKey, _ in
            unsafe publicKey.withPointer { publicKey, _ in
              if unsafe crypto_scalarmult(output, privateKey, publicKey) != 0 {
                unsafe sodium_memzero(output, count)
              }
            }
          }
        }
      }
    }
  }
#endif
