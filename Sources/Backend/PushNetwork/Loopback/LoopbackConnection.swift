private import Glibc

/// A connection with a program on this machine; a read or write blocks its thread for 10 seconds at most.
package final class LoopbackConnection: Sendable {
  private let descriptor: CInt

  /// How long one read or write may take.
  private static let patience = timeval(tv_sec: 10, tv_usec: 0)

  /// Takes over a socket that was accepted.
  init(owning descriptor: CInt) {
    self.descriptor = descriptor
    var patience = Self.patience
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  deinit { close(descriptor) }

  /// Reads the bytes that have arrived, up to `count`; empty at the end, or if it takes too long.
  package func read(atMost count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let size = unsafe recv(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(size, 0)))
  }

  /// Writes all bytes; false if the other side has gone, or takes too long.
  package func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        // Without MSG_NOSIGNAL, a peer that has gone would kill the process (SIGPIPE).
        return unsafe send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Writes a text.
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }
}
