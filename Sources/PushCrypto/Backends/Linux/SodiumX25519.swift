internal import CSodium

/// X25519 from libsodium.
///
/// Lengths were checked by ``X25519``.
enum SodiumX25519 {
  static func publicKey(of privateKey: Span<UInt8>) -> [UInt8] {
    Sodium.start()
    // Where the processor has AVX, libsodium multiplies 9 like any other point; elsewhere it has the table itself.
    if sodium_runtime_has_avx() == 1, let publicKey = publicKeyByTable(of: privateKey) { return publicKey }
    return publicKeyByLadder(of: privateKey)
  }

  /// X25519(sk, 9) as libsodium computes it.
  static func publicKeyByLadder(of privateKey: Span<UInt8>) -> [UInt8] {
    var publicKey = [UInt8](repeating: 0, count: X25519.keySize)
    var span = publicKey.mutableSpan
    unsafe span.withPointer { output, _ in
      unsafe privateKey.withPointer { key, _ in _ = unsafe crypto_scalarmult_base(output, key) }
    }
    return publicKey
  }

  /// X25519(sk, 9) by way of Ed25519's base point, of whose multiples libsodium has a table: in half the time.
  ///
  /// The scalar is clamped alike on both curves, and the map between them takes the one base point to the other
  /// (RFC 7748, 4.1). Null for the private key of zeros, which libsodium refuses on this curve.
  static func publicKeyByTable(of privateKey: Span<UInt8>) -> [UInt8]? {
    var point = [UInt8](repeating: 0, count: X25519.keySize)
    var span = point.mutableSpan
    let code = unsafe span.withPointer { output, _ in
      unsafe privateKey.withPointer { key, _ in unsafe crypto_scalarmult_ed25519_base(output, key) }
    }
    return code == 0 ? OpenSSLBirationalMap.u(ofPoint: point.span) : nil
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
