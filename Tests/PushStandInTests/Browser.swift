import Glibc
import PushStandIn
import Testing

/// A connection with the page's server that says what a test wants, byte by byte.
final class Browser {
  /// Nobody listens.
  struct NotThere: Error {}

  private let descriptor: CInt
  private let port: UInt16

  init(_ page: StandInPage) throws {
    port = try #require(page.address.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, size)
      }
    }
    guard status == 0 else { throw NotThere() }
  }

  deinit { close(descriptor) }

  /// Sends a request, with `HOST` for the page's own host, and returns the answer to its end.
  func exchange(_ request: String) -> String {
    send(request)
    var answer = ""
    while true {
      let more = read()
      guard !more.isEmpty else { return answer }
      answer += more
    }
  }

  func send(_ request: String) {
    let bytes = Array(request.replacing("HOST", with: "127.0.0.1:\(port)").utf8)
    _ = unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }

  /// What comes next; empty at the end.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Reads until a text comes, and returns all that came.
  func read(until text: String) -> String {
    var all = ""
    while !all.contains(text) {
      let more = read()
      guard !more.isEmpty else { return all }
      all += more
    }
    return all
  }
}
