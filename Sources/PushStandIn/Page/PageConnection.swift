private import Glibc

// The C functions that the methods below would hide.
private let cAccept = unsafe accept(_:_:_:)
private let cListen = listen(_:_:)

/// A connection of a browser with the page's server: it blocks its own thread, for 10 seconds at the most.
final class PageConnection: Sendable {
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

  /// Reads what has come, up to `count` bytes; empty at the end, or if it takes too long.
  func read(atMost count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let size = unsafe recv(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(size, 0)))
  }

  /// Writes all bytes; false if the browser has gone, or takes too long.
  func write(_ bytes: [UInt8]) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        // Without the flag, a browser that has gone would end the process.
        return unsafe send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  /// Writes a text.
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }
}

/// A socket that listens on 127.0.0.1, for the page.
final class PageListener: Sendable {
  private let descriptor: CInt

  /// The port.
  let port: UInt16

  /// Listens; port 0 lets the system choose one.
  ///
  /// - Throws: ``StandInError``.
  init(port: UInt16) throws(StandInError) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw StandInError.cannotListen(port: port, errno: errno) }
    var yes: CInt = 1
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    guard Self.listen(descriptor, at: &address) else {
      let error = errno
      close(descriptor)
      throw StandInError.cannotListen(port: port, errno: error)
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Listens at an address, which then has the port.
  private static func listen(_ descriptor: CInt, at address: inout sockaddr_in) -> Bool {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && cListen(descriptor, 16) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
  }

  deinit { close(descriptor) }

  /// Waits for a browser; nil after ``stop()``.
  func accept() -> PageConnection? {
    while true {
      let connection = cAccept(descriptor, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return PageConnection(owning: connection)
      }
      // The other side has gone, or the system has no descriptor to spare for now.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return nil }
      if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
    }
  }

  /// Ends the wait for browsers.
  func stop() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}
