import CTLS

@testable import PushNetwork
import PushTesting

/// A peer that speaks TLS, and within it whatever bytes a test wants.
actor RawPeer: LoopHandler {
  struct Frame: Equatable {
    enum Kind: UInt8 {
      case data, headers, priority, reset, settings, push, ping, goAway, window, continuation
    }

    let kind: Kind?
    let flags: UInt8
    let stream: Int32
    let payload: [UInt8]
  }

  static let endStream: UInt8 = 0x01
  static let acknowledges: UInt8 = 0x01
  static let endHeaders: UInt8 = 0x04
  static let isPadded: UInt8 = 0x08
  static let hasPriority: UInt8 = 0x20

  /// What a client says before its first frame (RFC 9113, 3.4), which begins like no frame of a test's.
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  nonisolated let loop: EventLoop
  private var socket: Socket?
  private let descriptor: CInt
  private let tls: TLSSession
  private var number: UInt64 = 0
  private var watched: Readiness = []
  private var waiter: CheckedContinuation<Void, Never>?
  private var received: [UInt8] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ socket: Socket, _ tls: (CInt) -> TLSSession) throws {
    loop = try EventLoop.start()
    self.socket = socket
    descriptor = socket.number
    self.tls = tls(descriptor)
  }

  /// Connects to a server of this machine, and says the preface with empty settings and what follows it.
  static func client(of server: TestServer, saying bytes: [UInt8] = []) async throws -> RawPeer {
    let context = server.clientContext
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.server.port).get()[0]
    let peer = try RawPeer(try Socket.connecting(to: address)) {
      TLSSession(context: context, connectingTo: "localhost", over: $0)
    }
    try await peer.shakeHands(saying: Self.preface + Self.frame(.settings) + bytes)
    return peer
  }

  static func frame(_ kind: Frame.Kind, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = [])
    -> [UInt8]
  {
    let size = payload.count
    let head = [UInt8(size >> 16), UInt8(size >> 8 & 0xff), UInt8(size & 0xff), kind.rawValue, flags]
    return head + bytes(UInt32(stream)) + payload
  }

  static func bytes(_ number: UInt32) -> [UInt8] {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
  }

  /// A setting and its value.
  static func setting(_ id: UInt8, _ value: UInt32) -> [UInt8] { [0, id] + bytes(value) }

  /// Shakes hands, and says something before the loop sees what it sent last.
  func shakeHands(saying bytes: [UInt8] = []) async throws {
    number = try loop.add(self, on: descriptor, for: [])
    _ = try await perform { () throws(TLSError) in try tls.shakeHands() }
    try await send(bytes)
  }

  func send(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try await perform { () throws(TLSError) in try tls.write(rest) })
    }
  }

  /// Sends several records of TLS before the loop sees one of them.
  func send(each records: [[UInt8]]) async throws { for record in records { try await send(record) } }

  /// Asks the peer for new keys, which has to write for that before it reads on, and says something.
  func changeKeys(saying bytes: [UInt8]) async throws {
    guard unsafe SSL_key_update(tls.session, SSL_KEY_UPDATE_REQUESTED) == 1 else { throw TLSError.unreadable }
    try await send(bytes)
    // The loop tells that this side may write, and the other one in the same turn what has come.
    for _ in 0..<2 {
      watch(.write)
      await withCheckedContinuation { waiter = $0 }
    }
  }

  /// The next frame; nil if the peer closed.
  func next() async throws -> Frame? {
    while true {
      if received.starts(with: Self.preface) { received.removeFirst(Self.preface.count) }
      if received.count >= 9, received[0] != Self.preface[0] {
        let size = received[..<3].reduce(0) { $0 << 8 | Int($1) }
        if received.count >= 9 + size { return take(size) }
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      do throws(TLSError) {
        let count = try await perform { () throws(TLSError) in
          try tls.read(into: &buffer)
        }
        received += buffer.prefix(count)
      } catch {
        guard error == .closed else { throw error }
        return nil
      }
    }
  }

  /// The next frame of a kind; nil if the peer closed before.
  func next(_ kind: Frame.Kind) async throws -> Frame? {
    try await next { $0.kind == kind }
  }

  /// The next frame that is one of those looked for; nil if the peer closed before.
  func next(where isLookedFor: (Frame) -> Bool) async throws -> Frame? {
    while let frame = try await next() { if isLookedFor(frame) { return frame } }
    return nil
  }

  /// Says something, is gone, and calls `then` before anyone on the loop has read that.
  func sayLast<Result: Sendable>(_ bytes: [UInt8], then: @Sendable () -> Result) throws -> Result {
    guard try tls.write(bytes[...]) == .done(bytes.count) else { throw TLSError.closed }
    close(abruptly: true)
    return then()
  }

  /// Says something and then no more, before the loop sees it; the peer can still be heard.
  func finish(saying bytes: [UInt8]) throws {
    guard try tls.write(bytes[...]) == .done(bytes.count) else { throw TLSError.closed }
    tls.close()
  }

  /// Closes, after which nothing else may be called.
  func close(abruptly: Bool = false) {
    if abruptly { socket?.resetWhenClosed() } else { tls.close() }
    loop.remove(descriptor, number: number)
    socket = nil
  }

  func ready(for readiness: Readiness) {
    watch([])
    waiter?.resume()
    waiter = nil
  }

  func turnEnded() {}

  private func take(_ size: Int) -> Frame {
    let stream = received[5..<9].reduce(0) { $0 << 8 | Int32($1) }
    let frame = Frame(
      kind: Frame.Kind(rawValue: received[3]), flags: received[4], stream: stream,
      payload: Array(received[9..<9 + size]))
    received.removeFirst(9 + size)
    return frame
  }

  private func perform(_ step: () throws(TLSError) -> TLSSession.Progress) async throws(TLSError) -> Int {
    while true {
      switch try step() {
      case .done(let count): return count
      case .waits(let readiness):
        watch(readiness)
        await withCheckedContinuation { waiter = $0 }
      }
    }
  }

  private func watch(_ readiness: Readiness) {
    if readiness != watched { loop.watch(descriptor, number: number, for: readiness) }
    watched = readiness
  }
}

/// Listens for one client, with whom a test speaks as it likes.
actor RawServer: LoopHandler {
  nonisolated let loop: EventLoop
  nonisolated let endpoint: HTTP2Endpoint
  private let identity: TLSIdentity
  private let listener: Socket
  private var number: UInt64 = 0
  private var waiter: CheckedContinuation<Socket, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(identity: TLSIdentity = TestServer.identity) async throws {
    self.identity = identity
    loop = try EventLoop.start()
    listener = try Socket.listening(at: try await Resolver.shared.answer(for: "127.0.0.1", port: 0).get()[0])
    endpoint = HTTP2Endpoint(host: "localhost", port: try listener.port(), address: "127.0.0.1")
  }

  /// Waits for the client, and shakes hands.
  func accept() async throws -> RawPeer {
    number = try loop.add(self, on: listener.number, for: .read)
    let socket = await withCheckedContinuation { waiter = $0 }
    let context = TLSContext(identity: identity)
    let peer = try RawPeer(socket) { TLSSession(context: context, acceptedOver: $0) }
    try await peer.shakeHands()
    return peer
  }

  /// A client's connection, perhaps through a proxy that leads here, and this side of it, on which nothing has been said.
  func connection(
    to other: HTTP2Endpoint? = nil, through proxy: TunnelProxy? = nil,
    configuration: HTTP2Configuration = .init(), clock: any PushClock = ManualClock(.now)
  ) async throws -> (client: HTTP2Connection, server: RawPeer) {
    async let peer = accept()
    let client = try await HTTP2Connection.connect(
      to: other ?? endpoint, through: proxy,
      context: TLSContext(trusting: try .system(adding: TestServer.authority.root)),
      configuration: configuration, clock: clock)
    return (client, try await peer)
  }

  func ready(for readiness: Readiness) {
    guard let socket = try? listener.accept() else { return }
    loop.remove(listener.number, number: number)
    waiter?.resume(returning: socket)
    waiter = nil
  }

  func turnEnded() {}
}
