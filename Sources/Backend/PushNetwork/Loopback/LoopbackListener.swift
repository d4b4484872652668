private import CLinux
private import Glibc

// The C functions that the methods below would hide.
private let cAccept = unsafe accept(_:_:_:)
private let cListen = listen(_:_:)

/// A socket that listens only on 127.0.0.1.
package final class LoopbackListener: Sendable {
  private let descriptor: CInt

  /// The port.
  package let port: UInt16

  /// Listens; port 0 lets the system choose one.
  ///
  /// - Throws: ``LoopbackError``.
  package init(port: UInt16) throws(LoopbackError) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw LoopbackError(port: port, errno: errno) }
    var yes: CInt = 1
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    guard Self.listen(on: descriptor, at: &address) else {
      let error = errno
      close(descriptor)
      throw LoopbackError(port: port, errno: error)
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Listens at an address, and sets its port.
  private static func listen(on descriptor: CInt, at address: inout sockaddr_in) -> Bool {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && cListen(descriptor, 16) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
  }

  deinit { close(descriptor) }

  /// Waits for a connection; nil after ``stop()``.
  package func accept() -> LoopbackConnection? {
    while true {
      let connection = cAccept(descriptor, nil, nil)
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return LoopbackConnection(owning: connection)
      }
      // The other side has gone, or the system has no descriptor or memory for now.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return nil }
      if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
    }
  }

  /// Ends the wait for connections.
  package func stop() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}

/// The failure to listen on a port of 127.0.0.1; `errno` is the reason.
package struct LoopbackError: Error, Hashable {
  package let port: UInt16
  package let errno: Int32
}

extension LoopbackError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    "cannot listen on 127.0.0.1:\(port): \(unsafe String(cString: strerror(errno)))"
  }
}
