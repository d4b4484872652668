import PushNetwork
import PushTesting
import Synchronization
import Testing

/// A server of a test, and what its clients need.
///
/// Time passes where a test says so: whoever is slow breaks no limit.
struct TestServer {
  static let authority = CertificateAuthority()
  static let identity = authority.identity(for: CertificateSubject(hosts: ["localhost"]))

  let server: HTTP2Server
  let clientContext: TLSContext

  init(
    identity: TLSIdentity = identity, versions: [TLSContext.Version] = TLSContext.Version.allCases,
    offersHTTP2: Bool = true, limits: HTTP2Limits = .init(), clock: any PushClock = ManualClock(.now),
    handler: @escaping HTTP2Server.Handler
  ) async throws {
    let context = TLSContext(identity: identity, versions: versions, offersHTTP2: offersHTTP2)
    server = try await HTTP2Server.start(context: context, limits: limits, clock: clock, handler: handler)
    clientContext = TLSContext(trusting: try .system(adding: Self.authority.root))
  }

  func connect(
    configuration: HTTP2Configuration = .init(), clock: any PushClock = ManualClock(.now)
  ) async throws(HTTP2Error) -> HTTP2Connection {
    try await HTTP2Connection.connect(
      to: endpoint, context: clientContext, configuration: configuration, clock: clock)
  }

  var endpoint: HTTP2Endpoint { HTTP2Endpoint(host: "localhost", port: server.port, address: "127.0.0.1") }
}

extension HTTP2Connection {
  /// Sends a request without a deadline that matters, and gives how it ended.
  func outcome(
    _ request: HTTP2Request = HTTP2Request(path: "/"), until deadline: Duration = .seconds(1_000_000)
  ) async -> Result<HTTP2Response, HTTP2Failure> {
    do throws(HTTP2Failure) {
      return .success(try await send(request, until: deadline))
    } catch {
      return .failure(error)
    }
  }
}

/// A door that tasks wait at until a test opens it, and that counts them.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrived = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Arrives, and waits until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.arrived += 1
        if !state.isOpen { state.waiting.append(continuation) }
        let watchers = state.watchers.filter { $0.count <= state.arrived }
        state.watchers.removeAll { $0.count <= state.arrived }
        return (state.isOpen, watchers.map(\.continuation))
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Waits until so many have arrived.
  func waitForArrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isEnough = state.withLock { state in
        if state.arrived < count { state.watchers.append((count, continuation)) }
        return state.arrived >= count
      }
      if isEnough { continuation.resume() }
    }
  }

  /// Lets all pass, and those who come later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
