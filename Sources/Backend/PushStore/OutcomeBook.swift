public import PushCore
public import PushEnrolment

/// What became of messages on each device, for jobs that ask for it: see ``Job/wantsOutcome``.
///
/// It has no tokens and no texts. ``DeviceDirectory/forget(person:)`` removes a person's outcomes.
public protocol OutcomeBook: Sendable {
  /// Records what became of leased jobs' messages: call it before the leases end, and again after a failure.
  ///
  /// An outcome replaces an earlier one of the same message and device, unless that is `accepted`. Outcomes of a lease that
  /// is no longer valid are not recorded, so a person who was forgotten does not come back.
  ///
  /// - Throws: ``StoreError``.
  func record(_ outcomes: [JobOutcomes]) async throws(StoreError)

  /// Records that the device that has signed a receipt has shown its messages, and returns of how many that was not known.
  ///
  /// Only outcomes of that device are changed, whatever they are, and each once: ``RecordedOutcome/shownAt`` is the time of the first
  /// receipt. A message without an outcome is passed over: nothing is kept of it. Whoever hands the receipt in should not learn
  /// the number.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func take(_ receipt: Receipt) async throws(StoreError) -> Int

  /// What became of a message, in the order of the identities' bytes; empty if nothing is known: its job did not ask for
  /// it, has not ended, or is too old.
  ///
  /// - Throws: ``StoreError``.
  func outcomes(of message: MessageID) async throws(StoreError) -> [RecordedOutcome]

  /// Removes up to `count` outcomes that were recorded at least `age` ago, and returns how many it removed.
  ///
  /// Call it again while it returns `count`: removing millions at once would hold up every writer.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeOutcomes(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int
}
