/// Incremental HMAC with SHA-256 (RFC 2104), reusable for one code after another.
///
/// Copies share one state, which is wiped with the last copy.
package struct HMACSHA256 {
  /// The length of a code, in bytes.
  package static let codeSize = 32

  private let state: any HMACState

  /// Uses CryptoKit, or libsodium on Linux, which needs little memory: for the side that opens.
  package init() { state = Backend.hmac() }

  /// Starts a code, with the library of ``init()``.
  package init(key: Span<UInt8>) {
    self.init()
    start(key: key)
  }

  private init(_ state: any HMACState) { self.state = state }

  /// Uses OpenSSL on Linux, which takes half the time but megabytes more memory: for the side that seals.
  ///
  /// If OpenSSL is configured without the algorithm, this uses libsodium. CryptoKit has only one implementation.
  package static func quick() -> HMACSHA256 { HMACSHA256(Backend.quickHMAC() ?? Backend.hmac()) }

  /// Starts a code under a key of any length.
  package func start(key: Span<UInt8>) { state.start(key: key) }

  /// Starts another code under the key of the last one.
  package func restart() { state.restart() }

  /// Adds `bytes` to the authenticated input.
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
  /// No more bytes can be added to this code, but another code can be started.
  package func finish() -> Secret {
    Secret(count: Self.codeSize) { finish(into: &$0, at: 0) }
  }

  /// Writes the code to memory from `start`, or as much of its beginning as there is room for.
  func finish(into bytes: inout MutableSpan<UInt8>, at start: Int) {
    guard bytes.count - start >= Self.codeSize else {
      let code = finish()
      for index in start..<bytes.count { bytes[index] = code.exposedBytes[index - start] }
      return
    }
    unsafe bytes.withPointer { bytes, _ in unsafe state.finish(into: bytes + start) }
  }
}

/// A library's HMAC-SHA256 state.
///
/// It is wiped at the end of its life, here or by the library that owns the memory.
protocol HMACState: AnyObject {
  /// Starts a code under a key of any length.
  func start(key: Span<UInt8>)

  /// Starts another code under the key of the last one.
  func restart()

  /// Adds `count` bytes.
  @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int)

  /// Writes the code, 32 bytes.
  @unsafe func finish(into code: UnsafeMutablePointer<UInt8>)
}
