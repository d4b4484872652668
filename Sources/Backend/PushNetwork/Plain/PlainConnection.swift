private import CLinux
private import Glibc

/// A connection of a server or a client in plain HTTP; a read or write blocks its thread for 10 seconds at most.
package final class PlainConnection: Sendable {
  private let descriptor: CInt

  /// How long one read or write may take.
  private static let patience = Duration.seconds(10)

  /// Takes over a socket that was accepted.
  init(owning descriptor: CInt) {
    self.descriptor = descriptor
    setPatience(Self.patience, of: SO_RCVTIMEO)
    setPatience(Self.patience, of: SO_SNDTIMEO)
  }

  deinit { close(descriptor) }

  /// Reads the bytes that have arrived, up to `count`; empty at the end, or if it takes too long.
  package func read(atMost count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let size = unsafe recv(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(size, 0)))
  }

  /// Reads the bytes that arrive until a time, up to `count`; empty at the end, or after that time.
  func read(atMost count: Int, until end: ContinuousClock.Instant) -> [UInt8] {
    let rest = ContinuousClock.now.duration(to: end)
    // To the system, no time is no limit.
    guard rest >= .milliseconds(1) else { return [] }
    setPatience(rest, of: SO_RCVTIMEO)
    return read(atMost: count)
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

  /// Ends the connection for both sides: what waits for it goes on.
  func hangUp() { shutdown(descriptor, CInt(SHUT_RDWR)) }

  /// Says that no more comes, and takes in what the other side still sends, 64 KiB at most: to close a connection that has
  /// bytes unread would take the answer back.
  func finish(within time: Duration) {
    shutdown(descriptor, CInt(SHUT_WR))
    let end = ContinuousClock.now + time
    for _ in 0..<16 where read(atMost: 4096, until: end).isEmpty { return }
  }

  private func setPatience(_ time: Duration, of option: CInt) {
    let (seconds, attoseconds) = time.components
    var patience = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    unsafe setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
  }
}
