public import PushCore
public import PushEnrolment
internal import PushKeys

/// A store in memory, for tests: it behaves like the others, until its process ends.
public actor MemoryStore: Store {
  private let clock: any PushClock
  private var jobs = MemoryJobs()
  private var table = MemoryDevices()
  private var enrolments = MemoryEnrolments()
  private var challenges = MemoryChallenges()
  private var requests = MemoryRequests()
  private var book = MemoryOutcomes()
  private var refusals = MemoryRefusals()
  private var tokens = MemoryTokens()
  private var alternations = MemoryAlternations()
  private var operators = MemorySteering()

  /// Makes an empty store.
  public init(clock: any PushClock = SystemClock()) { self.clock = clock }

  // MARK: What an application writes

  /// Adds a row as an application would, and returns its number, or that of the job with the same message ID.
  package func insert(_ row: JobRow) -> JobID { jobs.insert(row) }

  /// Hands in an enrolment as an application would.
  package func insert(_ row: EnrolmentRow) -> Int64 { enrolments.insert(row, at: clock.sinceEpoch) }

  /// What an application reads in an enrolment's row; nil if there is no answer.
  package func answer(of id: Int64) -> EnrolmentAnswer? { enrolments.answer(of: id) }

  // MARK: JobQueue

  /// Adds jobs.
  @discardableResult
  public func enqueue(_ jobs: [Job]) -> [JobID] { jobs.map { self.jobs.enqueue($0, at: clock.sinceEpoch) } }

  /// Removes jobs that are not to be sent any more.
  @discardableResult
  public func cancel(_ cancellations: [Cancellation]) -> Int {
    cancellations.reduce(0) { $0 + jobs.cancel($1, at: clock.sinceEpoch) }
  }

  /// Removes old keys.
  @discardableResult
  public func removeKeys(olderThan age: Duration, atMost count: Int) -> Int {
    jobs.removeKeys(before: clock.sinceEpoch - age, atMost: count)
  }

  /// Leases jobs.
  public func lease(atMost count: Int, for time: Duration, senders: Set<Thumbprint>) -> [LeasedJob] {
    jobs.lease(atMost: count, for: time, senders: senders, at: clock.sinceEpoch)
  }

  /// Lets leases end later.
  @discardableResult
  public func extend(_ leases: [Lease], for time: Duration) -> [Lease] {
    jobs.extend(leases, for: time, at: clock.sinceEpoch)
  }

  /// Removes jobs that are done.
  @discardableResult
  public func acknowledge(_ leases: [Lease]) -> Int { jobs.acknowledge(leases) }

  /// Lets jobs be leased again.
  @discardableResult
  public func retry(_ retries: [JobRetry]) -> Int { jobs.retry(retries, at: clock.sinceEpoch) }

  /// Moves jobs to the dead letters.
  @discardableResult
  public func discard(_ discards: [JobDiscard]) -> Int { jobs.discard(discards, at: clock.sinceEpoch) }

  /// Lists dead letters.
  public func deadLetters(after job: JobID?, atMost count: Int) -> [DeadLetter] {
    jobs.deadLetters(after: job, atMost: count)
  }

  /// Makes dead letters ready again.
  @discardableResult
  public func resend(_ jobs: [JobID]) -> Int { self.jobs.resend(jobs, at: clock.sinceEpoch) }

  /// Removes dead letters.
  @discardableResult
  public func delete(_ jobs: [JobID]) -> Int { self.jobs.delete(jobs) }

  /// Removes old dead letters.
  @discardableResult
  public func removeDeadLetters(olderThan age: Duration, atMost count: Int) -> Int {
    jobs.removeDeadLetters(before: clock.sinceEpoch - age, atMost: count)
  }

  /// Counts the jobs.
  public func statistics() -> QueueStatistics { jobs.statistics(at: clock.sinceEpoch) }

  /// Counts the jobs by topic and push type.
  public func depths(atMost count: Int) -> [QueueDepth] { jobs.depths(atMost: count) }

  /// How long the oldest ready job has been ready.
  public func oldestReady() -> Duration? { jobs.statistics(at: clock.sinceEpoch).oldestReady }

  /// The number of the job that was enqueued last.
  public func lastJob() -> JobID? { jobs.lastJob }

  /// Waits until a job is ready.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await Polling.wait(within: time) { jobs.hasReady(at: clock.sinceEpoch) }
  }

  // MARK: DeviceDirectory

  /// The devices of persons.
  public func devices(of persons: [String], includingUnreachable: Bool) -> [[StoredDevice]] {
    table.devices(of: persons, includingUnreachable: includingUnreachable)
  }

  /// The devices in the order of their names.
  public func devices(after name: String?, atMost count: Int) -> [StoredDevice] {
    table.devices(after: name, atMost: count)
  }

  /// A registration's device.
  public func device(named name: String) -> StoredDevice? { table.device(named: name) }

  /// A registration.
  public func registration(named name: String) -> VersionedRegistration? { table.registration(named: name) }

  /// The registrations in the order of their names.
  public func registrations(after name: String?, atMost count: Int) -> [VersionedRegistration] {
    table.registrations(after: name, atMost: count)
  }

  /// The devices as a report counts them.
  public func fleet(after name: String?, atMost count: Int) -> [FleetDevice] {
    table.fleet(after: name, atMost: count)
  }

  /// The registrations that an enrolment may be in conflict with.
  public func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) -> [VersionedRegistration] {
    table.neighbours(of: Neighbourhood(of: enrolment, named: name), pending: count)
  }

  /// The registrations with an address.
  public func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) -> [VersionedRegistration] {
    table.registrations(address: address, after: name, atMost: count)
  }

  /// Makes conditional writes.
  public func apply(_ changes: [RegistrationChange]) -> Bool {
    guard table.apply(changes, at: clock.sinceEpoch) else { return false }
    for change in changes {
      if case .remove(let old) = change { requests.remove([old.registration.name]) }
      if let change = RequestChange(change) { requests.apply(change, at: clock.sinceEpoch) }
      if let change = TokenSwitch(change) { alternations.note(change, at: clock.sinceEpoch) }
    }
    for person in changes.flatMap(\.wokenPersons) { jobs.wake(person, at: clock.sinceEpoch) }
    return true
  }

  /// Whether there is a registration of an app.
  public func hasRegistration(of topic: Topic) -> Bool { table.hasRegistration(of: topic) }

  /// What is kept of a device that was removed.
  public func departed(_ identity: Thumbprint) -> DepartedDevice? { table.departed(identity) }

  /// Removes what is kept for long enough.
  @discardableResult
  public func removeIdle(olderThan age: Duration, atMost count: Int) -> Int {
    let now = clock.sinceEpoch
    return table.removeIdle(before: now - age, leftBefore: now - DepartedDevice.keptTime, atMost: count)
  }

  /// What is known of an identity whose proven token has changed lately.
  public func alternation(of identity: Thumbprint) -> TokenAlternation? {
    alternations.alternation(of: identity.text, at: clock.sinceEpoch)
  }

  /// Suspends the identity of a registration.
  public func suspend(_ known: VersionedRegistration) -> Bool {
    let identity = known.registration.identity
    guard alternation(of: identity) != nil, apply([known.suspension]) else { return false }
    alternations.suspend(identity.text, at: clock.sinceEpoch)
    return true
  }

  /// Counts a refusal.
  @discardableResult
  public func countRefusal(of address: DeviceAddress, acceptedAgo age: Duration?) -> Int {
    refusals.count(address, acceptedAgo: age, at: clock.sinceEpoch) ? quarantine(address) : 0
  }

  /// The addresses that were refused.
  public func refusedAddresses(atMost count: Int) -> [DeviceAddress] {
    refusals.addresses(atMost: count, at: clock.sinceEpoch)
  }

  /// Sends nothing more to an address.
  @discardableResult
  public func quarantine(_ address: DeviceAddress) -> Int { table.quarantine(address, at: clock.sinceEpoch) }

  /// Ends a quarantine.
  @discardableResult
  public func release(_ address: DeviceAddress) -> Int {
    refusals.forget(address)
    return table.quarantine(address, at: nil)
  }

  /// Removes devices.
  @discardableResult
  public func remove(_ devices: DeviceSelector) -> [String] {
    let (names, gone) = table.remove(devices, at: clock.sinceEpoch)
    requests.remove(gone)
    // A first enrolment has no device yet.
    if case .registration(let name) = devices { enrolments.removeUnanswered(of: [name]) }
    if case .person(let person, let name) = devices {
      enrolments.removeUnanswered(of: name.map { [$0] }, by: person)
    }
    enrolments.removeUnanswered(of: gone)
    return names
  }

  /// Removes the registrations of a device that leaves.
  @discardableResult
  public func leave(_ leave: Leave) -> Result<[String], SignedSetError> {
    let outcome = table.remove(leave, at: clock.sinceEpoch)
    requests.remove(outcome.names)
    return outcome.result(of: leave)
  }

  /// Removes everything about a person.
  @discardableResult
  public func forget(person: String) -> Int {
    let names = table.names(of: person)
    requests.remove(names.map { String(decoding: $0, as: UTF8.self) })
    requests.forget(person: person)
    for name in names {
      let identity = table.registration(named: String(decoding: name, as: UTF8.self))?.registration.identity
      if let identity { alternations.forget(identity.text) }
    }
    return enrolments.forget(person: person, registrations: names) + table.forget(person: person)
      + jobs.forget(person: person) + challenges.forget(person: person) + book.forget(person: person)
  }

  // MARK: EnrolmentInbox

  /// Hands an enrolment in.
  public func handIn(_ request: EnrolmentRequest) -> Int64 { insert(EnrolmentRow(request)) }

  /// The enrolments with these numbers.
  public func handedIn(_ numbers: [Int64]) -> [HandedInEnrolment] { enrolments.handedIn(numbers) }

  /// Waits until an enrolment is ready.
  public func enrolmentsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await Polling.wait(within: time) { enrolments.hasReady(at: clock.sinceEpoch) }
  }

  /// Leases enrolments.
  public func leaseEnrolments(atMost count: Int, for time: Duration) -> [LeasedEnrolment] {
    enrolments.lease(atMost: count, for: time, at: clock.sinceEpoch)
  }

  /// Writes an answer.
  @discardableResult
  public func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) -> Bool {
    enrolments.answer(lease, with: answer, account: account, at: clock.sinceEpoch)
  }

  /// Makes conditional writes while a lease is valid.
  public func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) -> Bool? {
    guard enrolments.isValid(lease) else { return nil }
    guard challenge.map({ !challenges.isSpent($0) }) ?? true, apply(changes) else { return false }
    if let challenge { challenges.spend(challenge) }
    return true
  }

  /// Counts the enrolments that wait for an answer.
  public func waitingEnrolments() -> WaitingEnrolments { enrolments.waiting(at: clock.sinceEpoch) }

  /// Removes old answers.
  @discardableResult
  public func removeAnswered(olderThan age: Duration, atMost count: Int) -> Int {
    enrolments.removeAnswered(olderThan: age, atMost: count, at: clock.sinceEpoch)
  }
  // MARK: ChallengeBook

  /// Whether a challenge was used.
  public func isSpent(_ challenge: Challenge) -> Bool { challenges.isSpent(challenge) }

  /// Issues a challenge.
  public func issueChallenge(for purpose: ChallengePurpose) -> Result<Challenge, TooManyChallenges> {
    challenges.issue(for: purpose, at: clock.sinceEpoch)
  }

  /// What a challenge was issued for.
  public func issued(_ challenge: Challenge) -> IssuedChallenge? {
    challenges.issued(challenge, at: clock.sinceEpoch)
  }

  /// Removes old challenges.
  @discardableResult
  public func removeOldChallenges(atMost count: Int) -> Int {
    challenges.removeOld(atMost: count, at: clock.sinceEpoch)
  }

  // MARK: RequestOutbox

  /// Leases proof requests.
  public func leaseRequests(atMost count: Int, for time: Duration) -> LeasedRequests {
    requests.lease(atMost: count, for: time, at: clock.sinceEpoch, among: table)
  }

  /// Removes a proof request that has ended.
  @discardableResult
  public func finish(_ lease: RequestLease, as ending: RequestEnding) -> Bool {
    requests.finish(lease, as: ending)
  }

  /// Lets a proof request be sent later.
  @discardableResult
  public func giveBack(_ lease: RequestLease, after delay: Duration) -> Bool {
    requests.giveBack(lease, after: delay, at: clock.sinceEpoch)
  }

  /// Removes what counts no longer.
  @discardableResult
  public func removeAsked(atMost count: Int) -> Int {
    let asked = requests.removeAsked(atMost: count, at: clock.sinceEpoch)
    return asked
      + alternations.remove(atMost: count - asked, at: clock.sinceEpoch) { [table] in table.has(identity: $0)
      }
  }

  // MARK: SteeringBook

  /// The pauses and limits.
  public func steering() -> Steering { operators.steering }

  /// Lets nothing be sealed for routes.
  @discardableResult
  public func pause(_ scope: RouteScope) -> Bool { operators.pause(scope, at: clock.sinceEpoch) }

  /// Ends pauses.
  @discardableResult
  public func resume(_ scope: RouteScope) -> Int { operators.resume(scope) }

  /// Limits the pushes of a topic.
  public func limit(_ topic: Topic, to rate: RateLimit?) { operators.limit(topic, to: rate) }

  /// Takes a share of a topic's limit.
  public func takeShare(of topic: Topic, atMost count: Int) -> RateShare? {
    operators.takeShare(of: topic, atMost: count, at: clock.sinceEpoch)
  }

  /// Makes held jobs ready that may go again.
  @discardableResult
  public func releaseHeld(atMost count: Int) -> Int {
    operators.releaseHeld(atMost: count, of: &jobs, at: clock.sinceEpoch)
  }

  /// Writes which routes are stopped.
  public func note(stopped: [StoppedRoute], going: [Route]) { operators.note(stopped: stopped, going: going) }

  /// The routes that are stopped.
  public func stoppedRoutes() -> [StoppedRoute] { operators.stoppedRoutes(at: clock.sinceEpoch) }

  // MARK: OutcomeBook

  /// Records outcomes.
  public func record(_ outcomes: [JobOutcomes]) {
    for outcomes in outcomes where jobs.isValid(outcomes.lease) {
      book.record(outcomes, at: clock.sinceEpoch)
    }
  }

  /// Records what a device has shown.
  @discardableResult
  public func take(_ receipt: Receipt) -> Int { book.take(receipt, at: clock.sinceEpoch) }

  /// What became of a message.
  public func outcomes(of message: MessageID) -> [RecordedOutcome] { book.outcomes(of: message) }

  /// Removes old outcomes.
  @discardableResult
  public func removeOutcomes(olderThan age: Duration, atMost count: Int) -> Int {
    book.remove(olderThan: age, atMost: count, at: clock.sinceEpoch)
  }

  // MARK: TokenBook

  /// Takes a device's tokens.
  public func accept(_ tokens: DeviceTokens) -> Result<Void, SignedSetError> {
    self.tokens.accept(tokens, among: table)
  }

  /// The tokens of devices.
  public func tokens(of devices: [StoredDevice]) -> [[TokenUse: DeviceToken]] { tokens.tokens(of: devices) }

  /// Forgets a token.
  @discardableResult
  public func endToken(at address: DeviceAddress, for pushType: PushType) -> Bool {
    tokens.end(at: address, for: pushType)
  }
}
