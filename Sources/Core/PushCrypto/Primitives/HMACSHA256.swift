/// Incremental HMAC with SHA-256 (RFC 2104), reusable for one code after another.
///
/// Copies share one state, which is wiped with the last copy.
package struct HMACSHA256 {
  /// The length of a code, in bytes.
  package static let codeSize = 32

  private let state = Backend.HMAC()

  /// Makes a state in which no code is started.
  package init() {}

  /// Starts a code under a key of any length.
  package init(key: Span<UInt8>) { start(key: key) }

  /// Starts a code under a key of any length.
  package func start(key: Span<UInt8>) {
    state.setKey(key)
    state.start()
  }

  /// Starts another code under the same key.
  package func restart() { state.start() }

  /// Adds `bytes` to the authenticated input.
  package func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withPointer { bytes, count in unsafe state.update(bytes, count: count) }
  }

  /// Adds a fixed text.
  package func update(_ text: StaticString) {
    unsafe state.update(text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Adds one byte.
  package func update(_ byte: UInt8) {
    var byte = byte
    unsafe state.update(&byte, count: 1)
  }

  /// The code, 32 bytes.
  ///
  /// No more bytes can be added to this code, but another code can be started.
  package func finish() -> Secret {
    Secret(count: Self.codeSize) { finish(into: &$0, at: 0) }
  }

  /// Writes the code to memory from `start`, cut off where the memory ends.
  func finish(into bytes: inout MutableSpan<UInt8>, at start: Int) {
    let code = unsafe state.finish()
    unsafe bytes.withPointer { bytes, count in
      unsafe (bytes + start).update(from: code, count: min(count - start, Self.codeSize))
    }
  }

  /// Ends the code, which becomes the key of the codes that follow; the next one begins with ``restart()``.
  func finishAsKey() {
    unsafe _ = state.finish()
    state.setKeyToCode()
  }
}
