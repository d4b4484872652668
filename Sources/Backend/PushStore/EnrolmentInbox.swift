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

  /// Makes all changes of the directory or none, as ``DeviceDirectory/apply(_:)`` does, and checks the lease in the same
  /// transaction; nil, and no change, if it is no longer valid.
  ///
  /// So a person who was forgotten does not come back.
  ///
  /// - Throws: ``StoreError``.
  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease
  ) async throws(StoreError) -> Bool?

  /// Removes up to `count` enrolments that were answered at least `age` ago, and returns how many it removed.
  ///
  /// Call it again while it returns `count`: removing millions at once would hold up every writer.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeAnswered(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int
}

/// The directory, the queue and the inbox in one.
public protocol Store: JobQueue, DeviceDirectory, EnrolmentInbox {}
