package import PushCore

/// A request that is due, with what counts for it.
///
/// All times are in seconds since 1970.
package struct RequestCandidate: Sendable {
  package let registration: String
  package let claimant: String
  package let address: DeviceAddress
  package let isHolder: Bool
  /// Whether another registration has proven the token.
  package let isForeign: Bool
  package var token: AskedToken
  package var person: AskedPerson

  package init(
    registration: String, claimant: String, address: DeviceAddress, isHolder: Bool, isForeign: Bool,
    token: AskedToken, person: AskedPerson
  ) {
    self.registration = registration
    self.claimant = claimant
    self.address = address
    self.isHolder = isHolder
    self.isForeign = isForeign
    self.token = token
    self.person = person
  }
}

/// How often a token was asked.
package struct AskedToken: Sendable {
  /// When another than the holder was asked last.
  package var othersAt: Double?
  /// When the holder was asked last.
  package var holderAt: Double?
  /// How often the holder was asked since its last answer.
  package var holderCount = 0
  /// Whether APNs no longer accepts it.
  package var isDead = false
  /// How many answers it has had.
  package var answers: Int64 = 0

  package init() {}
}

/// How often a person was asked within a day for tokens that it does not hold.
package struct AskedPerson: Sendable {
  package var count = 0
  /// When it was asked first within the day.
  package var first: Double?
  /// When it was asked last for the token.
  package var last: Double?
  /// Tokens of others that it was asked for, for less than a day, and that it still claims.
  package var openClaims: Set<String> = []

  package init() {}
}

/// What becomes of requests that are due: each is leased, or put off until it may be sent.
package struct RequestPlan: Sendable {
  /// A request that may not be sent yet.
  package struct Delay: Sendable {
    package let registration: String
    /// When it is due again.
    package let end: Double
    /// Its new number, which decides whose turn it is then.
    package let mark: Int64
  }

  /// A request to push.
  package struct Turn: Sendable {
    package let lease: RequestLease
    package let claimant: String
  }

  package private(set) var turns: [Turn] = []
  package private(set) var delays: [Delay] = []

  /// The time after which a person is no longer counted, in seconds.
  package static let personTime: Double = 86_400
  /// The time after which a token that nobody asks is forgotten, in seconds.
  package static let tokenTime: Double = 30 * 86_400

  private static func newMark() -> Int64 { .random(in: 1 ... .max) }

  /// Plans what to do; of several that wait for a turn, chance decides.
  package init(_ candidates: [RequestCandidate], at now: Double) {
    var tokens: [DeviceAddress: AskedToken] = [:]
    var persons: [String: AskedPerson] = [:]
    var claims: [Claim: Double] = [:]
    for candidate in candidates.shuffled() {
      let claim = Claim(claimant: candidate.claimant, address: candidate.address)
      var token = tokens[candidate.address] ?? candidate.token
      var person = persons[candidate.claimant] ?? candidate.person
      person.last = claims[claim] ?? candidate.person.last
      let end =
        candidate.isHolder
        ? token.holderEnd(at: now)
        : max(token.othersEnd(at: now), person.end(at: now), person.claimEnd(of: candidate, at: now))
      // A time in a table may differ by a rounding.
      if end > now + 0.001 {
        delays.append(Delay(registration: candidate.registration, end: end, mark: Self.newMark()))
        continue
      }
      if candidate.isHolder {
        token.holderAt = now
        token.holderCount += 1
      } else {
        token.othersAt = now
        person.count += 1
        person.first = person.first ?? now
        if candidate.isForeign { person.openClaims.insert(candidate.address.token.text) }
        claims[claim] = now
        persons[candidate.claimant] = person
      }
      tokens[candidate.address] = token
      let lease = RequestLease(
        registration: candidate.registration, address: candidate.address, isHolder: candidate.isHolder,
        mark: Self.newMark(), answers: candidate.token.answers)
      turns.append(Turn(lease: lease, claimant: candidate.claimant))
    }
  }
}

/// Somebody's wish for a token.
private struct Claim: Hashable {
  let claimant: String
  let address: DeviceAddress
}

extension AskedToken {
  /// The holder's waits after each request without an answer: from a minute to 6 hours.
  private static let holderWaits: [Double] = [60, 120, 300, 1200, 3600, 21_600]

  /// How long others wait after one of them was asked: iOS wakes an app two or three times an hour.
  private static let othersWait: Double = 1200

  /// How long all wait after a dead token was asked.
  private static let deadWait: Double = 86_400

  /// When the holder may be asked.
  fileprivate func holderEnd(at now: Double) -> Double {
    guard let holderAt, holderAt <= now else { return now }
    let count = min(max(holderCount, 1), Self.holderWaits.count)
    return holderAt + (isDead ? Self.deadWait : Self.holderWaits[count - 1])
  }

  /// When one of the others may be asked.
  fileprivate func othersEnd(at now: Double) -> Double {
    guard let othersAt, othersAt <= now else { return now }
    return othersAt + (isDead ? Self.deadWait : Self.othersWait)
  }
}

extension AskedPerson {
  /// How long a person waits that was asked for the same token.
  private static let wait: Double = 3600

  /// How often a person is asked within a day.
  private static let limit = 10

  /// When the person may be asked.
  fileprivate func end(at now: Double) -> Double {
    var end = now
    if let last, last <= now { end = max(end, last + Self.wait) }
    if let first, first <= now, count >= Self.limit { end = max(end, first + RequestPlan.personTime) }
    return end
  }

  /// How many tokens of others a person claims at a time.
  private static let claimLimit = 3

  /// How long a claim waits until it is seen whether another is settled, or a day old.
  private static let claimWait: Double = 1200

  /// When the person may be asked for one token of others more.
  fileprivate func claimEnd(of candidate: RequestCandidate, at now: Double) -> Double {
    let others = openClaims.subtracting([candidate.address.token.text])
    return candidate.isForeign && others.count >= Self.claimLimit ? now + Self.claimWait : now
  }
}
