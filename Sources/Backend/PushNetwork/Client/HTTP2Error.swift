/// Why there is no connection.
package enum HTTP2Error: Error, Hashable, Sendable {
  /// The endpoint's host, or its address, is neither a name nor an IP address.
  case invalidHost
  /// The host's name has no address.
  case name(ResolverError)
  /// No address of the host accepts a connection; the error is the last one's.
  case socket(SocketError)
  /// A proxy opened no connection to the server.
  case tunnel(TunnelError)
  /// TLS failed.
  case tls(TLSError)
  /// There was no connection in time.
  case timeout
  /// The task was cancelled.
  case cancelled
}

extension HTTP2Error: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .invalidHost: "the host or its address is neither a name nor an IP address"
    case .name(let error): error.description
    case .socket(let error): error.description
    case .tunnel(let error): error.description
    case .tls(let error): error.description
    case .timeout: "no connection in time"
    case .cancelled: "cancelled"
    }
  }
}

/// Why a request has no answer, and what the server may have done with it.
package enum HTTP2Failure: Error, Hashable, Sendable {
  /// The server did not process the request, and never will: sending it again cannot repeat it.
  case notProcessed(Reason)

  /// The request was sent, at least in part: the server may have processed it.
  case unknown(Reason)

  /// What happened.
  package enum Reason: Hashable, Sendable {
    /// The server refused the stream, or announced that it processes no more streams.
    case refused
    /// The connection takes no more requests: it is closed, or the server is going away.
    case unavailable
    /// The server reset the stream; its code (RFC 9113, 7).
    case reset(code: UInt32)
    /// The connection broke.
    case disconnected
    /// The server did not answer a ping.
    case silent
    /// The answer is malformed or exceeds a limit, or the server broke the protocol.
    case malformed
    /// The request's deadline passed.
    case deadline
    /// The task was cancelled.
    case cancelled
    /// The request cannot be sent: a field or the path has bytes that HTTP forbids, or they are too large.
    case invalidRequest
  }

  /// What happened.
  package var reason: Reason {
    switch self {
    case .notProcessed(let reason), .unknown(let reason): reason
    }
  }
}
