public import PushCore
public import PushEnrolment

/// The enrolments that applications have handed in, in the transactions of their own databases.
public protocol EnrolmentInbox: Sendable {
  /// Hands an enrolment in, for a worker to answer, and returns its number.
  ///
  /// - Throws: ``StoreError``.
  func handIn(_ request: EnrolmentRequest) async throws(StoreError) -> Int64

  /// The enrolments with these numbers, in any order, without those that are not there.
  ///
  /// - Throws: ``StoreError``.
  func handedIn(_ numbers: [Int64]) async throws(StoreError) -> [HandedInEnrolment]

  /// Waits until an enrolment may be ready for a worker; returns false when the time is up or the task is cancelled.
  ///
  /// - Throws: ``StoreError``.
  func enrolmentsArrived(within time: Duration) async throws(StoreError) -> Bool

  /// Leases up to `count` enrolments that have no answer, the first handed in first.
  ///
  /// - Throws: ``StoreError``.
  func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) async throws(StoreError) -> [LeasedEnrolment]

  /// Writes an answer, and returns whether the lease was still valid.
  ///
  /// `account` is the tag of the account of the person in whose name the enrolment was accepted; nil if it was accepted in
  /// nobody's name, or refused.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) async throws(StoreError) -> Bool

  /// Makes all changes of the directory or none, as ``DeviceDirectory/apply(_:)`` does, and checks the lease in the same
  /// transaction; nil, and no change, if it is no longer valid.
  ///
  /// So a person who was forgotten does not come back. If `challenge` is in the book of challenges, it is spent in the same
  /// transaction; if it was spent before, nothing is changed, and the result is false.
  ///
  /// - Throws: ``StoreError``.
  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) async throws(StoreError) -> Bool?

  /// How many enrolments have no answer, and how long the oldest of them has waited.
  ///
  /// - Throws: ``StoreError``.
  func waitingEnrolments() async throws(StoreError) -> WaitingEnrolments

  /// Removes up to `count` enrolments that were answered at least `age` ago, and returns how many it removed.
  ///
  /// Call it again while it returns `count`: removing millions at once would hold up every writer.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeAnswered(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int
}

extension EnrolmentInbox {
  /// Writes an answer without an account, and returns whether the lease was still valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  public func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer
  ) async throws(StoreError) -> Bool {
    try await self.answer(lease, with: answer, account: nil)
  }
}

/// The enrolments that wait for an answer.
public struct WaitingEnrolments: Hashable, Sendable {
  /// How many there are.
  public let count: Int

  /// How long ago the oldest was handed in, as its `created_at` says; nil if there is none, or none has such a time in the
  /// past.
  public let oldest: Duration?

  package init(count: Int, oldest: Duration?) { (self.count, self.oldest) = (count, oldest) }
}

/// The directory, the queue, the inbox, the outbox, the books of challenges, outcomes and tokens, and what operators let
/// workers do, in one.
public protocol Store: JobQueue, DeviceDirectory, EnrolmentInbox, RequestOutbox, ChallengeBook, OutcomeBook,
  TokenBook, SteeringBook
{}
