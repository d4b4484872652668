/// Frames over TLS over a socket: what the two ends of a connection have in common.
///
/// Used on the loop's thread. Bytes that the peer does not take stay here up to one buffer; after that nghttp2 makes no
/// more of them.
final class Link {
  /// The frames.
  let frames: FrameSession

  /// Whether TLS is established, so that frames may be read and written.
  private(set) var isReady = false

  /// Whether nothing more is read, which leaves what the peer sends in the system's buffers.
  var isReading = true { didSet { watch() } }

  /// What the socket is watched for.
  private(set) var watched: Readiness

  private let loop: EventLoop
  private let number: UInt64
  private let socket: Socket
  private let tls: TLSSession
  /// What the socket must be ready for before reading, or the handshake, goes on: TLS may have to write first.
  private var readsWhen: Readiness
  /// What it must be ready for before writing goes on; empty if there is nothing to write.
  private var writesWhen: Readiness = []
  private var output: [UInt8] = []
  private var written = 0
  private var input = [UInt8](repeating: 0, count: inputSize)

  /// The most that a TLS record holds.
  private static let inputSize = 16 << 10
  private static let outputSize = 32 << 10

  /// The most records that are read before other connections have their turn.
  private static let recordsPerTurn = 16

  /// Takes over a socket.
  ///
  /// - Parameters:
  ///   - handler: Who is called when the socket is ready.
  ///   - awaited: What the socket must be ready for first.
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
    (readsWhen, watched) = (awaited, awaited)
  }

  /// Why the socket could not connect.
  var connectionError: SocketError? { socket.connectionError }

  /// Whether the peer has not yet taken what was written.
  var isHeldUp: Bool { !writesWhen.isEmpty }

  /// Whether reading may go on where the socket is ready for this.
  func mayRead(when readiness: Readiness) -> Bool { isReading && !readsWhen.isDisjoint(with: readiness) }

  /// Goes on with the handshake until it waits for the peer; sets ``isReady`` when it is complete.
  func shakeHands() throws(TLSError) {
    switch try tls.shakeHands() {
    case .done:
      isReady = true
      readsWhen = .read
    case .waits(let readiness): readsWhen = readiness
    }
    watch()
  }

  /// Reads what has come, as far as a turn allows; true if there is more.
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

  /// Writes what there is to send, until it is done or the peer takes no more.
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

  /// Closes the socket, after which nothing else may be called.
  ///
  /// - Parameter abruptly: Whether the peer gets a reset, and not what is still on its way.
  func close(abruptly: Bool = false) {
    if abruptly { socket.resetWhenClosed() } else { tls.close() }
    loop.remove(socket.number, number: number)
    if !abruptly { socket.shutDown() }
  }

  /// Waits for nothing any more.
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
