/// The proof requests that are to be pushed to devices' tokens, and how often a token may be asked.
///
/// A store adds a request, or takes it away, in the transaction that writes its registration. A request says nothing but whom
/// to ask: what is pushed is sealed anew from the registration each time.
///
/// Requests are counted by token, for all workers together. The *holder* of a token is the registration that has proven it,
/// or that has proven it last and lost it to APNs' answer 410; all others only claim it.
///
/// - While the holder does not answer, it is asked again after 60 seconds, and then after 2, 5, 20 and 60 minutes and each
///   6 hours. An answer ends that.
/// - Of the others, one is asked at once, and then one each 20 minutes, which is chosen at random. A person is asked once an
///   hour for a token that it does not hold, and ten times a day for all.
/// - A token is dead once APNs has answered 410. Its requests go, and one later enrolment a day is asked, until one answers.
///
/// A time at which somebody was asked that lies in the future does not count: the clock has gone back since.
public protocol RequestOutbox: Sendable {
  /// Leases requests that are due, and counts each of them as asked.
  ///
  /// It looks at no more than `count` requests that are due. Those that may not be sent yet are due again when they may.
  /// After a worker has crashed, its requests are due when the lease ends or, if the token was asked too lately, after that.
  ///
  /// - Throws: ``StoreError``.
  func leaseRequests(atMost count: Int, for time: Duration) async throws(StoreError) -> LeasedRequests

  /// Removes a request that has ended, unless its registration has changed since, and returns whether it did.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func finish(_ lease: RequestLease, as ending: RequestEnding) async throws(StoreError) -> Bool

  /// Lets a request that was not sent be due after `delay`, and counts it as not asked; returns whether the lease was valid.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func giveBack(_ lease: RequestLease, after delay: Duration) async throws(StoreError) -> Bool

  /// Removes up to `count` rows that count no longer, and returns how many it removed.
  ///
  /// Call it again while it returns `count`.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeAsked(atMost count: Int) async throws(StoreError) -> Int
}
