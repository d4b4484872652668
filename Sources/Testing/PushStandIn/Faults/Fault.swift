/// What goes wrong with a request.
public enum Fault: Hashable, Sendable {
  /// APNs answers with this, whatever the request is. With `retryAfter`, the answer has that header, in seconds.
  case refusal(Refusal, retryAfter: Int? = nil)

  /// The answer comes later, by the stand-in's clock.
  case latency(Duration)

  /// The connection fails, or a stream of it.
  case transport(TransportFault)
}

/// What goes wrong below HTTP.
///
/// The server does it when it has read the request. Without a network, ``APNsModel/handle(_:on:)`` only returns it.
public enum TransportFault: Hashable, Sendable {
  /// RST_STREAM with REFUSED_STREAM: the request was not processed.
  case refuseStream

  /// RST_STREAM with INTERNAL_ERROR: the request may have been processed.
  case reset(ResetMoment)

  /// GOAWAY: the server finishes the streams that have come, and takes no others.
  case goAwayGracefully

  /// GOAWAY, after which the connection is closed: of the streams that have come, those without an answer get none.
  case goAwayAbruptly

  /// The TCP connection is closed without a word, when the request was processed.
  case cut

  /// The server reads and writes no more on this connection, and leaves it open: half-open, as after a lost network.
  case stall

  /// The server reads nothing for so long, by the stand-in's clock.
  case slowReading(Duration)

  /// The server allows this many streams at once from now on.
  case streamLimit(Int)

  /// Whether APNs takes the push nevertheless.
  var isProcessed: Bool {
    switch self {
    case .refuseStream, .reset(.beforeProcessing), .stall: false
    case .reset, .goAwayGracefully, .goAwayAbruptly, .cut, .slowReading, .streamLimit: true
    }
  }
}

/// When a stream is reset.
public enum ResetMoment: String, Hashable, Sendable, CaseIterable {
  /// When the request was read, and not processed.
  case beforeProcessing = "before-processing"
  /// When the push was taken, in place of the answer.
  case beforeAnswer = "before-answer"
  /// After the answer's headers, in place of its end.
  case duringAnswer = "during-answer"
}

/// What is wrong with the server's certificate, or its TLS.
public enum TLSFault: String, Hashable, Sendable, CaseIterable {
  /// The certificate is for another name.
  case wrongName = "wrong-name"
  /// The certificate has expired.
  case expired
  /// The certificate is signed by itself, not by the root.
  case selfSigned = "self-signed"
  /// The server does not agree on HTTP/2 (ALPN).
  case noALPN = "no-alpn"
}
