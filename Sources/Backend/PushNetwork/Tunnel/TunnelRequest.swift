internal import Glibc

/// The request for a tunnel, in memory that is wiped at the end of its life, because it has the credentials.
@safe
final class TunnelRequest {
  private let memory: UnsafeMutableRawBufferPointer
  private var sent = 0

  /// Makes the request for a tunnel to a target, which is a host and a port.
  init(to target: String, credentials: (any TunnelCredentials)?) {
    var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    let start = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
    if let credentials {
      credentials.withAuthorization { value in
        unsafe memory = Self.memory(of: start + "Proxy-Authorization: ", value, "\r\n\r\n")
      }
    } else {
      unsafe memory = Self.memory(of: start, Span(), "\r\n")
    }
    unsafe self.memory = unsafe memory
  }

  @unsafe private static func memory(
    of start: String, _ secret: Span<UInt8>, _ end: String
  ) -> UnsafeMutableRawBufferPointer {
    let (start, end) = (Array(start.utf8), Array(end.utf8))
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: start.count + secret.count + end.count, alignment: 1)
    unsafe memory.copyBytes(from: start)
    for index in secret.indices { unsafe memory[start.count + index] = secret[index] }
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[(start.count + secret.count)...])
    unsafe rest.copyBytes(from: end)
    return unsafe memory
  }

  deinit {
    if let address = unsafe memory.baseAddress { unsafe explicit_bzero(address, memory.count) }
    unsafe memory.deallocate()
  }

  /// Sends what the socket takes; returns whether all is sent.
  func send(over socket: Socket) throws(SocketError) -> Bool {
    while unsafe sent < memory.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[sent...])
      guard let count = try unsafe socket.send(rest) else { return false }
      sent += count
    }
    return true
  }
}
