/// What has happened to a push so far.
struct DeliveryHistory {
  /// The uptime at which the push ends in any case.
  let end: Duration

  /// How often the push was sent, without attempts that APNs certainly did not process.
  private(set) var attempts = 0

  /// Whether an attempt had no answer.
  private(set) var mayBeDelivered = false

  /// Whether a new provider token was tried.
  var hasRenewed = false

  private var bounces = 0

  init(end: Duration) { self.end = end }

  /// Notes an answer, and completes it with what is known of earlier attempts.
  ///
  /// - Parameter isProcessed: Whether APNs looked at the push, so that the attempt counts.
  mutating func answered(_ response: APNsResponse, isProcessed: Bool) -> APNsResponse {
    if isProcessed { attempts += 1 }
    var response = response
    response.attempts = attempts
    response.mayBeDuplicate = mayBeDelivered
    return response
  }

  /// Notes an answer that was not APNs', and says that nobody took the push.
  mutating func isTurnedAway() { attempts += 1 }

  mutating func isUnknown() {
    attempts += 1
    mayBeDelivered = true
  }

  /// Counts an attempt that was not processed.
  mutating func bounce() -> Int {
    bounces += 1
    return bounces
  }

  func error(_ cause: DeliveryError.Cause) -> DeliveryError {
    DeliveryError(cause: cause, mayBeDelivered: mayBeDelivered)
  }
}
