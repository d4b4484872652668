/// The enrolments that applications have handed in, in the transactions of their own databases.
public protocol EnrolmentInbox: Sendable {
  /// Leases up to `count` enrolments that have no answer, the first handed in first.
  ///
  /// - Throws: ``StoreError``.
  func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) async throws(StoreError) -> [LeasedEnrolment]

  /// Writes an answer, and returns whether the lease was still valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func answer(_ lease: EnrolmentLease, with answer: EnrolmentAnswer) async throws(StoreError) -> Bool

  /// Makes all changes of the directory or none, as ``DeviceDirectory/apply(_:)`` does, in one transaction with a look at
  /// the lease; nil, and no change, if that is no longer valid: who is forgotten does not come back.
  ///
  /// - Throws: ``StoreError``.
  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease
  ) async throws(StoreError) -> Bool?

  /// Removes up to `count` of the enrolments that were answered at least so long ago, and returns how many there were.
  ///
  /// Call it again while it removes as many as it may: to remove millions at once would hold up everybody who writes.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeAnswered(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int
}

/// The directory, the queue and the inbox in one.
public protocol Store: JobQueue, DeviceDirectory, EnrolmentInbox {}
