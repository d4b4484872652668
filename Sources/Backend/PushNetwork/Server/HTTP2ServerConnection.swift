internal import PushCore
internal import CNGHTTP2

/// A server's connection with a client, which can also make faults.
package actor HTTP2ServerConnection: LoopHandler {
  package nonisolated let loop: EventLoop
  private let handler: HTTP2Server.Handler
  private let limits: HTTP2Limits
  private let onClose: @Sendable (HTTP2ServerConnection) -> Void
  /// When the server accepted it, by the clock's uptime.
  let openedAt: Duration
  private var link: Link?
  private var alarm = Alarm()
  private var tasks: [Int32: Task<Void, Never>] = [:]
  private var willSend = false
  /// The last stream that is handled: streams that arrive before the client knows about a GOAWAY are not.
  private var lastHandled = Int32.max
  private var closesWhenSent = false
  private var isStalled = false

  /// The number of requests so far.
  package private(set) var requestCount = 0

  /// The most streams that were open at a time.
  package private(set) var mostOpenStreams = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  init(
    limits: HTTP2Limits, loop: EventLoop, openedAt: Duration, handler: @escaping HTTP2Server.Handler,
    onClose: @escaping @Sendable (HTTP2ServerConnection) -> Void
  ) {
    self.limits = limits
    self.loop = loop
    self.openedAt = openedAt
    self.handler = handler
    self.onClose = onClose
  }

  /// Begins the connection on an accepted socket.
  func begin(on socket: Socket, context: TLSContext, until deadline: Duration, clock: any PushClock) {
    let frames = FrameSession(role: .server, limits: limits, firstStreamLimit: 0, clock: clock)
    do throws(SocketError) {
      link = try Link(
        socket: socket, tls: { TLSSession(context: context, acceptedOver: $0) }, frames: frames, loop: loop,
        handler: self, awaited: .read)
    } catch {
      // The system watches no more sockets, so this one closes.
      return onClose(self)
    }
    alarm.set(by: deadline, clock: clock) { [weak self] in await self?.endUnlessReady() }
  }

  // MARK: Faults

  /// Sends GOAWAY: the server takes no more streams.
  ///
  /// - Parameters:
  ///   - lastStream: The last stream that counts as processed; if nil, the last one that arrived.
  ///   - words: Why, as APNs says it in JSON.
  ///   - closing: Whether the connection closes once GOAWAY is sent, without the answers that are still missing.
  package func goAway(
    lastStream: Int32? = nil, code: UInt32 = HTTP2Code.noError, saying words: [UInt8] = [],
    closing: Bool = false
  ) {
    guard let frames = link?.frames else { return }
    // A second GOAWAY must not name a later stream than the first.
    let last = min(lastStream ?? frames.lastStream, lastHandled)
    lastHandled = last
    frames.goAway(lastStream: last, code: code, saying: words)
    closesWhenSent = closing
    sendSoon()
  }

  /// Announces a GOAWAY (RFC 9113, 6.8) by one that still allows all streams.
  package func announceGoAway() {
    link?.frames.announceGoAway()
    sendSoon()
  }

  /// Resets a stream, whatever its state.
  package func reset(_ stream: Int32, code: UInt32) {
    link?.frames.reset(stream, code: code)
    sendSoon()
  }

  /// Changes the number of streams that the client may have open.
  package func set(concurrentStreams: Int) {
    link?.frames.announce(concurrentStreams: concurrentStreams)
    sendSoon()
  }

  /// Stops or resumes reading; meanwhile the client's bytes fill the system's buffers.
  package func set(reading: Bool) {
    guard let link else { return }
    link.isReading = reading
    // TLS may have read earlier bytes already; the socket does not announce those again.
    if reading { receive(over: link) }
  }

  /// Stops reading and writing without closing, as if the network were cut.
  package func stall() {
    isStalled = true
    link?.unwatch()
  }

  /// Closes the connection, by a reset of TCP if `abruptly`.
  package func close(abruptly: Bool = false) { end(abruptly: abruptly) }

  // MARK: Events

  func ready(for readiness: Readiness) {
    guard let link else { return }
    if !link.isReady || link.mayRead(when: readiness) { receive(over: link) } else { sendSoon() }
  }

  private func receive(over link: Link) {
    guard !isStalled else { return }
    do {
      if !link.isReady {
        try shakeHands(over: link)
        // TLS may have read bytes after the handshake already; the socket does not announce those again.
        guard link.isReady else { return }
      }
      let isMore = try link.receive()
      handleEvents(of: link.frames)
      if isMore { Task { self.receiveMore() } }
      sendSoon()
    } catch {
      // A client that still reads learns what it did wrong.
      if link.isReady { try? link.send() }
      end()
    }
  }

  private func receiveMore() { if let link { receive(over: link) } }

  package func turnEnded() {
    willSend = false
    guard let link, link.isReady, !isStalled else { return }
    do {
      try link.send()
      handleEvents(of: link.frames)
      if closesWhenSent || link.frames.isOver { end() }
    } catch {
      end()
    }
  }

  private func shakeHands(over link: Link) throws(TLSError) {
    try link.shakeHands()
    guard link.isReady else { return }
    alarm.cancel()
    sendSoon()
  }

  private func endUnlessReady() { if link?.isReady == false { end() } }

  private func handleEvents(of frames: FrameSession) {
    frames.handleEvents { event in
      switch event {
      case .message(let stream, let message): handle(message, on: stream)
      case .closed(let stream, _, _): tasks.removeValue(forKey: stream)?.cancel()
      case .settings, .pong, .goAway, .began, .tooLarge: break
      }
    }
  }

  private func handle(_ message: FrameMessage, on stream: Int32) {
    guard stream <= lastHandled else { return }
    let request = HTTP2ServerRequest(message, on: stream, of: self)
    requestCount += 1
    tasks[stream] = Task { [handler] in
      let answer = await handler(request)
      self.answer(on: stream, with: answer)
    }
    mostOpenStreams = max(mostOpenStreams, tasks.count)
  }

  private func answer(on stream: Int32, with answer: HTTP2ServerAnswer) {
    // The client may have reset the stream, or be gone.
    guard let link, tasks[stream] != nil else { return }
    switch answer {
    case .response(let response): link.frames.answer(on: stream, with: response)
    case .reset(let code): link.frames.reset(stream, code: code)
    case .brokenOff(let response, let code):
      link.frames.answer(on: stream, with: response, ends: false)
      // A reset would overtake the fields, so they are sent first.
      turnEnded()
      link.frames.reset(stream, code: code)
    case .silence: return
    }
    sendSoon()
  }

  private func sendSoon() {
    guard !willSend, link != nil else { return }
    willSend = true
    loop.callAtTurnEnd(self)
  }

  private func end(abruptly: Bool = false) {
    guard let link else { return }
    self.link = nil
    alarm.cancel()
    for task in tasks.values { task.cancel() }
    tasks = [:]
    link.close(abruptly: abruptly)
    onClose(self)
  }
}
