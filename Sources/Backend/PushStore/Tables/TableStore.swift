package import PushCore
package import PushEnrolment

/// A store whose calls work on an engine's tables, one after the other on the store's own thread.
///
/// What an engine does in its own way is left to it: to count the jobs, and to wait for jobs and enrolments.
package protocol TableStore: Actor, SealableStore {
  /// What the engine says when it cannot do something.
  associatedtype Failure: Error

  /// Runs `work` on the tables, and converts its error.
  func work<Value>(
    _ work: (any StoreTables<Failure>) throws(Failure) -> Value
  ) throws(StoreError) -> Value

  /// The error for a row key that is not the store's.
  func error(for fault: RowKeyFault) -> StoreError
}

// MARK: JobQueue

extension TableStore {
  /// Adds jobs.
  @discardableResult
  public func enqueue(_ jobs: [Job]) throws(StoreError) -> [JobID] {
    try work { (tables) throws(Failure) in try tables.jobs.enqueue(jobs) }
  }

  /// Removes jobs that are not to be sent any more.
  @discardableResult
  public func cancel(_ cancellations: [Cancellation]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.cancel(cancellations) }
  }

  /// Removes old keys.
  @discardableResult
  public func removeKeys(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.removeKeys(olderThan: age, atMost: count) }
  }

  /// Leases jobs.
  public func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) throws(StoreError) -> [LeasedJob] {
    try work { (tables) throws(Failure) in
      try tables.jobs.lease(atMost: count, for: time, senders: senders)
    }
  }

  /// Lets leases end later.
  @discardableResult
  public func extend(_ leases: [Lease], for time: Duration) throws(StoreError) -> [Lease] {
    try work { (tables) throws(Failure) in try tables.jobs.extend(leases, for: time) }
  }

  /// Removes jobs that are done.
  @discardableResult
  public func acknowledge(_ leases: [Lease]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.acknowledge(leases) }
  }

  /// Lets jobs be leased again.
  @discardableResult
  public func retry(_ retries: [JobRetry]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.retry(retries) }
  }

  /// Moves jobs to the dead letters.
  @discardableResult
  public func discard(_ discards: [JobDiscard]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.discard(discards) }
  }

  /// Lists dead letters.
  public func deadLetters(after job: JobID?, atMost count: Int) throws(StoreError) -> [DeadLetter] {
    try work { (tables) throws(Failure) in try tables.jobs.deadLetters(after: job, atMost: count) }
  }

  /// Makes dead letters ready again.
  @discardableResult
  public func resend(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.resend(jobs) }
  }

  /// Removes dead letters.
  @discardableResult
  public func delete(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.delete(jobs) }
  }

  /// Removes old dead letters.
  @discardableResult
  public func removeDeadLetters(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.jobs.removeDeadLetters(olderThan: age, atMost: count) }
  }

  /// How long the oldest ready job has been ready.
  public func oldestReady() throws(StoreError) -> Duration? {
    try work { (tables) throws(Failure) in try tables.jobs.oldestReady() }
  }

  /// The number of the job that was enqueued last.
  public func lastJob() throws(StoreError) -> JobID? {
    try work { (tables) throws(Failure) in try tables.jobs.lastJob() }
  }
}

// MARK: DeviceDirectory

extension TableStore {
  /// The devices of persons.
  public func devices(
    of persons: [String], includingUnreachable: Bool
  ) throws(StoreError) -> [[StoredDevice]] {
    try work { (tables) throws(Failure) in
      try tables.devices.devices(of: persons, includingUnreachable: includingUnreachable)
    }
  }

  /// The devices in the order of their names.
  public func devices(after name: String?, atMost count: Int) throws(StoreError) -> [StoredDevice] {
    try work { (tables) throws(Failure) in try tables.devices.devices(after: name, atMost: count) }
  }

  /// A registration's device.
  public func device(named name: String) throws(StoreError) -> StoredDevice? {
    try work { (tables) throws(Failure) in try tables.devices.device(named: name) }
  }

  /// Whether there is a registration of an app.
  public func hasRegistration(of topic: Topic) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.devices.hasRegistration(of: topic) }
  }

  /// A registration.
  public func registration(named name: String) throws(StoreError) -> VersionedRegistration? {
    try work { (tables) throws(Failure) in try tables.devices.registration(named: name) }
  }

  /// The registrations in the order of their names.
  public func registrations(
    after name: String?, atMost count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    try work { (tables) throws(Failure) in try tables.devices.registrations(after: name, atMost: count) }
  }

  /// The devices as a report counts them.
  public func fleet(after name: String?, atMost count: Int) throws(StoreError) -> [FleetDevice] {
    try work { (tables) throws(Failure) in try tables.devices.fleet(after: name, atMost: count) }
  }

  /// The registrations that an enrolment may be in conflict with.
  public func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    let place = Neighbourhood(of: enrolment, named: name)
    return try work { (tables) throws(Failure) in
      try tables.devices.neighbours(of: place, pending: count)
    }
  }

  /// The registrations with an address.
  public func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    try work { (tables) throws(Failure) in
      try tables.devices.registrations(address: address, after: name, atMost: count)
    }
  }

  /// Makes conditional writes.
  public func apply(_ changes: [RegistrationChange]) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.devices.apply(changes) }
  }

  /// What is kept of a device that was removed.
  public func departed(_ identity: Thumbprint) throws(StoreError) -> DepartedDevice? {
    try work { (tables) throws(Failure) in try tables.devices.departed(identity) }
  }

  /// Removes what is kept for long enough.
  @discardableResult
  public func removeIdle(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in
      tables.devices.forgetThoseWhoLeft()
      return try tables.devices.removeIdle(olderThan: age, atMost: count)
    }
  }

  /// What is known of an identity whose proven token has changed lately.
  public func alternation(of identity: Thumbprint) throws(StoreError) -> TokenAlternation? {
    try work { (tables) throws(Failure) in try tables.alternation(of: identity) }
  }

  /// Suspends the identity of a registration.
  public func suspend(_ known: VersionedRegistration) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.suspend(known) }
  }

  /// Counts a refusal.
  @discardableResult
  public func countRefusal(
    of address: DeviceAddress, acceptedAgo age: Duration?
  ) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.refusals.count(address, acceptedAgo: age) }
  }

  /// The addresses that were refused.
  public func refusedAddresses(atMost count: Int) throws(StoreError) -> [DeviceAddress] {
    try work { (tables) throws(Failure) in try tables.refusals.addresses(atMost: count) }
  }

  /// Sends nothing more to an address.
  @discardableResult
  public func quarantine(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.devices.quarantine(address) }
  }

  /// Ends a quarantine.
  @discardableResult
  public func release(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in
      try tables.refusals.forget(address)
      return try tables.devices.release(address)
    }
  }

  /// Removes devices.
  @discardableResult
  public func remove(_ devices: DeviceSelector) throws(StoreError) -> [String] {
    try work { (tables) throws(Failure) in
      let names = try tables.remove(devices)
      if case .person = devices { tables.devices.forgetThoseWhoLeft() }
      return names
    }
  }

  /// Removes the registrations of a device that leaves.
  @discardableResult
  public func leave(_ leave: Leave) throws(StoreError) -> Result<[String], SignedSetError> {
    try work { (tables) throws(Failure) in try tables.leave(leave) }.result(of: leave)
  }

  /// Removes everything about a person.
  @discardableResult
  public func forget(person: String) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in
      let count = try tables.forget(person: person)
      tables.devices.forgetThoseWhoLeft()
      return count
    }
  }
}

extension DeviceTable {
  /// Writes the registrations anew that persons have left, a thousand at most.
  ///
  /// A row that cannot be read or written here stays as it is, and a worker with the row key writes it: nobody has the device
  /// by it any more.
  fileprivate func forgetThoseWhoLeft() {
    for _ in 0..<10 {
      guard let names = try? stale(atMost: 100), !names.isEmpty else { return }
      var isAnyWritten = false
      for name in names {
        guard let known = (try? registration(named: name)).flatMap(\.self) else { continue }
        // Whoever changes it meanwhile writes it anew.
        if (try? apply([.replace(known, known.registration)])) == true { isAnyWritten = true }
      }
      if !isAnyWritten { return }
    }
  }
}

// MARK: EnrolmentInbox

extension TableStore {
  /// Hands an enrolment in.
  public func handIn(_ request: EnrolmentRequest) throws(StoreError) -> Int64 {
    try work { (tables) throws(Failure) in try tables.enrolments.handIn(EnrolmentRow(request)) }
  }

  /// The enrolments with these numbers.
  public func handedIn(_ numbers: [Int64]) throws(StoreError) -> [HandedInEnrolment] {
    try work { (tables) throws(Failure) in try tables.enrolments.handedIn(numbers) }
  }

  /// Leases enrolments.
  public func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) throws(StoreError) -> [LeasedEnrolment] {
    try work { (tables) throws(Failure) in try tables.enrolments.lease(atMost: count, for: time) }
  }

  /// Writes an answer.
  @discardableResult
  public func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in
      try tables.enrolments.answer(lease, with: answer, account: account)
    }
  }

  /// Makes conditional writes while a lease is valid.
  public func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) throws(StoreError) -> Bool? {
    try work { (tables) throws(Failure) in
      try tables.apply(changes, under: lease, spending: challenge)
    }
  }

  /// Counts the enrolments that wait for an answer.
  public func waitingEnrolments() throws(StoreError) -> WaitingEnrolments {
    try work { (tables) throws(Failure) in try tables.enrolments.waiting() }
  }

  /// Removes old answers.
  @discardableResult
  public func removeAnswered(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in
      try tables.enrolments.removeAnswered(olderThan: age, atMost: count)
    }
  }
}

// MARK: ChallengeBook

extension TableStore {
  /// Issues a challenge.
  public func issueChallenge(
    for purpose: ChallengePurpose
  ) throws(StoreError) -> Result<Challenge, TooManyChallenges> {
    try work { (tables) throws(Failure) in try tables.challenges.issue(for: purpose) }
  }

  /// Whether a challenge was used.
  public func isSpent(_ challenge: Challenge) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.challenges.isSpent(challenge) }
  }

  /// What a challenge was issued for.
  public func issued(_ challenge: Challenge) throws(StoreError) -> IssuedChallenge? {
    try work { (tables) throws(Failure) in try tables.challenges.issued(challenge) }
  }

  /// Removes old challenges.
  @discardableResult
  public func removeOldChallenges(atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.challenges.removeOld(atMost: count) }
  }
}

// MARK: RequestOutbox

extension TableStore {
  /// Leases proof requests.
  public func leaseRequests(atMost count: Int, for time: Duration) throws(StoreError) -> LeasedRequests {
    try work { (tables) throws(Failure) in try tables.requests.lease(atMost: count, for: time) }
  }

  /// Removes a proof request that has ended.
  @discardableResult
  public func finish(_ lease: RequestLease, as ending: RequestEnding) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.requests.finish(lease, as: ending) }
  }

  /// Lets a proof request be sent later.
  @discardableResult
  public func giveBack(_ lease: RequestLease, after delay: Duration) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.requests.giveBack(lease, after: delay) }
  }

  /// Removes what counts no longer.
  @discardableResult
  public func removeAsked(atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.requests.removeAsked(atMost: count) }
  }
}

// MARK: OutcomeBook

extension TableStore {
  /// Records outcomes.
  public func record(_ outcomes: [JobOutcomes]) throws(StoreError) {
    try work { (tables) throws(Failure) in try tables.outcomes.record(outcomes) }
  }

  /// Records what a device has shown.
  @discardableResult
  public func take(_ receipt: Receipt) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.outcomes.take(receipt) }
  }

  /// What became of a message.
  public func outcomes(of message: MessageID) throws(StoreError) -> [RecordedOutcome] {
    try work { (tables) throws(Failure) in try tables.outcomes.outcomes(of: message) }
  }

  /// Removes old outcomes.
  @discardableResult
  public func removeOutcomes(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.outcomes.remove(olderThan: age, atMost: count) }
  }
}

// MARK: SealableStore

extension TableStore {
  /// Reads rows as they stand.
  package func rows(after id: Int64, atMost count: Int) throws(StoreError) -> [RawDevice] {
    try work { (tables) throws(Failure) in try tables.rowKeys.rows(after: id, atMost: count) }
  }

  /// What the store says of its row key.
  package func rowMark() throws(StoreError) -> RowMark? {
    try work { (tables) throws(Failure) in try tables.rowKeys.mark() }
  }

  /// Sets the mark.
  package func set(_ mark: RowMark) throws(StoreError) {
    try work { (tables) throws(Failure) in try tables.rowKeys.set(mark, ifEmpty: false) }
  }

  /// Writes the MACs of rows.
  package func write(_ macs: [RowMAC]) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.rowKeys.write(macs) }
  }

  /// Marks an empty store, and fails if the key is not the store's.
  package func open(with key: RowKey?) throws(StoreError) {
    guard let seal = key.map(RowSeal.init) else { return }
    let mark = try work { (tables) throws(Failure) -> RowMark? in
      if let mark = try tables.rowKeys.mark() { return mark }
      try tables.rowKeys.set(RowMark(keyID: seal.keyID, isWhole: true), ifEmpty: true)
      return try tables.rowKeys.mark()
    }
    if let fault = RowMark.fault(of: mark, for: seal) { throw error(for: fault) }
  }
}

// MARK: TokenBook

extension TableStore {
  /// Takes a device's tokens.
  public func accept(_ tokens: DeviceTokens) throws(StoreError) -> Result<Void, SignedSetError> {
    try work { (tables) throws(Failure) in try tables.tokens.accept(tokens) }
  }

  /// The tokens of devices.
  public func tokens(of devices: [StoredDevice]) throws(StoreError) -> [[TokenUse: DeviceToken]] {
    let identities = Set(devices.map(\.identity.text)).sorted()
    guard !identities.isEmpty else { return [] }
    let stored = try work { (tables) throws(Failure) in try tables.tokens.tokens(of: identities) }
    let known = Dictionary(stored.map { ($0.identity, $0) }) { first, _ in first }
    return devices.map { known[$0.identity.text]?.tokens(of: $0) ?? [:] }
  }

  /// Forgets a token.
  @discardableResult
  public func endToken(at address: DeviceAddress, for pushType: PushType) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.tokens.end(address, for: pushType) }
  }
}
