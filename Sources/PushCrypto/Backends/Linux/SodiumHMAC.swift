internal import CSodium

/// HMAC with SHA-256 (RFC 2104), fed piece by piece.
///
/// Its state is wiped.
@safe
package struct HMACSHA256: ~Copyable {
  /// The length of a code, in bytes.
  package static let codeSize = 32

  private let state: UnsafeMutablePointer<crypto_auth_hmacsha256_state>

  /// Starts a code under a key of any length.
  package init(key: Span<UInt8>) {
    let state = UnsafeMutablePointer<crypto_auth_hmacsha256_state>.allocate(capacity: 1)
    unsafe self.state = unsafe state
    unsafe key.withPointer { key, count in _ = unsafe crypto_auth_hmacsha256_init(state, key, count) }
  }

  deinit {
    unsafe sodium_memzero(state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
    unsafe state.deallocate()
  }

  /// Adds `bytes` to what is authenticated.
  package func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer { bytes, count in
      _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
    }
  }

  /// Adds a fixed text.
  package func update(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    _ = unsafe crypto_auth_hmacsha256_update(state, text.utf8Start, UInt64(count))
  }

  /// Adds one byte.
  package func update(_ byte: UInt8) {
    var byte = byte
    _ = unsafe crypto_auth_hmacsha256_update(state, &byte, 1)
  }

  /// The code, 32 bytes.
  package consuming func finish() -> Secret {
    Secret(count: Self.codeSize) { code in
      unsafe code.withPointer { code, _ in _ = unsafe crypto_auth_hmacsha256_final(state, code) }
    }
  }
}
