internal import CNGHTTP2

/// The functions that nghttp2 calls, each with its ``FrameSession``.
enum FrameCallbacks {
  /// The callbacks of all sessions; never freed.
  nonisolated(unsafe) static let shared: OpaquePointer? = {
    var callbacks: OpaquePointer?
    precondition(unsafe nghttp2_session_callbacks_new(&callbacks) == 0, "memory ran out")
    unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, me in
      unsafe session(from: me).beginFrame(header!.pointee)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, me in
      unsafe session(from: me).beginHeaders(on: frame!.pointee.hd.stream_id)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameSize, value, valueSize, flags, me in
      let field = unsafe HTTPField(
        name: string(name, count: nameSize), value: string(value, count: valueSize),
        isSecret: flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0)
      // This resets the stream, but not the connection.
      let refused = NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
      return unsafe session(from: me).take(field, on: frame!.pointee.hd.stream_id) ? 0 : CInt(refused)
    }
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
      _, _, stream, bytes, count, me in
      unsafe session(from: me).take(UnsafeBufferPointer(start: bytes, count: count), on: stream)
      return 0
    }
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, me in
      unsafe session(from: me).received(frame!.pointee) ? 0 : CInt(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, code, me in
      unsafe session(from: me).receivedInvalid(code) ? 0 : CInt(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, me in
      unsafe session(from: me).sent(frame!.pointee) ? 0 : CInt(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, me in
      unsafe session(from: me).closed(stream, code: code)
      return 0
    }
    return unsafe callbacks
  }()

  /// Gives nghttp2 the next part of a body.
  static let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, size, flags, _, me in
    var count = 0
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
    if unsafe session(from: me).readBody(of: stream, into: buffer, count: &count) {
      unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    }
    return count
  }

  /// Makes a session's options, which the caller frees.
  @unsafe static func options(limits: HTTP2Limits, firstStreamLimit: Int) -> OpaquePointer? {
    var options: OpaquePointer?
    precondition(unsafe nghttp2_option_new(&options) == 0, "memory ran out")
    unsafe nghttp2_option_set_peer_max_concurrent_streams(options, UInt32(clamping: firstStreamLimit))
    unsafe nghttp2_option_set_max_reserved_remote_streams(options, 0)
    unsafe nghttp2_option_set_max_outbound_ack(options, limits.controlFrames)
    unsafe nghttp2_option_set_max_continuations(options, limits.continuations)
    unsafe nghttp2_option_set_stream_reset_rate_limit(
      options, UInt64(limits.resets.burst), UInt64(limits.resets.perSecond))
    return unsafe options
  }

  private static func session(from me: UnsafeMutableRawPointer?) -> FrameSession {
    unsafe Unmanaged<FrameSession>.fromOpaque(me!).takeUnretainedValue()
  }

  private static func string(_ bytes: UnsafePointer<UInt8>?, count: Int) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
