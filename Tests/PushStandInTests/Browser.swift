import Foundation
import PushStandIn
import TestSupport
import Testing

/// A connection with the page's server that says what a test wants, byte by byte.
///
/// What waits for the server does so on a thread of its own: the pool that runs the tests has few, and the server needs
/// it too.
final class Browser: Sendable {
  /// Nobody listens.
  struct NotThere: Error {}

  private let descriptor: CInt
  private let port: UInt16
  private let folder: String

  init(_ page: StandInPage) throws {
    let address = try #require(URL(string: page.address))
    port = try #require(address.port.map(UInt16.init))
    folder = address.path
    guard let descriptor = LoopbackSocket.connected(to: port) else { throw NotThere() }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends a request, with `HOST` for the page's own host and `PAGE` for its token, and returns the answer to its end.
  func exchange(_ request: String) async -> String {
    send(request)
    return await read()
  }

  func send(_ request: String) {
    let bytes = Array(
      request.replacing("HOST", with: "127.0.0.1:\(port)").replacing("/PAGE", with: folder).utf8)
    _ = unsafe Foundation.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
  }

  /// Reads until a text comes, or to the end, and returns all that came.
  func read(until text: String? = nil) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var all = ""
        var more: String
        repeat {
          more = next()
          all += more
        } while !more.isEmpty && text.map(all.contains) != true
        continuation.resume(returning: all)
      }
    }
  }

  /// What comes next; empty at the end.
  private func next() -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
