private import CLinux
private import Glibc

// The C functions that the methods below would hide.
private let cBind = unsafe bind(_:_:_:)
private let cListen = listen(_:_:)

/// A socket that listens: to programs of this machine only, on 127.0.0.1 or at a path, or at an address.
package final class PlainListener: Sendable {
  private let descriptor: CInt

  /// Where it listens; of a port that the system chose, its number.
  package let place: ListenPlace

  /// The port; 0 at a path.
  package var port: UInt16 { place.port }

  /// How many connections may wait to be accepted.
  private static let backlog: CInt = 256

  /// Listens to this machine; port 0 lets the system choose one.
  ///
  /// - Throws: ``ListenError``.
  package convenience init(port: UInt16) throws(ListenError) { try self.init(at: .loopback(.port(port))) }

  /// Listens at a place.
  ///
  /// At a path, it takes the place of a socket on which nobody listens any more; its user and group may connect. At all
  /// addresses of IPv6, it listens at those of IPv4, too.
  ///
  /// - Throws: ``ListenError``.
  package init(at place: ListenPlace) throws(ListenError) {
    let descriptor = socket(place.family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ListenError(place, errno: errno) }
    self.descriptor = descriptor
    switch place {
    case .loopback(.port(let port)):
      Self.set(SO_REUSEADDR, at: SOL_SOCKET, of: descriptor)
      guard let port = Self.listen(on: descriptor, port: port) else {
        throw ListenError(place, errno: errno)
      }
      self.place = .loopback(.port(port))
    case .address(let address):
      Self.set(SO_REUSEADDR, at: SOL_SOCKET, of: descriptor)
      guard let port = Self.listen(on: descriptor, at: address) else {
        throw ListenError(place, errno: errno)
      }
      self.place = .address(address.with(port: port))
    case .loopback(.path(let path)):
      guard Self.listen(on: descriptor, path: path) else { throw ListenError(place, errno: errno) }
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

  private static func set(_ option: CInt, at level: CInt, of descriptor: CInt, to value: CInt = 1) {
    var value = value
    unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Listens at an address, and returns its port; nil if that fails.
  private static func listen(on descriptor: CInt, at address: ListenAddress) -> UInt16? {
    if address.family == AF_INET6 {
      set(IPV6_V6ONLY, at: CInt(IPPROTO_IPV6), of: descriptor, to: address.isOfBothFamilies ? 0 : 1)
    }
    guard unsafe address.withAddress({ unsafe cBind(descriptor, $0, $1) }) == 0,
      cListen(descriptor, backlog) == 0
    else { return nil }
    // The port is at the same place in both families' addresses.
    var bound = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = unsafe withUnsafeMutablePointer(to: &bound) { bound in
      unsafe bound.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    return status == 0 ? UInt16(bigEndian: bound.sin6_port) : nil
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
  package func accept() -> PlainConnection? {
    while true {
      let connection = loopback_accept(descriptor)
      if connection >= 0 { return PlainConnection(owning: connection) }
      // The other side has gone, or the system has no descriptor or memory for now.
      guard [EINTR, ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return nil }
      if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
    }
  }

  /// Ends the wait for connections, and removes the socket's file.
  package func stop() {
    shutdown(descriptor, CInt(SHUT_RDWR))
    if case .loopback(.path(let path)) = place { _ = unsafe unlink(path) }
  }
}

extension ListenPlace {
  /// The system's number of the family.
  fileprivate var family: CInt {
    switch self {
    case .loopback(.port): AF_INET
    case .loopback(.path): AF_UNIX
    case .address(let address): address.family
    }
  }
}
