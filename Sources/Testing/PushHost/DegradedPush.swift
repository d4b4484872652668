package import SealedPush
public import PushReceiver

/// A push that the extension did not open, so that the person sees the placeholder.
public struct DegradedPush: Error, Hashable, Sendable {
  /// Why it was not opened.
  public let reason: DegradeReason

  /// The error of `SealedNotificationService.makeReceiver()`, in words; nil if there was a receiver.
  public let cause: String?

  /// Takes a result; nil for a push that was opened.
  package init?(_ result: HandedOver) {
    guard case .degraded(let reason) = result.outcome else { return nil }
    self.reason = reason
    cause = result.failure.map { "\($0)" }
  }
}

extension DegradedPush: CustomStringConvertible {
  /// Why the push was not opened, in words.
  public var description: String {
    if let cause { return "the push was not opened, because makeReceiver() threw: \(cause)" }
    return "the push was not opened: \(reason)"
  }
}
