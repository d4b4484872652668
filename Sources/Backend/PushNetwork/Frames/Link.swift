/// Frames over TLS over a socket: the part that the client's and the server's connections share.
///
/// Use it on the loop's thread. If the peer does not read, at most one buffer of bytes waits here; nghttp2 then encodes
/// no more frames.
final class Link {
  /// The frames.
  let frames: FrameSession

  /// Whether TLS is established, so that frames may be read and written.
  private(set) var isReady = false

  /// Whether the socket is read; if not, the peer's bytes stay in the system's buffers.
  var isReading = true { didSet { watch() } }

  /// The readiness that the socket is watched for.
  private(set) var watched: Readiness

  private let loop: EventLoop
  private let number: UInt64
  private let socket: Socket
  private let tls: TLSSession
  /// The readiness that reading or the handshake waits for: TLS may have to write first.
  private var readsWhen: Readiness
  /// The readiness that writing waits for; empty if there is nothing to write.
  private var writesWhen: Readiness = []
  private var output: [UInt8] = []
  private var written = 0
  private var input = [UInt8](repeating: 0, count: inputSize)

  /// The most bytes in a TLS record.
  private static let inputSize = 16 << 10
  private static let outputSize = 32 << 10

  /// The most records that are read before other connections have their turn.
  private static let recordsPerTurn = 16

  /// Takes over a socket.
  ///
  /// - Parameters:
  ///   - handler: Called when the socket is ready.
  ///   - awaited: The readiness to wait for first.
  /// - Throws: ``SocketError`` if the system watches no more sockets.
  init(
    socket: Socket, tls: (CInt) -> TLSSession, frames: FrameSession, loop: EventLoop,
    handler: any LoopHandler, awaited: Readiness
  ) throws(SocketError) {
    number = try loop.add(handler, on: socket.number, for: awaited)
    self.tls = tls(socket.number)
    self.socket = socket
    self.frames = frames
    self.loop = loop
    readsWhen = awaited
    watched = awaited
  }

  /// Why the socket could not connect.
  var connectionError: SocketError? { socket.connectionError }

  /// Whether the peer has not yet taken what was written.
  var isHeldUp: Bool { !writesWhen.isEmpty }

  /// Whether reading may continue if the socket is ready for this.
  func mayRead(when readiness: Readiness) -> Bool { isReading && !readsWhen.isDisjoint(with: readiness) }

  /// Continues to ask a proxy for the server until it waits for the proxy; returns whether the socket leads to the server.
  func open(_ tunnel: inout Tunnel) throws(TunnelError.Fault) -> Bool {
    let awaited = try tunnel.proceed(over: socket)
    readsWhen = awaited ?? .write
    watch()
    return awaited == nil
  }

  /// Continues the handshake until it waits for the peer; sets ``isReady`` when it is complete.
  func shakeHands() throws(TLSError) {
    switch try tls.shakeHands() {
    case .done:
      isReady = true
      readsWhen = .read
    case .waits(let readiness): readsWhen = readiness
    }
    watch()
  }

  /// Reads the bytes that have arrived, as far as a turn allows; true if there may be more.
  func receive() throws(LinkError) -> Bool {
    for _ in 0..<Self.recordsPerTurn {
      guard isReading else { return false }
      switch try LinkError.of({ () throws(TLSError) in try tls.read(into: &input) }) {
      case .done(let count):
        try LinkError.of { () throws(FrameError) in try frames.receive(input[..<count]) }
      case .waits(let readiness):
        readsWhen = readiness
        watch()
        return false
      }
    }
    readsWhen = .read
    watch()
    return true
  }

  /// Writes until there is nothing left to send, or the peer takes no more.
  func send() throws(LinkError) {
    defer { watch() }
    while true {
      if written == output.count {
        output.removeAll(keepingCapacity: true)
        (written, writesWhen) = (0, [])
        try LinkError.of { () throws(FrameError) in try frames.send(to: &output, atMost: Self.outputSize) }
        guard !output.isEmpty else { return }
      }
      switch try LinkError.of({ () throws(TLSError) in try tls.write(output[written...]) }) {
      case .done(let count): written += count
      case .waits(let readiness):
        writesWhen = readiness
        guard frames.queuedFrames <= frames.limits.queuedFrames else { throw .frames }
        return
      }
    }
  }

  /// Closes the socket; afterwards nothing else may be called.
  ///
  /// - Parameter abruptly: Whether the peer gets a reset instead of the bytes that are still to be sent.
  func close(abruptly: Bool = false) {
    if abruptly { socket.resetWhenClosed() } else { tls.close() }
    loop.remove(socket.number, number: number)
    if !abruptly { socket.shutDown() }
  }

  /// Stops watching the socket.
  func unwatch() {
    (readsWhen, writesWhen) = ([], [])
    watch()
  }

  private func watch() {
    let wanted = isReading ? readsWhen.union(writesWhen) : writesWhen
    guard wanted != watched else { return }
    loop.watch(socket.number, number: number, for: wanted)
    watched = wanted
  }
}

/// Why a connection ended.
enum LinkError: Error {
  /// TLS failed, or the peer closed.
  case tls(TLSError)
  /// The peer broke the protocol, or exceeded a limit.
  case frames

  static func of<Value>(_ work: () throws(TLSError) -> Value) throws(LinkError) -> Value {
    do { return try work() } catch { throw .tls(error) }
  }

  static func of(_ work: () throws(FrameError) -> Void) throws(LinkError) {
    do { try work() } catch { throw .frames }
  }
}
