internal import CTLS

/// Why there is no TLS connection.
package enum TLSError: Error, Hashable, Sendable {
  /// The server's certificate was refused: its name, its dates or its issuer. The text is OpenSSL's.
  case certificate(String)

  /// The peer does not speak HTTP/2: it did not choose the protocol `h2` (ALPN).
  case noHTTP2

  /// The handshake failed, or a record was damaged. The text is OpenSSL's.
  case failed(String)

  /// The peer closed the connection.
  case closed

  /// The text has no certificate in PEM, or no private key that belongs to it.
  case unreadable
}

extension TLSError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .certificate(let reason): "the server's certificate was refused: \(reason)"
    case .noHTTP2: "the server does not offer HTTP/2 (ALPN h2)"
    case .failed(let reason): "TLS failed: \(reason)"
    case .closed: "the peer closed the connection"
    case .unreadable: "no certificate and private key in PEM that belong together"
    }
  }
}

/// OpenSSL's queue of errors, which belongs to the thread.
enum TLSErrors {
  /// Calls functions that may fail, and restores the queue afterwards.
  static func kept<Result: ~Copyable>(_ calls: () -> Result) -> Result {
    _ = isStarted
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return calls()
  }

  /// Takes the last error from the queue, and returns its reason, which has no data from the peer.
  static func lastReason() -> String {
    let code = ERR_peek_last_error()
    guard let reason = unsafe ERR_reason_error_string(code) else { return "unknown error" }
    return unsafe String(cString: reason)
  }

  // OpenSSL's cleanup at exit is off, because it frees data of threads that still run.
  private static let isStarted = OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
