/// HMAC with SHA-256 (RFC 2104), fed piece by piece, for one code after another.
///
/// Copies share one state, which is wiped.
package struct HMACSHA256 {
  /// The length of a code, in bytes.
  package static let codeSize = 32

  private let state: any HMACState

  /// Takes the codes from CryptoKit, or from libsodium, which asks for little memory: for the side that
  /// opens.
  package init() { state = Backend.hmac() }

  /// Starts one code, as ``init()`` takes it.
  package init(key: Span<UInt8>) {
    self.init()
    start(key: key)
  }

  private init(_ state: any HMACState) { self.state = state }

  /// On Linux, codes from OpenSSL, in half the time and with megabytes more of memory in the process: for the
  /// side that seals.
  ///
  /// Where OpenSSL is configured without the algorithm they come from libsodium. CryptoKit has one way alone.
  package static func quick() -> HMACSHA256 { HMACSHA256(Backend.quickHMAC() ?? Backend.hmac()) }

  /// Starts a code under a key of any length.
  package func start(key: Span<UInt8>) { state.start(key: key) }

  /// Adds `bytes` to what is authenticated.
  package func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer { bytes, count in unsafe state.update(bytes, count) }
  }

  /// Adds a fixed text.
  package func update(_ text: StaticString) {
    unsafe state.update(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Adds one byte.
  package func update(_ byte: UInt8) {
    var byte = byte
    unsafe state.update(&byte, 1)
  }

  /// The code, 32 bytes.
  ///
  /// Nothing can be added to it; another one can be started.
  package func finish() -> Secret {
    Secret(count: Self.codeSize) { code in
      unsafe code.withPointer { code, _ in unsafe state.finish(into: code) }
    }
  }
}

/// A library's computation of HMAC-SHA256, wiped when it ends: here, or by a library that gives no hold of
/// it.
protocol HMACState: AnyObject {
  /// Starts a code under a key of any length.
  func start(key: Span<UInt8>)

  /// Adds `count` bytes.
  @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int)

  /// Writes the code, 32 bytes.
  @unsafe func finish(into code: UnsafeMutablePointer<UInt8>)
}
