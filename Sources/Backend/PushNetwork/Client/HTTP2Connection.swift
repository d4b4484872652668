package import PushCore
internal import CNGHTTP2
private import Synchronization

/// A client's connection to a server: HTTP/2 over TLS.
///
/// Each request ends exactly once: with an answer, or with a ``HTTP2Failure`` that says whether the server may have
/// processed it. Requests wait here until the server's limit of streams has room for them.
///
/// ```swift
/// let context = TLSContext(trusting: try .system(adding: rootInPEM))
/// let connection = try await HTTP2Connection.connect(to: HTTP2Endpoint(host: "localhost", port: port), context)
/// let request = HTTP2Request(path: "/3/device/\(token)", fields: fields, body: payload)
/// let response = try await connection.send(request, until: clock.uptime + .seconds(30))
/// ```
///
/// After the server has sent GOAWAY, the connection takes no more requests: they fail with
/// `notProcessed(.unavailable)`, and belong on a new connection. ``isAvailable`` says whether it takes requests;
/// ``waitUntilClosed()`` waits for its end.
package actor HTTP2Connection: LoopHandler {
  private enum State {
    case connecting(CheckedContinuation<Result<Void, HTTP2Error>, Never>)
    /// The proxy has been asked for the server.
    case tunnelling(CheckedContinuation<Result<Void, HTTP2Error>, Never>)
    case shakingHands(CheckedContinuation<Result<Void, HTTP2Error>, Never>)
    case open
    case draining
    case closed
  }

  package nonisolated let loop: EventLoop
  private let endpoint: HTTP2Endpoint
  private let proxy: TunnelProxy?
  private let authority: String
  private let configuration: HTTP2Configuration
  private let clock: any PushClock
  private var state = State.closed {
    didSet {
      let isOpen = if case .open = state { true } else { false }
      takesRequests.store(isOpen, ordering: .relaxed)
    }
  }
  private nonisolated let takesRequests = Atomic(false)
  private nonisolated let lastNumber = Atomic<UInt64>(0)
  private var link: Link?
  /// What asks the proxy, until it has answered.
  private var tunnel: Tunnel?
  private var requests = RequestTable()
  private var alarm = Alarm()
  private var connectionDeadline: Duration?
  private var heartbeat: Heartbeat
  private var knowsSettings = false
  private var willSend = false
  private var closeWaiters: [CheckedContinuation<Void, Never>] = []

  /// What the server has said in its last GOAWAY; empty if nothing.
  package private(set) var goodbye: [UInt8] = []

  /// Why TLS ended the connection after its handshake, such as a server that asks for a client's certificate; nil if it did
  /// not.
  package private(set) var refusal: TLSError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// Connects to a server: looks the name up anew, tries its addresses as ``AddressRace`` does, and verifies the server's
  /// certificate.
  ///
  /// - Parameter proxy: What to ask for the server. Then the name and the addresses are the proxy's: only the proxy looks
  ///   the server's name up.
  /// - Throws: ``HTTP2Error``, ``HTTP2Error/invalidHost`` before anything is sent.
  package static func connect(
    to endpoint: HTTP2Endpoint, through proxy: TunnelProxy? = nil, context: TLSContext,
    configuration: HTTP2Configuration = .init(), clock: any PushClock = SystemClock(), loop: EventLoop? = nil
  ) async throws(HTTP2Error) -> HTTP2Connection {
    guard endpoint.isValid else { throw .invalidHost }
    let loop = if let loop { loop } else { try startedLoop() }
    let deadline = clock.uptime + configuration.connectionTimeout
    let addresses: [SocketAddress]
    do throws(HTTP2Error) {
      addresses = try await Resolver.shared.addresses(
        of: proxy?.host ?? endpoint.address, port: proxy?.port ?? endpoint.port, until: deadline, clock: clock
      )
    } catch {
      throw error.blamed(on: proxy)
    }
    return try await AddressRace.winner(among: SocketAddress.inTurn(addresses), clock: clock) {
      address async throws(HTTP2Error) in
      let connection = HTTP2Connection(
        endpoint: endpoint, proxy: proxy, configuration: configuration, clock: clock, loop: loop)
      try await connection.open(to: address, context: context, until: deadline)
      return connection
    } losing: {
      await $0.close()
    }
  }

  private init(
    endpoint: HTTP2Endpoint, proxy: TunnelProxy?, configuration: HTTP2Configuration, clock: any PushClock,
    loop: EventLoop
  ) {
    self.endpoint = endpoint
    self.proxy = proxy
    self.configuration = configuration
    self.clock = clock
    self.loop = loop
    authority = endpoint.authority
    heartbeat = Heartbeat(configuration: configuration)
  }

  // MARK: Requests

  /// Sends a request, and waits for its answer.
  ///
  /// - Parameter deadline: The clock's uptime at which the request ends in any case.
  /// - Throws: ``HTTP2Failure``, also if the task is cancelled.
  package func send(
    _ request: HTTP2Request, until deadline: Duration
  ) async throws(HTTP2Failure) -> HTTP2Response {
    let number = newNumber()
    let outcome: RequestTable.Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Checked only here: in a task with a preferred executor, each earlier `await` lets other tasks use the
        // connection.
        guard !Task.isCancelled else {
          return continuation.resume(returning: .failure(.notProcessed(.cancelled)))
        }
        begin(request, number: number, until: deadline) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
    return try outcome.get()
  }

  /// The number of a new request.
  package nonisolated func newNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Begins to send a request, and calls `end` once with its outcome.
  ///
  /// - Parameters:
  ///   - number: The request's number, for ``cancel(_:)``: see ``newNumber()``.
  ///   - deadline: The clock's uptime at which it ends in any case.
  ///   - end: Runs on the loop's thread, perhaps before this returns, and must not call the connection.
  package func begin(
    _ request: HTTP2Request, number: UInt64, until deadline: Duration,
    then end: @escaping @Sendable (Result<HTTP2Response, HTTP2Failure>) -> Void
  ) {
    guard let fields = FieldBlock(request, authority: authority) else {
      return end(.failure(.notProcessed(.invalidRequest)))
    }
    let now = clock.uptime
    guard deadline > now else { return end(.failure(.notProcessed(.deadline))) }
    guard isAvailable else { return end(.failure(.notProcessed(.unavailable))) }
    // Until now the connection had no reason to hear from the server.
    if requests.isEmpty { heartbeat.expects(at: now) }
    requests.add(fields, body: request.body, number: number, until: deadline, then: end)
    setAlarm(by: min(deadline, heartbeat.next(isBusy: true)))
    sendSoon()
  }

  /// Ends a request, unless it has ended.
  package func cancel(_ number: UInt64) { abandon(number, for: .cancelled) }

  /// Whether the connection takes requests.
  package nonisolated var isAvailable: Bool { takesRequests.load(ordering: .relaxed) }

  /// The number of requests that are open or wait.
  package var load: Int { requests.count }

  /// Whether the server has not yet taken what was written.
  var isHeldUp: Bool { link?.isHeldUp ?? false }

  /// Ends the connection, and with it all its requests.
  package func close() { end(for: .unavailable) }

  /// Takes no more requests, and closes when the last one has ended.
  package func drain() {
    guard isAvailable else { return }
    state = .draining
    requests.failAll(for: .unavailable, onlyWaiting: true)
    sendSoon()
  }

  /// Waits until the connection is closed.
  package func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      if case .closed = state { return continuation.resume() }
      closeWaiters.append(continuation)
    }
  }

  private func abandon(_ number: UInt64, for reason: HTTP2Failure.Reason) {
    if let stream = requests.fail(number, for: reason) {
      link?.frames.reset(stream, code: NGHTTP2_CANCEL.rawValue)
      sendSoon()
    }
  }

  /// Opens streams for waiting requests, as many as the server allows.
  private func submitWaiting(to frames: FrameSession) {
    guard isAvailable else { return }
    let limit = min(
      knowsSettings ? frames.remoteStreamLimit : configuration.firstStreamLimit,
      configuration.limits.concurrentStreams)
    let now = clock.uptime
    while requests.openStreams < limit, let (exchange, fields, body) = requests.takeWaiting(at: now) {
      guard let stream = frames.submit(fields, body: body) else {
        // The connection has used up its stream numbers, or the server is going away.
        requests.fail(exchange, for: .unavailable)
        return drain()
      }
      requests.open(stream, for: exchange)
    }
  }

  // MARK: Events

  func ready(for readiness: Readiness) {
    guard let link else { return }
    switch state {
    case .connecting(let continuation):
      if let error = link.connectionError { return fail(with: .socket(error)) }
      if let proxy {
        tunnel = Tunnel(to: endpoint, through: proxy)
        state = .tunnelling(continuation)
        openTunnel(over: link)
      } else {
        state = .shakingHands(continuation)
        shakeHands(over: link)
      }
    case .tunnelling: openTunnel(over: link)
    case .shakingHands: shakeHands(over: link)
    case .open, .draining: if link.mayRead(when: readiness) { receive(over: link) } else { send(over: link) }
    case .closed: break
    }
  }

  package func turnEnded() {
    willSend = false
    if let link, link.isReady { send(over: link) }
  }

  private func openTunnel(over link: Link) {
    guard case .tunnelling(let continuation) = state, let proxy, var tunnel else { return }
    do throws(TunnelError.Fault) {
      let isOpen = try link.open(&tunnel)
      self.tunnel = isOpen ? nil : tunnel
      guard isOpen else { return }
      state = .shakingHands(continuation)
      shakeHands(over: link)
    } catch {
      fail(with: .tunnel(TunnelError(error, proxy: proxy.place)))
    }
  }

  private func shakeHands(over link: Link) {
    do {
      try link.shakeHands()
      guard link.isReady, case .shakingHands(let continuation) = state else { return }
      state = .open
      connectionDeadline = nil
      heartbeat.heard(at: clock.uptime)
      setAlarm(by: heartbeat.next(isBusy: false))
      continuation.resume(returning: .success(()))
      // TLS may have read bytes after the handshake already; the socket does not announce those again.
      receive(over: link)
    } catch {
      fail(with: .tls(error))
    }
  }

  private func receive(over link: Link) {
    do {
      heartbeat.heard(at: clock.uptime)
      let isMore = try link.receive()
      handleEvents(of: link.frames)
      if isMore { Task { self.receiveMore() } }
      sendSoon()
    } catch {
      handleEvents(of: link.frames)
      endAfter(error)
    }
  }

  private func receiveMore() { if let link { receive(over: link) } }

  private func send(over link: Link) {
    do {
      submitWaiting(to: link.frames)
      try link.send()
      handleEvents(of: link.frames)
      let isDrained = if case .draining = state { requests.isEmpty } else { false }
      if isDrained || link.frames.isOver { end(for: .disconnected) }
    } catch {
      // What the server sent before still counts: answers, refusals, GOAWAY.
      if case .tls = error { while (try? link.receive()) == true {} }
      handleEvents(of: link.frames)
      endAfter(error)
    }
  }

  private func endAfter(_ error: LinkError) {
    switch error {
    case .tls(let error):
      if error != .closed { refusal = error }
      end(for: .disconnected)
    case .frames: end(for: .malformed)
    }
  }

  private func handleEvents(of frames: FrameSession) {
    frames.handleEvents { event in
      switch event {
      case .settings: knowsSettings = true
      case .pong: break
      case .goAway(let words):
        goodbye = words
        drain()
      case .began(let stream): requests.begin(on: stream)
      case .message(let stream, let message):
        requests.answer(on: stream, with: message)
        // The server does not want the rest of the request. Without a reset, the stream would never end.
        if frames.isSending(on: stream) { frames.reset(stream, code: NGHTTP2_CANCEL.rawValue) }
      case .tooLarge(let stream): requests.fail(on: stream, for: .malformed)
      case .closed(let stream, let code, let part):
        requests.close(stream, code: code, part: part)
        // There is room for another stream.
        sendSoon()
      }
    }
  }

  private func sendSoon() {
    guard !willSend, link != nil else { return }
    willSend = true
    loop.callAtTurnEnd(self)
  }

  // MARK: Beginning and end

  private static func startedLoop() throws(HTTP2Error) -> EventLoop {
    do throws(SocketError) { return try .start() } catch { throw .socket(error) }
  }

  private func open(
    to address: SocketAddress, context: TLSContext, until deadline: Duration
  ) async throws(HTTP2Error) {
    let outcome: Result<Void, HTTP2Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
        do throws(SocketError) {
          let socket = try Socket.connecting(to: address)
          let frames = FrameSession(
            role: .client, limits: configuration.limits, firstStreamLimit: configuration.firstStreamLimit,
            clock: clock)
          link = try Link(
            socket: socket, tls: { TLSSession(context: context, connectingTo: endpoint.host, over: $0) },
            frames: frames, loop: loop, handler: self,
            awaited: .write)
          state = .connecting(continuation)
          connectionDeadline = deadline
          setAlarm(by: deadline)
        } catch {
          continuation.resume(returning: .failure(HTTP2Error.socket(error).blamed(on: proxy)))
        }
      }
    } onCancel: {
      Task { await self.fail(with: .cancelled) }
    }
    try outcome.get()
  }

  /// Ends an attempt to connect.
  private func fail(with error: HTTP2Error) {
    switch state {
    case .connecting(let continuation), .tunnelling(let continuation):
      continuation.resume(returning: .failure(error.blamed(on: proxy)))
      end(for: .unavailable)
    case .shakingHands(let continuation):
      continuation.resume(returning: .failure(error))
      end(for: .unavailable)
    // The task was cancelled just when it got its connection.
    case .open, .draining: end(for: .unavailable)
    case .closed: break
    }
  }

  private func end(for reason: HTTP2Failure.Reason) {
    if case .closed = state { return }
    state = .closed
    requests.failAll(for: reason)
    alarm.cancel()
    if let link, link.isReady {
      link.frames.terminate(code: NGHTTP2_NO_ERROR.rawValue)
      try? link.send()
    }
    link?.close()
    (link, tunnel) = (nil, nil)
    for waiter in closeWaiters { waiter.resume() }
    closeWaiters = []
  }

  // MARK: Time

  private func setAlarm(by end: Duration) {
    alarm.set(by: end, clock: clock) { [weak self] in await self?.alarmRang() }
  }

  private func alarmRang() {
    let now = clock.uptime
    guard alarm.hasRung(at: now) else { return }
    if let end = connectionDeadline, end <= now { return fail(with: .timeout) }
    if heartbeat.isDead(at: now) { return end(for: .silent) }
    let (passed, next) = requests.deadlines(at: now)
    for number in passed { abandon(number, for: .deadline) }
    if let link, link.isReady, heartbeat.beginsPing(at: now, isBusy: !requests.isEmpty) {
      link.frames.ping()
      sendSoon()
    }
    let ends = [connectionDeadline, next, heartbeat.next(isBusy: !requests.isEmpty)].compactMap(\.self)
    if let end = ends.min() { setAlarm(by: end) }
  }
}
