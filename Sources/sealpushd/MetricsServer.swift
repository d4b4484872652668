private import Foundation
internal import PushCommands
internal import PushLoopback
private import Synchronization

/// Answers `GET /metrics` in plain HTTP on 127.0.0.1, and nothing else.
final class MetricsServer: Sendable {
  /// The most connections at a time.
  private static let maximumConnections = 8

  private let listener: LoopbackListener
  private let text: @Sendable () async -> String
  private let connections = Atomic(0)

  /// The port.
  var port: UInt16 { listener.port }

  /// Serves what `text` gives; port 0 lets the system choose one.
  init(port: UInt16, _ text: @escaping @Sendable () async -> String) throws(ToolError) {
    do throws(LoopbackError) {
      listener = try LoopbackListener(port: port)
    } catch {
      throw ToolError(.failed, error.description, hint: "port 0 lets the system choose one")
    }
    self.text = text
    Thread.detachNewThread { [self] in serve() }
  }

  /// Stops serving.
  func stop() { listener.stop() }

  private func serve() {
    while let connection = listener.accept() {
      guard connections.load(ordering: .relaxed) < Self.maximumConnections else { continue }
      connections.add(1, ordering: .relaxed)
      Thread.detachNewThread { [self] in
        answer(connection)
        connections.subtract(1, ordering: .relaxed)
      }
    }
  }

  private func answer(_ connection: LoopbackConnection) {
    let deadline = ContinuousClock.now + .seconds(10)
    do throws(LoopbackRefusal) {
      let request = try LoopbackRequest.read {
        ContinuousClock.now < deadline ? connection.read(atMost: $0) : []
      }
      guard let request else { return }
      try request.checkHost(port: port)
      guard request.path == "/metrics" else { throw .notFound }
      guard request.method == "GET" else { throw .wrongMethod }
      respond(connection, "200 OK", MetricsText.contentType, wait(for: text))
    } catch {
      respond(connection, error.status, "text/plain; charset=utf-8", error.status + "\n")
    }
  }

  /// Waits on this connection's own thread for what tasks find out.
  private func wait(for text: @escaping @Sendable () async -> String) -> String {
    let (isThere, found) = (DispatchSemaphore(value: 0), Box())
    Task {
      let text = await text()
      found.text.withLock { $0 = text }
      isThere.signal()
    }
    isThere.wait()
    return found.text.withLock(\.self)
  }

  private final class Box: Sendable {
    let text = Mutex("")
  }

  private func respond(_ connection: LoopbackConnection, _ status: String, _ type: String, _ body: String) {
    _ = connection.write(
      """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      Content-Length: \(body.utf8.count)\r
      X-Content-Type-Options: nosniff\r
      Cache-Control: no-store\r
      Connection: close\r
      \r
      \(body)
      """)
  }
}
