import Foundation
import Locks

/// An HTTP/1.1 server on this machine: one answer a connection, then it closes.
final class LoopbackServer: Sendable {
  /// What the server does with a connection, when it has read a request.
  enum Answer: Sendable {
    /// It sends this.
    case bytes([UInt8])
    /// It sends this, and then nothing until the other side closes.
    case stall([UInt8])
    /// It sends this, and then zeros until the other side closes.
    case endless([UInt8])
  }

  /// The port that it listens on.
  let port: UInt16

  /// The paths whose answer was not sent whole because the other side closed; it ends with the server.
  let abandoned: AsyncStream<String>

  private let socket: Int32
  private let log = Log()

  /// Listens, and answers by path; any other path gets 404.
  init(_ answers: [String: Answer]) throws {
    socket = try Self.listener()
    port = Self.port(of: socket)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    abandoned = stream
    let thread = Thread { [socket, log] in
      while case let connection = accept(socket, nil, nil), connection >= 0, !log.isStopped.withLock({ $0 }) {
        Self.limit(connection)
        let head = Self.head(connection)
        log.heads.withLock { $0.append(head) }
        let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        if !Self.give(answers[path] ?? .head(404), to: connection) { continuation.yield(path) }
        close(connection)
      }
      continuation.finish()
      close(socket)
    }
    thread.start()
  }

  deinit { stop() }

  /// The heads of the requests, in order.
  var requests: [String] { log.heads.withLock { $0 } }

  /// The address of a path.
  func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Listens no longer.
  func stop() {
    guard
      log.isStopped.withLock({ isStopped in
        defer { isStopped = true }
        return !isStopped
      })
    else { return }
    // Its thread waits for a connection.
    let connection = Self.socket()
    _ = unsafe Self.withAddress(port) { address, size in unsafe connect(connection, address, size) }
    close(connection)
  }

  /// What the server's thread shares.
  private final class Log: Sendable {
    let heads = Mutex<[String]>([])
    let isStopped = Mutex(false)
  }
}

extension LoopbackServer.Answer {
  /// A head alone, with no body.
  static func head(_ status: Int, _ fields: String...) -> Self { .bytes(Self.bytes(status, fields, [])) }

  /// A head and a body.
  static func body(_ body: [UInt8], _ fields: String...) -> Self { .bytes(Self.bytes(200, fields, body)) }

  private static func bytes(_ status: Int, _ fields: [String], _ body: [UInt8]) -> [UInt8] {
    let lines = ["HTTP/1.1 \(status) X", "Connection: close", "Content-Length: \(body.count)"] + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}

extension LoopbackServer {
  private static func socket() -> Int32 {
    #if canImport(Darwin)
      Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #else
      Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  private static func withAddress<Result>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func listener() throws -> Int32 {
    let socket = socket()
    let bound = unsafe withAddress(0) { address, size in unsafe bind(socket, address, size) }
    guard socket >= 0, bound == 0, listen(socket, 8) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    return socket
  }

  private static func port(of socket: Int32) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutableBytes(of: &address) { bytes in
      _ = unsafe getsockname(socket, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Lets no call on the connection last longer than 20 s.
  private static func limit(_ connection: Int32) {
    var time = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = unsafe setsockopt(connection, SOL_SOCKET, option, &time, size)
    }
  }

  private static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    while bytes.count < 8192, !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      guard unsafe recv(connection, &byte, 1, 0) == 1 else { break }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Gives an answer; false when the other side closed before the end of it.
  private static func give(_ answer: Answer, to connection: Int32) -> Bool {
    switch answer {
    case .bytes(let bytes): return send(bytes, to: connection)
    case .stall(let bytes):
      var byte: UInt8 = 0
      guard send(bytes, to: connection) else { return false }
      return unsafe recv(connection, &byte, 1, 0) > 0
    case .endless(let bytes):
      let zeros = [UInt8](repeating: 0, count: 1 << 14)
      guard send(bytes, to: connection) else { return false }
      // 16 MB/s for 20 s, or until the other side closes.
      for _ in 0..<20_000 where isClosed(connection) || !send(zeros, to: connection) { return false }
      return true
    }
  }

  /// Whether the other side closes within 1 ms.
  private static func isClosed(_ connection: Int32) -> Bool {
    var events = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&events, 1, 1) != 0
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    #if canImport(Darwin)
      var isOn: Int32 = 1
      _ = unsafe setsockopt(
        connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.send(connection, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
