/// What became of a push so far.
struct DeliveryHistory {
  /// The uptime at which it ends in any case.
  let end: Duration

  /// How often it was sent, and perhaps processed.
  private(set) var attempts = 0

  /// Whether an attempt had no answer.
  private(set) var mayBeDelivered = false

  /// Whether a new provider token was tried.
  var hasRenewed = false

  private var bounces = 0

  init(end: Duration) { self.end = end }

  /// Completes an answer.
  ///
  /// - Parameter isProcessed: Whether APNs looked at the push, which so had an attempt.
  mutating func answered(_ response: APNsResponse, isProcessed: Bool) -> APNsResponse {
    if isProcessed { attempts += 1 }
    var response = response
    response.attempts = attempts
    response.mayBeDuplicate = mayBeDelivered
    return response
  }

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
