public import PushStore

/// What an operator should know.
///
/// It names no person, token, text or key.
public enum WorkerEvent: Sendable {
  /// A job went to the dead letters.
  case discarded(JobID, reason: String)

  /// A job is tried again after a while.
  case retried(JobID, after: Duration, reason: String)

  /// APNs refuses the pushes of a route, which wait.
  case routeStopped(topic: String, environment: String, reason: String)

  /// The store failed, and is asked again after a while.
  case storeFailed(StoreError, retryAfter: Duration)
}
