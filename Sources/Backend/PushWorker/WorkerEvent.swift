public import PushCore
public import PushStore

/// What an operator should know.
///
/// It names no person, token, text or key.
public enum WorkerEvent: Sendable {
  /// An attempt of a job has ended, which is written to the store next.
  ///
  /// If the worker dies before, or has lost the lease, another worker repeats the job under the same message ID.
  case jobEnded(JobReport)

  /// APNs refuses the pushes of a route, which wait.
  case routeStopped(topic: String, environment: String, reason: String)

  /// APNs refuses proof requests, which no device answers then: tokens of enrolments may be junk.
  ///
  /// The first is reported, and then the number of those since at most once a minute, with the last one's route and reason.
  case requestsRefused(count: Int, topic: String, environment: String, reason: String)

  /// An enrolment is refused because two phones have its identity, whose thumbprint this is: FORMAT.md, [11.30].
  ///
  /// Nothing is sealed to its registration until a login brings a new identity.
  case identitySuspended(Thumbprint)

  /// The store failed, and is asked again after a while.
  case storeFailed(StoreError, retryAfter: Duration)
}
