internal import PushCore
internal import PushNetwork

/// A push on its way to its route.
struct QueuedPush: Sendable {
  /// The push's number on its route, to cancel it.
  let number: UInt64
  let push: AddressedPush
  let policy: RetryPolicy
  let pass: DeliveryPass
  /// Is called once with the result, on the loop's thread.
  let give: @Sendable (Result<APNsResponse, DeliveryError>) -> Void
}

/// A push that its route has taken and that has no result yet.
final class UnderwayPush {
  /// One sending of the push.
  struct Attempt {
    let connection: HTTP2Connection
    /// The request's number on the connection.
    let request: UInt64
    let authorization: String
    let start: Duration
  }

  let queued: QueuedPush
  var delivery: Delivery
  /// The last attempt.
  var attempt: Attempt?
  /// Whether the last attempt has no outcome yet; otherwise the push waits.
  var isSent = false

  init(_ queued: QueuedPush, _ delivery: Delivery) {
    self.queued = queued
    self.delivery = delivery
  }

  /// The push's number on its route.
  var number: UInt64 { queued.number }

  /// The message's ID.
  var messageID: MessageID { queued.push.push.headers.messageID }
}
