public import PushEnrolment

/// The challenges that a backend has issued to its users' logins.
///
/// An app signs its challenge with its enrolment, which shows that the enrolment is for that login. A challenge is valid for
/// ten minutes. The book has its SHA-256 alone, so that nobody who reads the store can use it.
public protocol ChallengeBook: Sendable {
  /// Issues a random challenge, or says that the person has had too many.
  ///
  /// - Throws: ``StoreError``.
  func issueChallenge(
    for purpose: ChallengePurpose
  ) async throws(StoreError) -> Result<Challenge, TooManyChallenges>

  /// What a challenge was issued for; nil if it was not issued here, has expired, or is spent.
  ///
  /// - Throws: ``StoreError``.
  func issued(_ challenge: Challenge) async throws(StoreError) -> IssuedChallenge?

  /// Whether a challenge of the book was used by an enrolment that was accepted.
  ///
  /// - Throws: ``StoreError``.
  func isSpent(_ challenge: Challenge) async throws(StoreError) -> Bool

  /// Removes up to `count` challenges that were issued more than an hour ago, and returns how many it removed.
  ///
  /// Call it again while it returns `count`.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeOldChallenges(atMost count: Int) async throws(StoreError) -> Int
}
