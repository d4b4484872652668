internal import PushCore
internal import PushNetwork

/// A push, from its caller to its result.
///
/// Whoever made it gives it to its route, which from then on is the only one that uses it, on the loop's thread.
final class UnderwayPush: @unchecked Sendable {
  /// One sending of the push.
  struct Attempt {
    let connection: HTTP2Connection
    /// The request's number on the connection.
    let request: UInt64
    let authorization: String
    let start: Duration
  }

  /// The push's number on its route, to cancel it.
  let number: UInt64
  let push: AddressedPush
  let pass: DeliveryPass
  var delivery: Delivery
  /// The last attempt.
  var attempt: Attempt?
  /// Whether the last attempt has no outcome yet; otherwise the push waits.
  var isSent = false
  private let open: OpenPushes
  private let give: @Sendable (Result<APNsResponse, DeliveryError>) -> Void

  /// Makes a push that is counted in `open`; `give` is called once with the result, on the loop's thread.
  init(
    _ push: AddressedPush, number: UInt64, of pass: DeliveryPass, delivery: Delivery,
    countedIn open: OpenPushes,
    give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void
  ) {
    self.number = number
    self.push = push
    self.pass = pass
    self.delivery = delivery
    self.open = open
    self.give = give
  }

  /// The message's ID.
  var messageID: MessageID { push.push.headers.messageID }

  /// Gives the result, once.
  func end(with result: Result<APNsResponse, DeliveryError>) {
    give(result)
    open.end()
  }
}
