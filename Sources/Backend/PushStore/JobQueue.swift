public import PushCore

/// The jobs that wait for a worker.
///
/// A job is leased for a time, the lease, and then acknowledged, tried again, or discarded. A worker that crashes, or is
/// too slow, loses its leases when their leases end, and another one leases the jobs. So a job is worked on at least
/// once. Enqueueing is durable when it returns. A crash of the machine may undo the last leases and acknowledgements, whose
/// jobs are then leased again.
public protocol JobQueue: Sendable {
  /// Adds jobs, all or none, and returns their numbers in the same order.
  ///
  /// A job whose message ID is in the queue or among the dead letters already is not added, and changes nothing: its number
  /// is that of the other.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func enqueue(_ jobs: [Job]) async throws(StoreError) -> [JobID]

  /// Leases up to `count` jobs that are ready: the most urgent first, of those the longest ready, of those the first
  /// enqueued.
  ///
  /// `sender` is the key that signs the first attempt of those that have had none.
  ///
  /// - Throws: ``StoreError``.
  func lease(
    atMost count: Int, for time: Duration, sender: Thumbprint?
  ) async throws(StoreError) -> [LeasedJob]

  /// Lets leases end so long from now, and returns the leases that are still valid; the others' jobs are not yours.
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

  /// Makes dead letters ready again, with the devices that they have settled, and returns how many were dead.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func resend(_ jobs: [JobID]) async throws(StoreError) -> Int

  /// Removes dead letters, and returns how many were dead.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func delete(_ jobs: [JobID]) async throws(StoreError) -> Int

  /// Counts the jobs, in a time that grows with their number.
  ///
  /// - Throws: ``StoreError``.
  func statistics() async throws(StoreError) -> QueueStatistics

  /// How long the job has been ready that has been so the longest; nil if none is.
  ///
  /// It takes the same short time however many there are.
  ///
  /// - Throws: ``StoreError``.
  func oldestReady() async throws(StoreError) -> Duration?

  /// The number of the job that was enqueued last; nil if none ever was.
  ///
  /// Numbers grow by one with each job. What was rolled back, or was there already, may have taken one too.
  ///
  /// - Throws: ``StoreError``.
  func lastJob() async throws(StoreError) -> JobID?

  /// Waits until a job may be ready, and returns whether one may be; false when the time is up, or the task is cancelled.
  ///
  /// - Throws: ``StoreError``.
  func jobsArrived(within time: Duration) async throws(StoreError) -> Bool
}
