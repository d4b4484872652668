private import Foundation
private import Synchronization

/// What a server of this machine takes.
package struct LoopbackRules: Sendable {
  /// How many connections may be open.
  package var maximumConnections = 8

  /// The most bytes of a body.
  package var maximumBody = LoopbackRequest.limits.body

  /// How long a request may take to arrive.
  package var requestTime = Duration.seconds(10)

  /// How long a request may take to arrive when all connections are open, and another needs one.
  package var requestTimeWhenFull = Duration.milliseconds(100)

  /// Whether a request must name this machine, as a browser's does.
  package var isForBrowsers = true

  /// Whether a connection above the maximum gets the answer 503; otherwise it is closed.
  package var tellsWhenFull = false

  /// Whether a header may be repeated, except for those that say where the body ends and whom the request is for.
  package var takesRepeatedHeaders = false

  /// Makes the rules of a server for a browser of this machine.
  package init() {}
}

/// Answers requests in plain HTTP to programs of this machine, with a thread for each connection.
package final class LoopbackServer: Sendable {
  /// Answers a request; it may block.
  package typealias Handler = @Sendable (LoopbackRequest) throws(LoopbackRefusal) -> LoopbackAnswer

  private let listener: LoopbackListener
  private let rules: LoopbackRules
  private let open = Mutex(OpenLoopbacks())
  private let stopping = Atomic(false)

  /// The port; 0 at a path.
  package var port: UInt16 { listener.port }

  /// Where it listens.
  package var place: LoopbackPlace { listener.place }

  /// Whether the server was stopped, which ends streams.
  package var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// Whether no request is being read or answered.
  package var isIdle: Bool { open.withLock(\.isEmpty) }

  /// Listens on a port for browsers; port 0 lets the system choose one.
  ///
  /// - Throws: ``LoopbackError``.
  package convenience init(port: UInt16, maximumConnections: Int) throws(LoopbackError) {
    var rules = LoopbackRules()
    rules.maximumConnections = maximumConnections
    try self.init(at: .port(port), rules: rules)
  }

  /// Listens at a place.
  ///
  /// - Throws: ``LoopbackError``.
  package init(at place: LoopbackPlace, rules: LoopbackRules) throws(LoopbackError) {
    listener = try LoopbackListener(at: place)
    self.rules = rules
  }

  /// Answers requests until ``stop()``; may be called once.
  ///
  /// `refusal` gives the answer to a request that is refused.
  package func serve(
    refusing refusal: @escaping @Sendable (LoopbackRefusal) -> LoopbackAnswer = LoopbackAnswer.init,
    with handler: @escaping Handler
  ) {
    Thread.detachNewThread { [self] in
      while let connection = listener.accept() {
        guard let number = open.withLock({ $0.add(connection, by: rules) }) else {
          if rules.tellsWhenFull {
            // Its first bytes fit into the system's buffer.
            refusal(.tooMany).write(to: connection)
            connection.finish(within: .zero)
          }
          continue
        }
        Thread.detachNewThread { [self] in
          answer(connection, number: number, with: handler, refusing: refusal)
          open.withLock { $0.remove(number) }
        }
      }
    }
  }

  /// Stops serving.
  package func stop() {
    stopping.store(true, ordering: .releasing)
    listener.stop()
  }

  private func answer(
    _ connection: LoopbackConnection, number: Int, with handler: Handler,
    refusing refusal: (LoopbackRefusal) -> LoopbackAnswer
  ) {
    let end = ContinuousClock.now + rules.requestTime
    do throws(LoopbackRefusal) {
      let request = try LoopbackRequest.read(by: rules) { connection.read(atMost: $0, until: end) }
      guard let request else { return }
      open.withLock { $0.hasArrived(number) }
      if rules.isForBrowsers { try request.checkHost(port: port) }
      try handler(request).write(to: connection)
    } catch {
      refusal(error).write(to: connection)
      connection.finish(within: .seconds(1))
    }
  }
}

/// An answer of a server on this machine; its headers keep other sites' pages from using it.
package struct LoopbackAnswer: Sendable {
  /// The part after the headers.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// There is none, as with the status 304.
    case none
    /// Writes the body itself, until it ends or the other side has gone.
    case stream(@Sendable (LoopbackConnection) -> Void)
  }

  private let status: String
  private let type: String
  private let headers: [(name: String, value: String)]
  private let body: Body
  private let policy: String
  private let cache: String

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - status: The status line's end.
  ///   - type: The body's type.
  ///   - headers: More headers, whose values have no line ends.
  ///   - policy: The page's `Content-Security-Policy`; by default it allows nothing.
  ///   - cache: Its `Cache-Control`; by default nobody keeps it.
  package init(
    status: String = "200 OK", type: String, headers: [(name: String, value: String)] = [], body: Body,
    policy: String = "default-src 'none'", cache: String = "no-store"
  ) {
    self.status = status
    self.type = type
    self.headers = headers
    self.body = body
    self.policy = policy
    self.cache = cache
  }

  /// Makes the answer to a request that is refused.
  package init(_ refusal: LoopbackRefusal) {
    self.init(
      status: refusal.status, type: "text/plain; charset=utf-8",
      body: .bytes(Array("\(refusal.text)\n".utf8)))
  }

  func write(to connection: LoopbackConnection) {
    guard connection.write(head) else { return }
    switch body {
    case .bytes(let bytes): _ = connection.write(bytes)
    case .none: break
    case .stream(let write): write(connection)
    }
  }

  private var head: String {
    let length = if case .bytes(let bytes) = body { "Content-Length: \(bytes.count)\r\n" } else { "" }
    let more = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      \(length)\(more)Content-Security-Policy: \(policy)\r
      X-Content-Type-Options: nosniff\r
      Referrer-Policy: no-referrer\r
      Cross-Origin-Resource-Policy: same-origin\r
      Cache-Control: \(cache)\r
      Connection: close\r
      \r

      """
  }
}
