private import Foundation
private import Synchronization

/// What a server takes.
package struct PlainRules: Sendable {
  /// How many connections may be open.
  package var maximumConnections = 8

  /// The most bytes of a body.
  package var maximumBody = PlainRequest.limits.body

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

/// Answers requests in plain HTTP, with a thread for each connection: of this machine, or at an address.
package final class PlainServer: Sendable {
  /// Answers a request; it may block.
  package typealias Handler = @Sendable (PlainRequest) throws(PlainRefusal) -> PlainAnswer

  private let listener: PlainListener
  private let rules: PlainRules
  private let open = Mutex(OpenConnections())
  private let stopping = Atomic(false)

  /// The port; 0 at a path.
  package var port: UInt16 { listener.port }

  /// Where it listens.
  package var place: ListenPlace { listener.place }

  /// Whether the server was stopped, which ends streams.
  package var isStopped: Bool { stopping.load(ordering: .acquiring) }

  /// Whether no request is being read or answered.
  package var isIdle: Bool { open.withLock(\.isEmpty) }

  /// Listens on a port for browsers; port 0 lets the system choose one.
  ///
  /// - Throws: ``ListenError``.
  package convenience init(port: UInt16, maximumConnections: Int) throws(ListenError) {
    var rules = PlainRules()
    rules.maximumConnections = maximumConnections
    try self.init(at: .loopback(.port(port)), rules: rules)
  }

  /// Listens at a place.
  ///
  /// - Throws: ``ListenError``.
  package init(at place: ListenPlace, rules: PlainRules) throws(ListenError) {
    listener = try PlainListener(at: place)
    self.rules = rules
  }

  /// Answers requests until ``stop()``; may be called once.
  ///
  /// `refusal` gives the answer to a request that is refused.
  package func serve(
    refusing refusal: @escaping @Sendable (PlainRefusal) -> PlainAnswer = PlainAnswer.init,
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
    _ connection: PlainConnection, number: Int, with handler: Handler,
    refusing refusal: (PlainRefusal) -> PlainAnswer
  ) {
    let end = ContinuousClock.now + rules.requestTime
    do throws(PlainRefusal) {
      let request = try PlainRequest.read(by: rules) { connection.read(atMost: $0, until: end) }
      guard let request else { return }
      open.withLock { $0.hasArrived(number) }
      if rules.isForBrowsers { try request.checkHost(at: place) }
      try handler(request).write(to: connection)
    } catch {
      refusal(error).write(to: connection)
      connection.finish(within: .seconds(1))
    }
  }
}

/// An answer of a server; its headers keep other sites' pages from using it.
package struct PlainAnswer: Sendable {
  /// The part after the headers.
  package enum Body: Sendable {
    case bytes([UInt8])
    /// There is none, as with the status 304.
    case none
    /// Writes the body itself, until it ends or the other side has gone.
    case stream(@Sendable (PlainConnection) -> Void)
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
  package init(_ refusal: PlainRefusal) {
    self.init(
      status: refusal.status, type: "text/plain; charset=utf-8",
      body: .bytes(Array("\(refusal.text)\n".utf8)))
  }

  func write(to connection: PlainConnection) {
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
