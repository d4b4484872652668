internal import CSodium

/// X25519 from libsodium.
///
/// Lengths were checked by ``X25519``.
enum SodiumX25519 {
  /// X25519(sk, 9) of each of the private keys, 32 bytes, that stand one behind the other; as they, the result.
  static func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8] {
    Sodium.start()
    // Where the processor has AVX, libsodium multiplies 9 like any other point; elsewhere it has the table itself.
    guard sodium_runtime_has_avx() == 1, let publicKeys = publicKeysByTable(of: privateKeys) else {
      return publicKeysByLadder(of: privateKeys)
    }
    return publicKeys
  }

  /// X25519(sk, 9) as libsodium computes it.
  static func publicKeysByLadder(of privateKeys: Span<UInt8>) -> [UInt8] {
    unsafe products(of: privateKeys) { output, key in unsafe crypto_scalarmult_base(output, key) }
  }

  /// X25519(sk, 9) by way of Ed25519's base point, of whose multiples libsodium has a table: in half the time.
  ///
  /// The scalar is clamped alike on both curves, and the map between them takes the one base point to the other
  /// (RFC 7748, 4.1). Null if one is the private key of zeros, which libsodium refuses on this curve.
  static func publicKeysByTable(of privateKeys: Span<UInt8>) -> [UInt8]? {
    var isRefused = false
    let points = unsafe products(of: privateKeys) { output, key in
      let code = unsafe crypto_scalarmult_ed25519_base(output, key)
      isRefused = isRefused || code != 0
      return code
    }
    return isRefused ? nil : OpenSSLBirationalMap.u(ofPoints: points.span)
  }

  @unsafe private static func products(
    of privateKeys: Span<UInt8>, _ multiply: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>) -> CInt
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

  /// The shared secret, all zero if libsodium refuses the point.
  static func sharedSecret(_ privateKey: Span<UInt8>, _ publicKey: Span<UInt8>) -> Secret {
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
