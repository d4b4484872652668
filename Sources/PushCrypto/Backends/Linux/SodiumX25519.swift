internal import CSodium

/// X25519 from libsodium.
///
/// Lengths were checked by ``X25519``.
enum SodiumX25519 {
  static func publicKey(of privateKey: Span<UInt8>) -> [UInt8] {
    Sodium.start()
    var publicKey = [UInt8](repeating: 0, count: X25519.keySize)
    var span = publicKey.mutableSpan
    unsafe span.withPointer { output, _ in
      unsafe privateKey.withPointer { key, _ in _ = unsafe crypto_scalarmult_base(output, key) }
    }
    return publicKey
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
