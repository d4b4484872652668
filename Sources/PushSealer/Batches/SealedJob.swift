/// A job and what became of it.
public struct SealedJob<Job: Sealable>: Sendable {
  /// The job, as it was given.
  public let job: Job

  /// The sealed push, or why there is none.
  public let result: Result<SealedPush, SealError>
}
