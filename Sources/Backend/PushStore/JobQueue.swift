public import PushCore

/// The jobs that wait for a worker.
///
/// A worker leases a job for a time, and then acknowledges, retries or discards it. If the worker crashes or is too slow,
/// the lease ends, and another worker leases the job. So each job is worked on at least once. Enqueueing is durable when
/// it returns. A crash of the machine may undo the last leases and acknowledgements; their jobs are then leased again.
public protocol JobQueue: Sendable {
  /// Adds jobs, all or none, and returns their numbers in the same order.
  ///
  /// If a job with the same message ID is already in the queue or among the dead letters, nothing is added, and the
  /// number is that job's. A job that its ``JobKey`` drops has a number, too, which no job has.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func enqueue(_ jobs: [Job]) async throws(StoreError) -> [JobID]

  /// Removes the jobs of messages that are not to be sent any more, all or none, and returns how many jobs that were.
  ///
  /// A job that a worker has leased may be sent nevertheless, once.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func cancel(_ cancellations: [Cancellation]) async throws(StoreError) -> Int

  /// Removes up to `count` of the keys of messages that were enqueued at least `age` ago, the oldest first, and returns how many
  /// it removed.
  ///
  /// From then on, a message is not cancelled, replaced or kept from repeating by its key any more, if its job is done.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeKeys(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int

  /// Leases up to `count` ready jobs: the most urgent first, then the longest ready, then the first enqueued.
  ///
  /// `senders` are the keys that sign the first attempt, one a sender and at most ``maximumSenders``; jobs that were leased
  /// before keep theirs.
  ///
  /// - Throws: ``StoreError``.
  func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) async throws(StoreError) -> [LeasedJob]

  /// Extends leases to `time` from now, and returns those that are still valid; the jobs of the others are not yours.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func extend(_ leases: [Lease], for time: Duration) async throws(StoreError) -> [Lease]

  /// Removes jobs that are done, and returns how many of the leases were still valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func acknowledge(_ leases: [Lease]) async throws(StoreError) -> Int

  /// Lets jobs be leased again later, and returns how many of the leases were still valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func retry(_ retries: [JobRetry]) async throws(StoreError) -> Int

  /// Moves jobs to the dead letters, and returns how many of the leases were still valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func discard(_ discards: [JobDiscard]) async throws(StoreError) -> Int

  /// The next `count` dead letters after a job, in the order of their numbers; nil starts with the first.
  ///
  /// - Throws: ``StoreError``.
  func deadLetters(after job: JobID?, atMost count: Int) async throws(StoreError) -> [DeadLetter]

  /// Makes dead letters ready again, and returns how many were dead; devices that a job has settled stay settled.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func resend(_ jobs: [JobID]) async throws(StoreError) -> Int

  /// Removes dead letters, and returns how many were dead.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func delete(_ jobs: [JobID]) async throws(StoreError) -> Int

  /// Removes up to `count` dead letters that were given up at least `age` ago, the oldest first, and returns how many it
  /// removed.
  ///
  /// Call it again while it returns `count`: removing millions at once would hold up every writer.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeDeadLetters(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int

  /// Counts the jobs; the time is proportional to their number.
  ///
  /// - Throws: ``StoreError``.
  func statistics() async throws(StoreError) -> QueueStatistics

  /// Counts the jobs by their columns `topic` and `push_type`, the `count` largest groups first; the time is proportional to
  /// the number of jobs.
  ///
  /// - Throws: ``StoreError``.
  func depths(atMost count: Int) async throws(StoreError) -> [QueueDepth]

  /// How long the oldest ready job has been ready; nil if none is.
  ///
  /// The time of the call does not grow with the number of jobs.
  ///
  /// - Throws: ``StoreError``.
  func oldestReady() async throws(StoreError) -> Duration?

  /// The number of the job that was enqueued last; nil if none ever was.
  ///
  /// Numbers grow by one with each job. Jobs that were rolled back or were already there may have used one too.
  ///
  /// - Throws: ``StoreError``.
  func lastJob() async throws(StoreError) -> JobID?

  /// Waits until a job may be ready; returns false when the time is up or the task is cancelled.
  ///
  /// - Throws: ``StoreError``.
  func jobsArrived(within time: Duration) async throws(StoreError) -> Bool
}
