internal import PushCore

/// The tables `request`, `asked` and `claim` in memory.
struct MemoryRequests {
  private struct Entry {
    var claimant: String
    var address: DeviceAddress
    var mark: Int64
    var runAt: Duration
    var setAt: Duration

    mutating func postpone(until end: Duration, mark: Int64, at now: Duration) {
      (self.mark, runAt, setAt) = (mark, end, now)
    }
  }

  private struct Token {
    var asked = AskedToken()
    var holder: ExactString?
    var holderMark: Int64?
    var othersMark: Int64?
    var touchedAt: Duration
  }

  private struct Claim {
    let claimant: ExactString
    let address: DeviceAddress
    let mark: Int64
    let time: Duration
    let registration: String
    /// When the first request was pushed of a row in which no day has passed between two.
    let since: Duration
  }

  private var entries: [ExactString: Entry] = [:]
  private var tokens: [DeviceAddress: Token] = [:]
  private var claims: [Claim] = []

  // MARK: Changes of registrations

  mutating func apply(_ change: RequestChange, at now: Duration) {
    let key = ExactString(change.registration)
    switch change.row {
    case .keep: break
    case .remove: entries[key] = nil
    case .due(let due):
      let old = entries[key].flatMap { !due.isFresh && $0.address == due.address ? $0 : nil }
      entries[key] = Entry(
        claimant: change.claimant, address: due.address, mark: .random(in: 1 ... .max),
        runAt: old?.runAt ?? now, setAt: old?.setAt ?? now)
    }
    if let address = change.died {
      entries = entries.filter { $0.value.address != address }
      tokens[address, default: Token(touchedAt: now)].asked.isDead = true
      tokens[address]?.holder = key
      tokens[address]?.touchedAt = now
    }
    if let address = change.answered, var token = tokens[address] {
      (token.holder, token.asked.holderAt, token.asked.holderCount) = (nil, nil, 0)
      (token.asked.othersAt, token.asked.isDead) = (nil, false)
      token.asked.answers += 1
      tokens[address] = token
      claims.removeAll { $0.claimant == ExactString(change.claimant) && $0.address.token == address.token }
    }
  }

  /// Removes what belongs to registrations that are gone.
  mutating func remove(_ registrations: [String]) {
    for name in registrations {
      let key = ExactString(name)
      entries[key] = nil
      for address in tokens.filter({ $0.value.holder == key }).keys { tokens[address]?.holder = nil }
    }
  }

  mutating func forget(person: String) {
    let claimant = ExactString(RequestChange.claimant(person: person))
    claims.removeAll { $0.claimant == claimant }
  }

  // MARK: Leases

  /// Leases requests of the registrations in `devices`.
  mutating func lease(
    atMost count: Int, for time: Duration, at now: Duration, among devices: MemoryDevices
  ) -> LeasedRequests {
    let due = entries.filter { $0.value.runAt <= now || $0.value.setAt > now }
      .sorted { ($0.value.runAt, $0.value.mark) < ($1.value.runAt, $1.value.mark) }.prefix(max(count, 0))
    let candidates = due.map { key, entry in
      RequestCandidate(
        registration: key.string, claimant: entry.claimant, address: entry.address,
        isHolder: tokens[entry.address]?.holder == key
          || devices.hasProven(entry.address, named: key.string),
        isForeign: devices.isForeign(entry.address.token, to: key.string),
        token: tokens[entry.address]?.asked ?? AskedToken(), person: person(entry, at: now, among: devices))
    }
    let plan = RequestPlan(candidates, at: now.inSeconds)
    for turn in plan.turns { take(turn, until: now + time, at: now) }
    for delay in plan.delays {
      let key = ExactString(delay.registration)
      entries[key]?.postpone(until: .seconds(delay.end), mark: delay.mark, at: now)
    }
    return LeasedRequests(leases: plan.turns.map(\.lease), isComplete: due.count < count)
  }

  /// How often the person of an entry was asked.
  private func person(_ entry: Entry, at now: Duration, among devices: MemoryDevices) -> AskedPerson {
    let counted = claims.filter { claim in
      claim.claimant == ExactString(entry.claimant)
        && claim.time <= now && claim.time > now - .seconds(RequestPlan.personTime)
    }
    var person = AskedPerson()
    person.count = counted.count
    person.first = counted.map(\.time.inSeconds).min()
    person.last = counted.filter { $0.address.token == entry.address.token }.map(\.time.inSeconds).max()
    let open = counted.filter { claim in
      claim.since > now - .seconds(RequestPlan.personTime)
        && devices.isPending(claim.address.token, named: claim.registration)
        && devices.isForeign(claim.address.token, to: claim.registration)
    }
    person.openClaims = Set(open.map(\.address.token.text))
    return person
  }

  private mutating func take(_ turn: RequestPlan.Turn, until end: Duration, at now: Duration) {
    let (lease, key) = (turn.lease, ExactString(turn.lease.registration))
    entries[key]?.postpone(until: end, mark: lease.mark, at: now)
    var token = tokens[lease.address] ?? Token(touchedAt: now)
    token.touchedAt = now
    if lease.isHolder {
      (token.asked.holderAt, token.holderMark) = (now.inSeconds, lease.mark)
      token.asked.holderCount += 1
    } else {
      (token.asked.othersAt, token.othersMark) = (now.inSeconds, lease.mark)
      let claimant = ExactString(turn.claimant)
      let before = claims.filter { claim in
        claim.claimant == claimant && claim.address.token == lease.address.token && claim.time <= now
          && claim.time > now - .seconds(RequestPlan.personTime)
      }
      claims.append(
        Claim(
          claimant: claimant, address: lease.address, mark: lease.mark, time: now,
          registration: lease.registration, since: before.map(\.since).min() ?? now))
    }
    tokens[lease.address] = token
  }

  mutating func finish(_ lease: RequestLease, as ending: RequestEnding) -> Bool {
    let key = ExactString(lease.registration)
    let isValid = entries[key]?.mark == lease.mark
    if isValid { entries[key] = nil }
    if case .gone = ending, tokens[lease.address]?.asked.answers == lease.answers {
      tokens[lease.address]?.asked.isDead = true
      entries = entries.filter { $0.value.address != lease.address }
    }
    return isValid
  }

  mutating func giveBack(_ lease: RequestLease, after delay: Duration, at now: Duration) -> Bool {
    if var token = tokens[lease.address] {
      if token.othersMark == lease.mark { token.asked.othersAt = nil }
      if token.holderMark == lease.mark {
        token.asked.holderAt = nil
        token.asked.holderCount = max(token.asked.holderCount - 1, 0)
      }
      tokens[lease.address] = token
    }
    claims.removeAll { $0.mark == lease.mark }
    let key = ExactString(lease.registration)
    guard entries[key]?.mark == lease.mark else { return false }
    entries[key]?.postpone(until: now + delay, mark: .random(in: 1 ... .max), at: now)
    return true
  }

  mutating func removeAsked(atMost count: Int, at now: Duration) -> Int {
    let oldClaims = claims.filter { $0.time.inSeconds <= now.inSeconds - RequestPlan.personTime }
      .prefix(max(count, 0))
    let marks = Set(oldClaims.map(\.mark))
    claims.removeAll { marks.contains($0.mark) }
    let oldTokens = tokens.filter { $0.value.touchedAt.inSeconds <= now.inSeconds - RequestPlan.tokenTime }
      .prefix(max(count - oldClaims.count, 0))
    for address in oldTokens.map(\.key) { tokens[address] = nil }
    return oldClaims.count + oldTokens.count
  }
}
