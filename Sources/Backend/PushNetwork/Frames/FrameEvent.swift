/// An event on a connection.
enum FrameEvent {
  /// The peer's settings arrived, for the first time or again.
  case settings
  /// The peer answered a ping.
  case pong
  /// The peer takes no more streams; with it come the first bytes of what it says about that.
  case goAway([UInt8])
  /// The fields of this side's message on a stream were encoded into bytes.
  case began(Int32)
  /// The peer's message on a stream is complete.
  case message(Int32, FrameMessage)
  /// The peer's message on a stream was too large, and the stream is being reset.
  case tooLarge(Int32)
  /// A stream has ended; `part` is what has arrived of the peer's message, if its end is missing.
  case closed(Int32, code: UInt32, part: FrameMessage?)
}

/// nghttp2 cannot go on: the peer broke the protocol, or exceeded a limit.
struct FrameError: Error {
  /// nghttp2's error code.
  let code: Int

  init(code: Int) { self.code = code }
}
