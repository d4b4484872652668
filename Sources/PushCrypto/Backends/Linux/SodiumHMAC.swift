internal import CSodium

/// HMAC with SHA-256 from libsodium.
@safe
final class SodiumHMAC: HMACState {
  private let state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: crypto_auth_hmacsha256_state())
  }

  deinit {
    unsafe sodium_memzero(state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    unsafe state.deallocate()
  }

  func start(key: Span<UInt8>) {
    unsafe key.withPointer { key, count in _ = unsafe crypto_auth_hmacsha256_init(state, key, count) }
  }

  @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
  }

  @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
    _ = unsafe crypto_auth_hmacsha256_final(state, code)
  }
}
