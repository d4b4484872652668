internal import CLinux
internal import CTLS
internal import Glibc

/// TLS over a non-blocking socket; use it on one thread.
@safe
final class TLSSession {
  /// The progress of a call.
  enum Progress: Equatable {
    /// This many bytes were read or written, or the handshake is complete.
    case done(Int)
    /// The call must be repeated when the socket is ready for this.
    case waits(for: Readiness)
  }

  let session: OpaquePointer
  private let context: TLSContext

  /// Begins a client's session.
  ///
  /// - Parameter host: The name or IP address that the server's certificate must have; a valid endpoint's.
  init(context: TLSContext, connectingTo host: String, over descriptor: CInt) {
    self.context = context
    unsafe session = Self.session(context: context, over: descriptor)
    TLSErrors.kept {
      if SocketAddress.isLiteral(host) {
        let status = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host)
        precondition(status == 1, "a literal is an address")
      } else {
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        unsafe SSL_set_hostflags(session, CUnsignedInt(flags))
        precondition(unsafe SSL_set1_host(session, host) == 1, "memory ran out")
        unsafe tls_set_server_name(session, host)
      }
      unsafe SSL_set_connect_state(session)
    }
  }

  /// Begins a server's session.
  init(context: TLSContext, acceptedOver descriptor: CInt) {
    self.context = context
    unsafe session = Self.session(context: context, over: descriptor)
    unsafe SSL_set_accept_state(session)
  }

  deinit { unsafe SSL_free(session) }

  private static func session(context: TLSContext, over descriptor: CInt) -> OpaquePointer {
    unsafe TLSErrors.kept {
      guard let session = unsafe SSL_new(context.handle), let bio = unsafe SocketBIO.make(over: descriptor)
      else {
        preconditionFailure("memory ran out")
      }
      unsafe SSL_set_bio(session, bio, bio)
      return unsafe session
    }
  }

  /// Continues the handshake, which completes only if the peer chose HTTP/2.
  ///
  /// A server also accepts a client that names no protocol, as APNs does: it can only mean HTTP/2.
  func shakeHands() throws(TLSError) -> Progress {
    let progress = try call { unsafe SSL_do_handshake(session) }
    guard case .done = progress else { return progress }
    var name: UnsafePointer<UInt8>?
    var size: CUnsignedInt = 0
    unsafe SSL_get0_alpn_selected(session, &name, &size)
    let chosen = unsafe UnsafeBufferPointer(start: name, count: Int(size))
    let isUnnamed = unsafe chosen.isEmpty && SSL_is_server(session) == 1
    let isHTTP2 = unsafe chosen.elementsEqual("h2".utf8)
    guard isHTTP2 || isUnnamed else { throw .noHTTP2 }
    return progress
  }

  /// Reads the bytes that have arrived, at most one record.
  func read(into buffer: inout [UInt8]) throws(TLSError) -> Progress {
    try call { unsafe SSL_read(session, &buffer, CInt(buffer.count)) }
  }

  /// Writes a part of `bytes`, which must not be empty.
  func write(_ bytes: ArraySlice<UInt8>) throws(TLSError) -> Progress {
    try call {
      unsafe bytes.withUnsafeBytes { unsafe SSL_write(session, $0.baseAddress, CInt($0.count)) }
    }
  }

  /// Tells the peer that no more bytes follow, if the socket has room.
  func close() {
    TLSErrors.kept { if unsafe SSL_is_init_finished(session) == 1 { unsafe SSL_shutdown(session) } }
  }

  private func call(_ function: () -> CInt) throws(TLSError) -> Progress {
    // No other errors on the loop's thread matter, and an old error would be taken for the next call's.
    ERR_clear_error()
    let result = function()
    guard result <= 0 else { return .done(Int(result)) }
    switch unsafe SSL_get_error(session, result) {
    case SSL_ERROR_WANT_READ: return .waits(for: .read)
    case SSL_ERROR_WANT_WRITE: return .waits(for: .write)
    case SSL_ERROR_ZERO_RETURN, SSL_ERROR_SYSCALL: throw .closed
    default: throw failure()
    }
  }

  private func failure() -> TLSError {
    defer { ERR_clear_error() }
    let status = unsafe SSL_get_verify_result(session)
    if status != Int(X509_V_OK) {
      return .certificate(unsafe String(cString: X509_verify_cert_error_string(status)))
    }
    let reason = ERR_GET_REASON(ERR_peek_last_error())
    if reason == SSL_R_UNEXPECTED_EOF_WHILE_READING { return .closed }
    if reason == SSL_AD_REASON_OFFSET + SSL_AD_NO_APPLICATION_PROTOCOL { return .noHTTP2 }
    return .failed(TLSErrors.lastReason())
  }
}

/// Connects OpenSSL to a socket.
///
/// OpenSSL's own socket BIO writes without MSG_NOSIGNAL, so a peer that is gone would kill the process (SIGPIPE).
private enum SocketBIO {
  /// The BIO's functions; never freed.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    let method = unsafe BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket")
    unsafe BIO_meth_set_write(method) { bio, bytes, count in
      guard let bio = unsafe bio else { return -1 }
      unsafe tls_no_retry(bio)
      let written = unsafe send(SocketBIO.descriptor(of: bio), bytes, Int(count), CInt(MSG_NOSIGNAL))
      if written < 0, SocketBIO.mayRetry { unsafe tls_retry_write(bio) }
      return CInt(written)
    }
    unsafe BIO_meth_set_read(method) { bio, bytes, count in
      guard let bio = unsafe bio else { return -1 }
      unsafe tls_no_retry(bio)
      let received = unsafe recv(SocketBIO.descriptor(of: bio), bytes, Int(count), 0)
      if received < 0, SocketBIO.mayRetry { unsafe tls_retry_read(bio) }
      return CInt(received)
    }
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }()

  static func make(over descriptor: CInt) -> OpaquePointer? {
    guard let bio = unsafe BIO_new(method) else { return nil }
    unsafe BIO_set_data(bio, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
    unsafe BIO_set_init(bio, 1)
    return unsafe bio
  }

  private static func descriptor(of bio: OpaquePointer) -> CInt {
    unsafe CInt(Int(bitPattern: BIO_get_data(bio)) - 1)
  }

  private static var mayRetry: Bool { errno == EAGAIN || errno == EINTR }
}
