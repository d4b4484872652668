internal import PushCore
internal import CNGHTTP2

/// The frames of one connection: turns the peer's bytes into events, and messages into bytes for the peer.
///
/// Use it on one thread. nghttp2's callbacks only record events; the owner acts on them after nghttp2 has returned.
@safe
final class FrameSession {
  enum Role { case client, server }

  let limits: HTTP2Limits
  private let role: Role
  private var session: OpaquePointer?
  private var events: [FrameEvent] = []
  /// The memory for those that are being handled.
  private var handled: [FrameEvent] = []
  private var incoming: IncomingMessages
  private var outgoing: [Int32: OutgoingBody] = [:]
  private var controlFrames: FrameBudget
  private var gaps = StreamGaps()
  /// The streams that the session's owner resets itself, as opposed to those that nghttp2 resets for the peer's faults.
  private var ownResets: Set<Int32> = []

  /// Begins a session; its first bytes are this side's settings.
  ///
  /// - Parameter firstStreamLimit: How many streams a client may open before it knows the server's settings.
  init(role: Role, limits: HTTP2Limits, firstStreamLimit: Int, clock: any PushClock) {
    self.limits = limits
    self.role = role
    incoming = IncomingMessages(limits: limits)
    controlFrames = FrameBudget(limit: limits.controlFrames, clock: clock)
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    let options = unsafe FrameCallbacks.options(limits: limits, firstStreamLimit: firstStreamLimit)
    defer { unsafe nghttp2_option_del(options) }
    let callbacks = unsafe FrameCallbacks.shared
    let status =
      switch role {
      case .client: unsafe nghttp2_session_client_new2(&session, callbacks, me, options)
      case .server: unsafe nghttp2_session_server_new2(&session, callbacks, me, options)
      }
    precondition(status == 0, "memory ran out")
    var settings = [setting(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, value: limits.headerListSize)]
    switch role {
    case .client: settings.append(setting(NGHTTP2_SETTINGS_ENABLE_PUSH, value: 0))
    case .server:
      settings.append(setting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, value: limits.concurrentStreams))
    }
    unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    // A window for all streams together that is large enough for many small messages.
    unsafe nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, 1 << 20)
  }

  deinit { unsafe nghttp2_session_del(session) }

  // MARK: Bytes

  /// Takes the peer's bytes.
  ///
  /// - Throws: ``FrameError`` if nothing more can be sent to the peer.
  func receive(_ bytes: ArraySlice<UInt8>) throws(FrameError) {
    let count = unsafe bytes.withUnsafeBufferPointer {
      unsafe nghttp2_session_mem_recv(session, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw FrameError(code: count) }
  }

  /// Appends the next frames to `output` until it has `size` bytes; it is unchanged if there is nothing to send.
  func send(to output: inout [UInt8], atMost size: Int) throws(FrameError) {
    while output.count < size {
      var bytes: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(session, &bytes)
      guard count >= 0 else { throw FrameError(code: count) }
      guard count > 0 else { return }
      unsafe output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// Calls `handle` with each event since the last call.
  func handleEvents(_ handle: (FrameEvent) -> Void) {
    swap(&events, &handled)
    for event in handled { handle(event) }
    handled.removeAll(keepingCapacity: true)
  }

  /// Whether the session has ended.
  var isOver: Bool {
    unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  /// The number of frames that wait to be sent.
  var queuedFrames: Int { unsafe nghttp2_session_get_outbound_queue_size(session) }

  // MARK: A client's frames

  /// How many streams the server allows at a time.
  var remoteStreamLimit: Int {
    Int(unsafe nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
  }

  /// Submits a request; returns its stream, or nil if the connection takes no more requests.
  func submit(_ fields: FieldBlock, body: [UInt8]) -> Int32? {
    let stream = unsafe fields.withPointer { pairs, count in
      unsafe withProvider(of: body) { provider in
        unsafe nghttp2_submit_request(session, nil, pairs, count, provider, nil)
      }
    }
    guard stream > 0 else { return nil }
    if !body.isEmpty { outgoing[stream] = OutgoingBody(bytes: body) }
    return stream
  }

  // MARK: A server's frames

  /// Answers a request; without `ends`, the answer stays unfinished.
  func answer(on stream: Int32, with response: HTTP2Response, ends: Bool = true) {
    _ = unsafe FieldBlock(response).withPointer { pairs, count in
      guard ends else {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        return unsafe nghttp2_submit_headers(session, flags, stream, nil, pairs, count, nil)
      }
      if !response.body.isEmpty { outgoing[stream] = OutgoingBody(bytes: response.body) }
      return unsafe withProvider(of: response.body) { provider in
        unsafe nghttp2_submit_response(session, stream, pairs, count, provider)
      }
    }
  }

  /// Announces another limit of streams.
  func announce(concurrentStreams: Int) {
    let settings = [setting(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, value: concurrentStreams)]
    unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, 1)
  }

  /// The last stream whose request this side has seen.
  var lastStream: Int32 { unsafe nghttp2_session_get_last_proc_stream_id(session) }

  /// Sends GOAWAY: no streams above `lastStream` are or will be processed.
  func goAway(lastStream: Int32, code: UInt32, saying words: [UInt8]) {
    unsafe nghttp2_submit_goaway(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), lastStream, code, words, words.count)
  }

  /// Announces that a GOAWAY follows (RFC 9113, 6.8).
  func announceGoAway() { unsafe nghttp2_submit_shutdown_notice(session) }

  // MARK: Both sides' frames

  /// Whether this side's message on an open stream is still on its way.
  func isSending(on stream: Int32) -> Bool {
    unsafe nghttp2_session_get_stream_local_close(session, stream) == 0
  }

  /// Whether a stream has not ended: nghttp2 remembers a server's last streams, as many as may be open, to refuse what
  /// still comes for them (RFC 9113, 5.1).
  private func isOpen(_ stream: Int32) -> Bool {
    guard let known = unsafe nghttp2_session_find_stream(session, stream) else { return false }
    return unsafe nghttp2_stream_get_state(known) != NGHTTP2_STREAM_STATE_CLOSED
  }

  /// Ends a stream.
  func reset(_ stream: Int32, code: UInt32) {
    ownResets.insert(stream)
    submitReset(stream, code: code)
  }

  private func submitReset(_ stream: Int32, code: UInt32) {
    unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code)
  }

  /// Sends a ping.
  func ping() { unsafe nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil) }

  /// Ends the session: GOAWAY, and nothing after it.
  func terminate(code: UInt32) { unsafe nghttp2_session_terminate_session(session, code) }

  private func setting(_ id: nghttp2_settings_id, value: Int) -> nghttp2_settings_entry {
    nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
  }

  /// Gives `call` the provider that nghttp2 reads a body from; nil for an empty body.
  @unsafe private func withProvider(
    of body: [UInt8], call: (UnsafePointer<nghttp2_data_provider>?) -> Int32
  ) -> Int32 {
    guard !body.isEmpty else { return call(nil) }
    var provider = unsafe nghttp2_data_provider()
    unsafe provider.read_callback = FrameCallbacks.readBody
    return unsafe call(&provider)
  }
}

// MARK: - Reports of nghttp2

extension FrameSession {
  /// How much of what a peer says in a GOAWAY is kept, in bytes.
  private static let maximumGoodbye = 1024

  /// Ends the session of a client that opens a stream which it has skipped: nghttp2 would ignore it.
  func beginFrame(_ header: nghttp2_frame_hd) {
    let isHeaders = header.type == NGHTTP2_HEADERS.rawValue
    guard role == .server, isHeaders, !gaps.admit(header.stream_id) else { return }
    terminate(code: NGHTTP2_PROTOCOL_ERROR.rawValue)
  }

  func beginHeaders(on stream: Int32) {
    incoming.begin(on: stream)
    // Some clients widen the window of each stream that they open.
    if role == .server { controlFrames.giveOneBack() }
  }

  /// Takes a field; false if there are too many.
  func take(_ field: HTTPField, on stream: Int32) -> Bool {
    guard incoming.add(field, on: stream) else {
      events.append(.tooLarge(stream))
      return false
    }
    return true
  }

  /// Takes a part of a body, unless the body gets too large.
  func take(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) {
    guard unsafe !incoming.add(bytes, on: stream) else { return }
    events.append(.tooLarge(stream))
    submitReset(stream, code: NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
  }

  /// Notes a received frame; false if there were too many of its kind.
  func received(_ frame: nghttp2_frame) -> Bool {
    let header = unsafe frame.hd
    let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    let isAck = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
      guard !endsStream else { return complete(header.stream_id) }
      incoming.dropInformational(on: header.stream_id)
      // A DATA frame without a byte of a body costs the peer as little as a control frame.
      let isEmpty = unsafe header.type == NGHTTP2_DATA.rawValue && header.length == frame.data.padlen
      guard isEmpty else { return true }
    // These frames answer this side's own, so there may be as many as there are requests.
    case NGHTTP2_RST_STREAM where isOpen(header.stream_id): return true
    case NGHTTP2_WINDOW_UPDATE where role == .client: return true
    case NGHTTP2_SETTINGS where !isAck: events.append(.settings)
    case NGHTTP2_PING where isAck: events.append(.pong)
    case NGHTTP2_GOAWAY:
      let text = unsafe UnsafeBufferPointer(
        start: frame.goaway.opaque_data, count: frame.goaway.opaque_data_len)
      events.append(.goAway(unsafe Array(text.prefix(Self.maximumGoodbye))))
    default: break
    }
    return controlFrames.takeOne()
  }

  /// Notes a frame that is invalid on its stream; false if there were too many.
  func receivedInvalid(_ code: CInt) -> Bool {
    // When the limit of streams is lowered, the peer can exceed it without a fault of its own.
    code == NGHTTP2_ERR_REFUSED_STREAM.rawValue || controlFrames.takeOne()
  }

  private func complete(_ stream: Int32) -> Bool {
    if let message = incoming.take(on: stream) { events.append(.message(stream, message)) }
    return true
  }

  /// Notes a frame that was encoded; false if the peer made this side reset too many streams.
  func sent(_ frame: nghttp2_frame) -> Bool {
    let header = unsafe frame.hd
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_HEADERS: events.append(.began(header.stream_id))
    case NGHTTP2_RST_STREAM where ownResets.remove(header.stream_id) == nil && role == .server:
      // The streams are free again, but their handlers may go on: so resets that the peer provokes count like its own.
      return unsafe frame.rst_stream.error_code == NGHTTP2_REFUSED_STREAM.rawValue || controlFrames.takeOne()
    default: break
    }
    return true
  }

  func closed(_ stream: Int32, code: UInt32) {
    let part = incoming.take(on: stream)
    if !outgoing.isEmpty { outgoing[stream] = nil }
    if !ownResets.isEmpty { ownResets.remove(stream) }
    events.append(.closed(stream, code: code, part: part))
  }

  /// Copies the next part of a body to `buffer`; true if that was the last one.
  func readBody(
    of stream: Int32, into buffer: UnsafeMutableRawBufferPointer, count: inout Int
  ) -> Bool {
    guard var body = outgoing.removeValue(forKey: stream) else { return true }
    count = min(buffer.count, body.bytes.count - body.sent)
    unsafe body.bytes.withUnsafeBytes { bytes in
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[body.sent..<body.sent + count]))
    }
    body.sent += count
    guard body.sent < body.bytes.count else { return true }
    outgoing[stream] = body
    return false
  }
}

/// A body that nghttp2 asks for in parts.
private struct OutgoingBody {
  let bytes: [UInt8]
  var sent = 0
}
