private import CLinux
private import Glibc

// The C functions that the methods below would hide.
private let cBind = unsafe bind(_:_:_:)
private let cListen = listen(_:_:)

/// A socket that listens only to programs of this machine: on 127.0.0.1, or at a path.
package final class LoopbackListener: Sendable {
  private let descriptor: CInt

  /// Where it listens; of a port that the system chose, its number.
  package let place: LoopbackPlace

  /// The port; 0 at a path.
  package var port: UInt16 { if case .port(let port) = place { port } else { 0 } }

  /// How many connections may wait to be accepted.
  private static let backlog: CInt = 256

  /// Listens; port 0 lets the system choose one.
  ///
  /// - Throws: ``LoopbackError``.
  package convenience init(port: UInt16) throws(LoopbackError) { try self.init(at: .port(port)) }

  /// Listens at a place.
  ///
  /// At a path, it takes the place of a socket on which nobody listens any more; its user and group may connect.
  ///
  /// - Throws: ``LoopbackError``.
  package init(at place: LoopbackPlace) throws(LoopbackError) {
    let family = if case .port = place { AF_INET } else { AF_UNIX }
    let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw LoopbackError(place, errno: errno) }
    self.descriptor = descriptor
    switch place {
    case .port(let port):
      var yes: CInt = 1
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
      guard let port = Self.listen(on: descriptor, port: port) else {
        throw LoopbackError(place, errno: errno)
      }
      self.place = .port(port)
    case .path(let path):
      guard Self.listen(on: descriptor, path: path) else { throw LoopbackError(place, errno: errno) }
      self.place = place
    }
  }

  /// Listens on a port, and returns its number; nil if that fails.
  private static func listen(on descriptor: CInt, port: UInt16) -> UInt16? {
    var address = LoopbackPlace.address(ofPort: port)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isDone = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe cBind(descriptor, address, size) == 0 && cListen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    return isDone ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Listens at a path.
  private static func listen(on descriptor: CInt, path: String) -> Bool {
    // The mode that the file gets, which nobody may open before.
    guard fchmod(descriptor, LoopbackPlace.mode) == 0 else { return false }
    if !bind(descriptor, to: path) {
      let error = errno
      guard error == EADDRINUSE, isLeft(path) else {
        errno = error
        return false
      }
      guard unsafe unlink(path) == 0, bind(descriptor, to: path) else { return false }
    }
    // The user's mask may have taken a bit.
    return unsafe chmod(path, LoopbackPlace.mode) == 0 && cListen(descriptor, backlog) == 0
  }

  private static func bind(_ descriptor: CInt, to path: String) -> Bool {
    unsafe LoopbackPlace.path(path).withAddress { unsafe cBind(descriptor, $0, $1) } == 0
  }

  /// Whether a path has a socket on which nobody listens.
  private static func isLeft(_ path: String) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    let visitor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard visitor >= 0 else { return false }
    defer { close(visitor) }
    let connected = unsafe LoopbackPlace.path(path).withAddress { unsafe connect(visitor, $0, $1) }
    return connected != 0 && errno == ECONNREFUSED
  }

  deinit { close(descriptor) }

  /// Waits for a connection; nil after ``stop()``.
  package func accept() -> LoopbackConnection? {
    while true {
      let connection = loopback_accept(descriptor)
      if connection >= 0 { return LoopbackConnection(owning: connection) }
      // The other side has gone, or the system has no descriptor or memory for now.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return nil }
      if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
    }
  }

  /// Ends the wait for connections, and removes the socket's file.
  package func stop() {
    shutdown(descriptor, CInt(SHUT_RDWR))
    if case .path(let path) = place { _ = unsafe unlink(path) }
  }
}
