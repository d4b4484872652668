/// What happened on a connection.
enum FrameEvent {
  /// The peer's settings came, at first or anew.
  case settings
  /// The peer answered a ping.
  case pong
  /// The peer takes no more streams.
  case goAway
  /// The fields of this side's message on a stream were made into bytes.
  case began(Int32)
  /// The peer's message on a stream is whole.
  case message(Int32, FrameMessage)
  /// The peer's message on a stream was too large, and the stream is being reset.
  case tooLarge(Int32)
  /// A stream is over; `amidAnswer` if a part of the peer's message had come, and not all.
  case closed(Int32, code: UInt32, amidAnswer: Bool)
}

/// nghttp2 cannot go on: the peer broke the protocol, or exceeded a limit.
struct FrameError: Error {
  /// nghttp2's number.
  let code: Int

  init(code: Int) { self.code = code }
}
