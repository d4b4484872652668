package import PushCore
internal import Glibc

/// An HTTP/2 server for this machine, with faults on request.
///
/// ```swift
/// let authority = CertificateAuthority()
/// let server = try await HTTP2Server.start(
///   TLSContext(identity: authority.identity(for: CertificateSubject(hosts: ["localhost"])))
/// ) { request in
///   .response(HTTP2Response(status: 200, fields: [HTTPField("apns-id", request["apns-id"] ?? "")]))
/// }
/// let port = server.port
/// ```
///
/// A connection makes the faults: see ``HTTP2ServerConnection``, which each request and ``connections`` have.
package actor HTTP2Server: LoopHandler {
  /// Answers a request.
  ///
  /// It begins on the loop's thread, and all connections wait for it there: slow work belongs in another actor. The
  /// handler's task is cancelled when the client resets the stream or is gone.
  package typealias Handler =
    nonisolated(nonsending) @Sendable (HTTP2ServerRequest) async -> HTTP2ServerAnswer

  package nonisolated let loop: EventLoop
  private var context: TLSContext
  private let limits: HTTP2Limits
  private let handler: Handler
  private let clock: any PushClock
  private var listener: Socket?
  private var number: UInt64 = 0
  private var alarm = Alarm()
  private var open: [ObjectIdentifier: HTTP2ServerConnection] = [:]

  /// How long a client may take for the TLS handshake.
  private static let handshakeTimeout = Duration.seconds(10)

  /// How long the server waits for a descriptor, unless a connection closes before.
  private static let retryTime = Duration.seconds(1)

  /// The port, which the system chose if 0 was asked for.
  package nonisolated let port: UInt16

  /// Whether the server accepts new connections; it pauses when one could not be accepted.
  package private(set) var isAccepting = false

  /// The number of connections that have been accepted.
  package private(set) var connectionCount = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// Listens on 127.0.0.1.
  ///
  /// - Parameter port: The port; 0 for one that the system chooses.
  /// - Throws: ``HTTP2Error``.
  package static func start(
    context: TLSContext, port: UInt16 = 0, limits: HTTP2Limits = .init(), loop: EventLoop? = nil,
    clock: any PushClock = SystemClock(), handler: @escaping Handler
  ) async throws(HTTP2Error) -> HTTP2Server {
    let addresses = await Resolver.shared.answer(for: "127.0.0.1", port: port)
    let address = try addresses.mapError(HTTP2Error.name).get()[0]
    do throws(SocketError) {
      let loop = if let loop { loop } else { try EventLoop.start() }
      let socket = try Socket.listening(at: address)
      let server = HTTP2Server(
        context: context, limits: limits, loop: loop, clock: clock, handler: handler, port: try socket.port())
      try await server.listen(on: socket)
      return server
    } catch {
      throw .socket(error)
    }
  }

  private init(
    context: TLSContext, limits: HTTP2Limits, loop: EventLoop, clock: any PushClock,
    handler: @escaping Handler, port: UInt16
  ) {
    self.context = context
    self.limits = limits
    self.loop = loop
    self.clock = clock
    self.handler = handler
    self.port = port
  }

  private func listen(on socket: Socket) throws(SocketError) {
    number = try loop.add(self, on: socket.number, for: .read)
    (listener, isAccepting) = (socket, true)
  }

  /// The connections that are open, the handshake included.
  package var connections: [HTTP2ServerConnection] { Array(open.values) }

  /// Changes the context of new connections, for example to another identity.
  package func set(context: TLSContext) { self.context = context }

  /// Stops listening and closes all connections.
  package func stop() async {
    if let listener {
      alarm.cancel()
      loop.remove(listener.number, number: number)
      self.listener = nil
    }
    for connection in connections { await connection.close() }
  }

  func ready(for readiness: Readiness) {
    do throws(SocketError) {
      try acceptAll()
    } catch {
      // A connection for which there is no descriptor waits, and the loop would report it again and again.
      setAccepting(to: false)
      alarm.set(by: clock.uptime + Self.retryTime, clock: clock) { [weak self] in await self?.retry() }
    }
  }

  private func retry() {
    _ = alarm.hasRung(at: clock.uptime)
    setAccepting(to: true)
  }

  private func setAccepting(to accepts: Bool) {
    guard let listener, accepts != isAccepting else { return }
    loop.watch(listener.number, number: number, for: accepts ? .read : [])
    isAccepting = accepts
  }

  private func acceptAll() throws(SocketError) {
    while let socket = try listener?.accept() {
      guard open.count < limits.connections || makesRoom() else { continue }
      connectionCount += 1
      let connection = HTTP2ServerConnection(
        limits: limits, loop: loop, openedAt: clock.uptime, handler: handler
      ) { [weak self] connection in
        Task { await self?.forget(connection) }
      }
      open[ObjectIdentifier(connection)] = connection
      let (context, deadline, clock) = (context, clock.uptime + Self.handshakeTimeout, clock)
      // All actors of a loop run on its thread.
      connection.assumeIsolated { $0.begin(on: socket, context: context, until: deadline, clock: clock) }
    }
  }

  /// Closes the connection that has been open for longest without a request, if its time is over: clients that connect and
  /// ask nothing keep nobody out.
  private func makesRoom() -> Bool {
    let silent = open.values.filter { connection in connection.assumeIsolated { $0.requestCount == 0 } }
    guard let oldest = silent.min(by: { $0.openedAt < $1.openedAt }),
      clock.uptime - oldest.openedAt >= limits.silentTimeWhenFull
    else { return false }
    open[ObjectIdentifier(oldest)] = nil
    oldest.assumeIsolated { $0.close() }
    return true
  }

  package func turnEnded() {}

  private func forget(_ connection: HTTP2ServerConnection) {
    open[ObjectIdentifier(connection)] = nil
    // The connection has freed a descriptor.
    setAccepting(to: true)
  }
}
