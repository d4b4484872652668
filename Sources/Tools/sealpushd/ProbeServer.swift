internal import PushCommands
internal import PushDelivery
internal import PushNetwork
internal import PushWorker
private import Synchronization

/// Answers `GET` of `/healthz`, `/readyz` and, for a worker, `/metrics` in plain HTTP, and nothing else.
///
/// The first two never wait for anything. Metrics do, so only a few are asked for at a time, and there is always a connection
/// left for a probe.
struct ProbeServer {
  private let server: PlainServer

  /// Where it listens, with the port that the system chose.
  var place: ListenPlace { server.place }

  /// How many connections may be open.
  private static let maximumConnections = 32

  /// How many of them may wait for metrics.
  private static let maximumMetrics = 8

  /// Serves at an address what a process says of itself; `metrics` gives a worker's.
  init(
    at address: ListenAddress, pulse: Pulse, readiness: Readiness,
    metrics: (@Sendable () async -> String)? = nil
  ) throws(ToolError) {
    var rules = PlainRules()
    rules.maximumConnections = Self.maximumConnections
    rules.tellsWhenFull = true
    // Elsewhere, a scrape names this machine as others know it, and whoever reaches it may read it.
    rules.isForBrowsers = address.isLoopback
    do throws(ListenError) {
      server = try PlainServer(at: .address(address), rules: rules)
    } catch {
      throw ToolError(
        .failed, error.description,
        hint:
          "another process may use it, or the address is not this machine's; port 0 lets the system choose one"
      )
    }
    let places = MetricsPlaces(count: Self.maximumMetrics)
    server.serve { (request) throws(PlainRefusal) in
      switch request.path {
      case "/healthz", "/readyz": break
      case "/metrics" where metrics != nil: break
      default: throw .notFound
      }
      guard request.method == "GET" else { throw .wrongMethod }
      switch request.path {
      case "/healthz": return PlainAnswer(obstacle: pulse.silence.map(Self.text))
      case "/readyz": return PlainAnswer(obstacle: readiness.obstacle)
      default:
        guard let metrics, places.take() else { throw .tooMany }
        defer { places.giveBack() }
        return PlainAnswer(
          type: PrometheusText.contentType, body: .bytes(Array(BlockingWait.value(metrics).utf8)))
      }
    }
  }

  private static func text(of silence: Duration) -> String {
    "none of its tasks has run for \(silence.components.seconds) seconds"
  }

  /// Stops serving.
  func stop() { server.stop() }

  /// How many more may wait for metrics.
  private final class MetricsPlaces: Sendable {
    private let left: Mutex<Int>

    init(count: Int) { left = Mutex(count) }

    /// Takes a place; false if there is none.
    func take() -> Bool {
      left.withLock { left in
        guard left > 0 else { return false }
        left -= 1
        return true
      }
    }

    func giveBack() { left.withLock { $0 += 1 } }
  }
}

extension PlainAnswer {
  /// The answer to a probe: 200 and `ok`, or 503 and what is in the way.
  fileprivate init(obstacle: String?) {
    self.init(
      status: obstacle == nil ? "200 OK" : "503 Service Unavailable", type: "text/plain; charset=utf-8",
      body: .bytes(Array("\(obstacle ?? "ok")\n".utf8)))
  }
}

extension Option<ListenAddress> {
  /// Where a worker serves its metrics and probes.
  static var listenAddress: Self { .address("--listen") }

  /// Where a service serves its probes.
  static var probes: Self { .address("--probes") }

  private static func address(_ name: String) -> Self {
    Self(
      name, "ADDRESS", rule: "PORT, 127.0.0.1:PORT, [::1]:PORT or another IP address with a port",
      isShown: true
    ) { ListenAddress($0) }
  }
}
