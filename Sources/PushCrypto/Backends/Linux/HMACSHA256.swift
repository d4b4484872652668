internal import CSodium

/// HMAC with SHA-256 (RFC 2104), fed piece by piece.
///
/// Its state is wiped.
@safe
package struct HMACSHA256: ~Copyable {
  /// The length of a code, in bytes.
  package static let codeSize = 32

  /// Whose code it is.
  @unsafe
  private enum State {
    case openSSL(OpaquePointer)
    case sodium(UnsafeMutablePointer<crypto_auth_hmacsha256_state>)
  }

  private let state: State

  /// Starts a code under a key of any length.
  package init(key: Span<UInt8>) { self.init(key: key, fromSodium: false) }

  /// Starts a code under a key of any length, from libsodium if that is asked for or OpenSSL has none.
  init(key: Span<UInt8>, fromSodium: Bool) {
    if !fromSodium, let context = unsafe OpenSSLHMAC.start(key) {
      unsafe state = .openSSL(context)
    } else {
      unsafe state = .sodium(SodiumHMAC.start(key))
    }
  }

  deinit {
    switch unsafe state {
    case .openSSL(let context): unsafe OpenSSLHMAC.end(context)
    case .sodium(let state): unsafe SodiumHMAC.end(state)
    }
  }

  /// Adds `bytes` to what is authenticated.
  package func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer { bytes, count in unsafe update(bytes, count) }
  }

  /// Adds a fixed text.
  package func update(_ text: StaticString) {
    unsafe update(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Adds one byte.
  package func update(_ byte: UInt8) {
    unsafe withUnsafePointer(to: byte) { unsafe update($0, 1) }
  }

  /// The code, 32 bytes.
  package consuming func finish() -> Secret {
    Secret(count: Self.codeSize) { code in
      unsafe code.withPointer { code, count in
        switch unsafe state {
        case .openSSL(let context): unsafe OpenSSLHMAC.finish(context, code, count)
        case .sodium(let state): _ = unsafe crypto_auth_hmacsha256_final(state, code)
        }
      }
    }
  }

  @unsafe private func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    switch unsafe state {
    case .openSSL(let context): unsafe OpenSSLHMAC.update(context, bytes, count)
    case .sodium(let state): _ = unsafe crypto_auth_hmacsha256_update(state, bytes, UInt64(count))
    }
  }
}
