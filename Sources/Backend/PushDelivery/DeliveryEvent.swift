public import PushCore
internal import PushNetwork

/// What happens while a client sends, for logs and metrics.
///
/// It names no token, person or text.
public enum DeliveryEvent: Sendable {
  /// APNs answered an attempt, `after` this time.
  case answered(APNsResponse, to: MessageID, on: APNsRoute, after: Duration)

  /// An attempt has no answer; the text says why. If APNs certainly did not process it, `mayBeDelivered` is false.
  case unanswered(reason: String, mayBeDelivered: Bool, to: MessageID, on: APNsRoute)

  /// A connection was made.
  case connected(APNsRoute)

  /// A connection could not be made. The text says why.
  case connectionFailed(reason: String, on: APNsRoute)

  /// APNs has ended a connection, and said why in its GOAWAY.
  case goodbye(APNsReason, on: APNsRoute)

  /// APNs' answers have stopped a route; the reason is of the last one.
  case routeStopped(APNsRoute, APNsReason?)
}

extension HTTP2Failure {
  /// What happened, in a few words.
  var text: String {
    switch reason {
    case .refused: "APNs refused the request"
    case .unavailable: "the connection takes no more requests"
    case .reset(let code): "APNs reset the stream (code \(code))"
    case .disconnected: "the connection broke"
    case .silent: "APNs did not answer a ping"
    case .malformed: "the answer is malformed"
    case .deadline: "no answer in time"
    case .cancelled: "cancelled"
    case .invalidRequest: "the push has bytes that HTTP forbids"
    }
  }

  /// Whether the server may have processed the request.
  var mayBeProcessed: Bool { if case .unknown = self { true } else { false } }
}
