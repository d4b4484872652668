internal import CLinux
internal import Glibc

/// A non-blocking TCP socket, which is closed when it is released.
final class Socket: Sendable {
  /// The descriptor, for calls made while the socket is held.
  let number: CInt

  private init(owning number: CInt) { self.number = number }

  deinit { _ = Glibc.close(number) }

  /// Begins to connect; when that has ended, the socket is ready to write.
  static func connecting(to address: SocketAddress) throws(SocketError) -> Socket {
    let socket = try Socket(family: address.family)
    let status = unsafe address.withPointer { unsafe connect(socket.number, $0, $1) }
    guard status == 0 || errno == EINPROGRESS else { throw SocketError("connect") }
    return socket
  }

  /// Why connecting failed; nil if it succeeded.
  var connectionError: SocketError? {
    var status: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    guard unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &status, &size) == 0 else {
      return SocketError("getsockopt")
    }
    return status == 0 ? nil : SocketError("connect", errno: status)
  }

  /// Listens at an address.
  static func listening(at address: SocketAddress) throws(SocketError) -> Socket {
    let socket = try Socket(family: address.family)
    socket.set(level: SOL_SOCKET, option: SO_REUSEADDR, to: 1)
    guard unsafe address.withPointer({ unsafe bind(socket.number, $0, $1) }) == 0 else {
      throw SocketError("bind")
    }
    guard listen(socket.number, 1024) == 0 else { throw SocketError("listen") }
    return socket
  }

  /// Accepts the next connection; nil if there is none yet.
  func accept() throws(SocketError) -> Socket? {
    let accepted = loop_accept(number)
    guard accepted >= 0 else {
      // A connection that was aborted before it was accepted counts as none.
      guard errno == EAGAIN || errno == ECONNABORTED || errno == EINTR else { throw SocketError("accept") }
      return nil
    }
    let socket = Socket(owning: accepted)
    socket.set(level: CInt(IPPROTO_TCP), option: TCP_NODELAY, to: 1)
    return socket
  }

  /// The port that the socket is bound to.
  func port() throws(SocketError) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(number, pointer, &size)
      }
    }
    guard status == 0 else { throw SocketError("getsockname") }
    // Both families have the port in the same place.
    return unsafe withUnsafeBytes(of: &address) {
      unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
    }
    .bigEndian
  }

  /// Sends some of these bytes, of which there must be one; returns how many, or nil if the socket takes none now.
  @unsafe func send(_ bytes: UnsafeRawBufferPointer) throws(SocketError) -> Int? {
    // Without MSG_NOSIGNAL, a peer that is gone would kill the process (SIGPIPE).
    let count = unsafe Glibc.send(number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
    return try Self.progress(count, "send")
  }

  /// Copies bytes that have arrived, which stay for the next call; empty at the peer's end, nil if there are none yet.
  func peek(atMost count: Int) throws(SocketError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let count = unsafe recv(number, &bytes, count, CInt(MSG_PEEK))
    return try Self.progress(count, "recv").map { Array(bytes[..<$0]) }
  }

  /// Takes bytes that ``peek(atMost:)`` has given.
  func take(_ count: Int) throws(SocketError) {
    var bytes = [UInt8](repeating: 0, count: count)
    _ = try Self.progress(unsafe recv(number, &bytes, count, 0), "recv")
  }

  /// The number of bytes that a call moved; nil if it has to be repeated.
  private static func progress(_ count: Int, _ call: String) throws(SocketError) -> Int? {
    guard count < 0 else { return count }
    guard errno == EAGAIN || errno == EINTR else { throw SocketError(call) }
    return nil
  }

  /// Shuts both directions down, but keeps the descriptor.
  func shutDown() { _ = shutdown(number, CInt(SHUT_RDWR)) }

  /// Makes the next close a reset, which drops bytes that were not sent.
  func resetWhenClosed() {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  private convenience init(family: CInt) throws(SocketError) {
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(family, type, 0)
    guard number >= 0 else { throw SocketError("socket") }
    self.init(owning: number)
    set(level: CInt(IPPROTO_TCP), option: TCP_NODELAY, to: 1)
  }

  private func set(level: CInt, option name: CInt, to value: CInt) {
    var value = value
    _ = unsafe setsockopt(number, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}

/// The failure of a system call on a socket.
package struct SocketError: Error, Hashable, Sendable {
  /// The call's name.
  package let call: String

  /// The system's error number.
  package let errno: CInt

  init(_ call: String, errno: CInt = Glibc.errno) {
    self.call = call
    self.errno = errno
  }
}

extension SocketError: CustomStringConvertible {
  /// The call, and why it failed.
  package var description: String { "\(call): \(unsafe String(cString: strerror(errno)))" }
}
