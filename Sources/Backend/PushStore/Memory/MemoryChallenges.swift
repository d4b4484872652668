internal import PushCore
internal import PushEnrolment

/// The table `challenge` in memory.
struct MemoryChallenges {
  private struct Entry {
    let purpose: ChallengePurpose
    let issuedAt: Duration
    let expiresAt: Duration
    var isSpent = false
  }

  private var entries: [String: Entry] = [:]

  mutating func issue(
    for purpose: ChallengePurpose, at now: Duration
  ) -> Result<Challenge, TooManyChallenges> {
    let person = Array(purpose.login.person.utf8)
    let counted = entries.values.filter {
      $0.purpose.login.person.utf8.elementsEqual(person) && Self.counts($0.issuedAt, at: now)
    }.map(\.issuedAt).sorted().suffix(IssuedChallenge.maximumPerHour)
    if counted.count >= IssuedChallenge.maximumPerHour, let first = counted.first {
      return .failure(TooManyChallenges(oldest: now - first))
    }
    let challenge = Challenge.random()
    entries[challenge.bookHash] = Entry(
      purpose: purpose, issuedAt: now, expiresAt: now + IssuedChallenge.lifetime)
    return .success(challenge)
  }

  func issued(_ challenge: Challenge, at now: Duration) -> IssuedChallenge? {
    guard let entry = entries[challenge.bookHash], !entry.isSpent, entry.expiresAt > now,
      entry.expiresAt <= now + IssuedChallenge.longestLifetime
    else { return nil }
    return IssuedChallenge(purpose: entry.purpose, expiresAt: entry.expiresAt.unixTime)
  }

  func isSpent(_ challenge: Challenge) -> Bool { entries[challenge.bookHash]?.isSpent == true }

  mutating func spend(_ challenge: Challenge) { entries[challenge.bookHash]?.isSpent = true }

  mutating func removeOld(atMost count: Int, at now: Duration) -> Int {
    let old = entries.filter { !Self.counts($0.value.issuedAt, at: now) }.keys.prefix(max(count, 0))
    for hash in old { entries[hash] = nil }
    return old.count
  }

  mutating func forget(person: String) -> Int {
    let before = entries.count
    entries = entries.filter { !$0.value.purpose.login.person.utf8.elementsEqual(person.utf8) }
    return before - entries.count
  }

  /// Whether a challenge of that time counts; one from the future was issued before the clock went back.
  private static func counts(_ time: Duration, at now: Duration) -> Bool {
    time > now - IssuedChallenge.countedTime && time <= now + IssuedChallenge.countedTime
  }
}
