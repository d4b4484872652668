internal import CSodium

/// HMAC with SHA-256 from libsodium, for a process whose OpenSSL has none.
enum SodiumHMAC {
  /// A state under a key.
  static func start(_ key: Span<UInt8>) -> UnsafeMutablePointer<crypto_auth_hmacsha256_state> {
    let state = UnsafeMutablePointer<crypto_auth_hmacsha256_state>.allocate(capacity: 1)
    unsafe key.withPointer { key, count in _ = unsafe crypto_auth_hmacsha256_init(state, key, count) }
    return unsafe state
  }

  /// Wipes a state and gives its memory back.
  @unsafe static func end(_ state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>) {
    unsafe sodium_memzero(state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    unsafe state.deallocate()
  }
}
