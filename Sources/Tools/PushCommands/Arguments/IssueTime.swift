import PushCore
import PushSealer

/// When a message was issued: a job that is retried keeps the time of its first attempt, as it keeps its message ID.
enum IssueTime {
  /// What is wrong with an issue time; nil if a phone can open the message now.
  static func fault(
    of time: UnixTime, lifetime: Lifetime?, under policy: SealingPolicy, at now: UnixTime
  ) -> String? {
    let claims = Claims(
      messageID: .random(), issuedAt: time, lifetime: lifetime ?? .standard(for: policy.pushType.contentType))
    if claims.isNotYetValid(at: now) { return "that is in the future" }
    if claims.isExpired(at: now) { return "the message has expired since" }
    return nil
  }
}
