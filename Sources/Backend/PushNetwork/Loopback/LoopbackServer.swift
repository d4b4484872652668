private import Foundation
private import Synchronization

/// Answers requests in plain HTTP on 127.0.0.1, with a thread for each connection.
package final class LoopbackServer: Sendable {
  /// Answers a request; it may block.
  package typealias Handler = @Sendable (LoopbackRequest) throws(LoopbackRefusal) -> LoopbackAnswer

  private let listener: LoopbackListener
  private let maximumConnections: Int
  private let connections = Atomic(0)
  private let stopping = Atomic(false)

  /// The port.
  package var port: UInt16 { listener.port }

  /// Whether the server was stopped, which ends streams.
  package var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// Listens; port 0 lets the system choose one.
  ///
  /// Connections above the maximum are closed.
  ///
  /// - Throws: ``LoopbackError``.
  package init(port: UInt16, maximumConnections: Int) throws(LoopbackError) {
    listener = try LoopbackListener(port: port)
    self.maximumConnections = maximumConnections
  }

  /// Answers requests for this machine until ``stop()``; may be called once.
  package func serve(with handler: @escaping Handler) {
    Thread.detachNewThread { [self] in
      while let connection = listener.accept() {
        guard connections.load(ordering: .relaxed) < maximumConnections else { continue }
        connections.add(1, ordering: .relaxed)
        Thread.detachNewThread { [self] in
          answer(connection, with: handler)
          connections.subtract(1, ordering: .relaxed)
        }
      }
    }
  }

  /// Stops serving.
  package func stop() {
    stopping.store(true, ordering: .releasing)
    listener.stop()
  }

  private func answer(_ connection: LoopbackConnection, with handler: Handler) {
    let deadline = ContinuousClock.now + .seconds(10)
    let answer: LoopbackAnswer
    do throws(LoopbackRefusal) {
      let request = try LoopbackRequest.read {
        ContinuousClock.now < deadline ? connection.read(atMost: $0) : []
      }
      guard let request else { return }
      try request.checkHost(port: port)
      answer = try handler(request)
    } catch {
      answer = LoopbackAnswer(error)
    }
    answer.write(to: connection)
  }
}

/// An answer of a server on this machine; its headers keep other sites' pages from using it.
package struct LoopbackAnswer {
  /// The part after the headers.
  package enum Body {
    case bytes([UInt8])
    /// Writes the body itself, until it ends or the other side has gone.
    case stream((LoopbackConnection) -> Void)
  }

  private let status: String
  private let type: String
  private let body: Body
  private let policy: String

  /// Makes an answer with the status 200.
  ///
  /// - Parameters:
  ///   - type: The body's type.
  ///   - policy: The page's `Content-Security-Policy`; by default it allows nothing.
  package init(type: String, body: Body, policy: String = "default-src 'none'") {
    status = "200 OK"
    self.type = type
    self.body = body
    self.policy = policy
  }

  init(_ refusal: LoopbackRefusal) {
    status = refusal.status
    type = "text/plain; charset=utf-8"
    body = .bytes(Array("\(refusal.status)\n".utf8))
    policy = "default-src 'none'"
  }

  func write(to connection: LoopbackConnection) {
    guard connection.write(head) else { return }
    switch body {
    case .bytes(let bytes): _ = connection.write(bytes)
    case .stream(let write): write(connection)
    }
  }

  private var head: String {
    let length = if case .bytes(let bytes) = body { "Content-Length: \(bytes.count)\r\n" } else { "" }
    return """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      \(length)Content-Security-Policy: \(policy)\r
      X-Content-Type-Options: nosniff\r
      Referrer-Policy: no-referrer\r
      Cross-Origin-Resource-Policy: same-origin\r
      Cache-Control: no-store\r
      Connection: close\r
      \r

      """
  }
}
