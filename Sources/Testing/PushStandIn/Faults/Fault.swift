/// A fault that happens to a request.
public enum Fault: Hashable, Sendable {
  /// APNs refuses the request, even a valid one. With `retryAfter`, the answer has the header `Retry-After`, in
  /// seconds.
  case refusal(Refusal, retryAfter: Int? = nil)

  /// The answer comes this much later, by the stand-in's clock.
  case latency(Duration)

  /// The connection or one of its streams fails.
  case transport(TransportFault)

  /// The requests that a fault happens to.
  public enum Occasion: Hashable, Sendable {
    /// The next requests, this many.
    case next(Int)
    /// Every n-th request: for 3 the third, the sixth, and so on.
    case each(Int)
    /// All requests.
    case all
  }
}

/// A fault below HTTP.
///
/// The server carries it out after it has read the request.
public enum TransportFault: Hashable, Sendable {
  /// RST_STREAM with REFUSED_STREAM: the request was not processed.
  case refuseStream

  /// RST_STREAM with INTERNAL_ERROR: the request may have been processed.
  case reset(ResetMoment)

  /// GOAWAY: the server finishes the streams that are open, and takes no others.
  case goAwayGracefully

  /// GOAWAY, after which the connection is closed: open streams without an answer get none.
  case goAwayAbruptly

  /// The TCP connection is closed without a notice after the request was processed.
  case cut

  /// The server stops reading and writing on this connection, and leaves it open: half-open, as after a lost network.
  case stall

  /// The server reads nothing for this long, by the stand-in's clock.
  case slowReading(Duration)

  /// From now on, the server allows this many streams at once.
  case streamLimit(Int)

  /// Whether APNs takes the push despite the fault.
  var isProcessed: Bool {
    switch self {
    case .refuseStream, .reset(.beforeProcessing), .stall: false
    case .reset, .goAwayGracefully, .goAwayAbruptly, .cut, .slowReading, .streamLimit: true
    }
  }
}

/// When a stream is reset.
public enum ResetMoment: String, Hashable, Sendable, CaseIterable {
  /// After the request was read, and before it is processed.
  case beforeProcessing = "before-processing"
  /// After the push was taken, in place of the answer.
  case beforeAnswer = "before-answer"
  /// After the answer's headers, in place of its end.
  case duringAnswer = "during-answer"
}

/// A fault of the server's certificate or of TLS.
public enum TLSFault: String, Hashable, Sendable, CaseIterable {
  /// The certificate is for another name.
  case wrongName = "wrong-name"
  /// The certificate has expired.
  case expired
  /// The certificate is self-signed, not signed by the root.
  case selfSigned = "self-signed"
  /// The server does not agree on HTTP/2 (ALPN).
  case noALPN = "no-alpn"
}
