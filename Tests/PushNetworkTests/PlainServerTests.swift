import Foundation
import PushNetwork
import TestSupport
import Testing

/// Servers in plain HTTP, for programs on this machine.
@Suite(.hangGuard) struct PlainServerTests {
  @Test("A request that breaks off is malformed, wherever it ends")
  func brokenOff() async throws {
    let server = try PlainServer(port: 0, maximumConnections: 4)
    server.serve { _ in PlainAnswer(type: "text/plain", body: .bytes([])) }
    for request in ["GET / HTT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nfour"] {
      let visitor = try Visitor(at: server.port)
      visitor.finish(saying: request)
      #expect(await visitor.answer().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
    server.stop()
  }

  @Test("A visitor that says nothing gets no answer")
  func silent() async throws {
    let server = try PlainServer(port: 0, maximumConnections: 4)
    server.serve { _ in PlainAnswer(type: "text/plain", body: .bytes([])) }
    let visitor = try Visitor(at: server.port)
    visitor.finish(saying: "")
    #expect(await visitor.answer().isEmpty)
    server.stop()
  }

  @Test("A port can be used again at once, although the system remembers its last connection")
  func restart() async throws {
    var listener: PlainListener? = try PlainListener(port: 0)
    let port = try #require(listener?.port)
    let visitor = try Visitor(at: port)
    // The side that closes first is the one whose port is remembered.
    var connection = listener?.accept()
    try #require(connection != nil)
    connection = nil
    #expect(await visitor.answer().isEmpty)
    visitor.finish(saying: "")
    listener = nil
    #expect(throws: Never.self) { try PlainListener(port: port) }
  }
}

/// A program that connects to a server of this machine.
final class Visitor: Sendable {
  private let descriptor: CInt

  init(at port: UInt16) throws {
    descriptor = try #require(LoopbackSocket.connected(to: port))
  }

  deinit { close(descriptor) }

  /// Says something.
  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }

  /// Says something, and then no more.
  func finish(saying text: String) {
    say(text)
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// The answer to its end, for which a thread of its own waits.
  func answer() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [descriptor] in
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe recv(descriptor, &piece, piece.count, 0), count > 0 {
          all += piece.prefix(count)
        }
        continuation.resume(returning: String(decoding: all, as: UTF8.self))
      }
    }
  }
}
