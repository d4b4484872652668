import CTLS
import PushTesting
import TestSupport
import Testing

@testable import PushNetwork

/// TLS may have to write before it reads on, and to read before it writes on.
@Suite(.hangGuard) struct LinkTests {
  @Test("The socket is watched for what TLS waits for before it reads, and before it writes")
  func crosswise() async throws {
    let server = try await TestServer { _ in .silence }
    let reader = try LinkEnd()
    try await reader.connect(to: server)
    #expect(try await reader.readinessToReadOn() == .write)
    let writer = try LinkEnd()
    try await writer.connect(to: server)
    #expect(try await writer.readinessToWriteOn() == .read)
    for end in [reader, writer] { await end.close() }
    await server.server.stop()
  }

  @Test("A peer that takes nothing is given up when more frames wait for it than may")
  func queue() async throws {
    let server = try await TestServer { _ in .silence }
    var limits = HTTP2Limits()
    limits.queuedFrames = 3
    let end = try LinkEnd(limits: limits)
    try await end.connect(to: server)
    // The first is encoded, and those after it wait.
    _ = try await end.readinessToWriteOn()
    for _ in 1...3 { #expect(try await end.saysMore()) }
    #expect(try await !end.saysMore())
    await end.close()
    await server.server.stop()
  }
}

/// A client's end of a connection, without what is said over it.
private actor LinkEnd: LoopHandler {
  nonisolated let loop: EventLoop
  private var link: Link?
  private var tls: TLSSession?
  private var waiter: CheckedContinuation<Void, Never>?
  private let limits: HTTP2Limits

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(limits: HTTP2Limits = HTTP2Limits()) throws {
    loop = try .start()
    self.limits = limits
  }

  /// Connects, and shakes hands.
  func connect(to server: TestServer) async throws {
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.server.port).get()[0]
    let frames = FrameSession(role: .client, limits: limits, firstStreamLimit: 1, clock: ManualClock(.now))
    var tls: TLSSession?
    link = try Link(
      socket: Socket.connecting(to: address),
      tls: { descriptor in
        let session = TLSSession(context: server.clientContext, connectingTo: "localhost", over: descriptor)
        tls = session
        return session
      }, frames: frames, loop: loop, handler: self, awaited: .write)
    self.tls = tls
    await withCheckedContinuation { waiter = $0 }
  }

  /// What the socket is watched for when whatever TLS wants to read has to wait until it can write.
  func readinessToReadOn() throws -> Readiness? {
    if let tls { unsafe SSL_set0_rbio(tls.session, Detour.make()) }
    _ = try link?.receive()
    return link?.watched
  }

  /// What the socket is watched for when whatever TLS wants to write has to wait until it can read.
  func readinessToWriteOn() throws -> Readiness? {
    if let tls { unsafe SSL_set0_wbio(tls.session, Detour.make()) }
    link?.frames.ping()
    try link?.send()
    return link?.watched
  }

  /// Says one more thing; false if too much waits for a peer that takes nothing.
  func saysMore() throws -> Bool {
    link?.frames.ping()
    do throws(LinkError) {
      try link?.send()
      return true
    } catch {
      guard case .frames = error else { throw error }
      return false
    }
  }

  func close() { link?.close(abruptly: true) }

  func ready(for readiness: Readiness) {
    guard let link, !link.isReady else { return }
    try? link.shakeHands()
    guard link.isReady else { return }
    waiter?.resume()
    waiter = nil
  }

  func turnEnded() {}
}

/// A way of OpenSSL's to a socket that lets no byte through: to read it wants to write, and to write it wants to read.
private enum Detour {
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "detour")
    unsafe BIO_meth_set_read(method) { bio, _, _ in
      if let bio = unsafe bio { unsafe tls_retry_write(bio) }
      return -1
    }
    unsafe BIO_meth_set_write(method) { bio, _, _ in
      if let bio = unsafe bio { unsafe tls_retry_read(bio) }
      return -1
    }
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }()

  static func make() -> OpaquePointer? {
    let bio = unsafe BIO_new(method)
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }
}
