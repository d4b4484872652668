package import PushCore
package import PushEnrolment
package import PushStore

/// A store that passes each call on to another one, except for those that it does itself.
package protocol ForwardingStore: Store {
  /// The store that gets the calls.
  var store: any Store { get }
}

extension ForwardingStore {
  package func enqueue(_ jobs: [Job]) async throws(StoreError) -> [JobID] { try await store.enqueue(jobs) }

  package func cancel(_ cancellations: [Cancellation]) async throws(StoreError) -> Int {
    try await store.cancel(cancellations)
  }

  package func removeKeys(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeKeys(olderThan: age, atMost: count)
  }

  package func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) async throws(StoreError) -> [LeasedJob] {
    try await store.lease(atMost: count, for: time, senders: senders)
  }

  package func extend(_ leases: [Lease], for time: Duration) async throws(StoreError) -> [Lease] {
    try await store.extend(leases, for: time)
  }

  package func acknowledge(_ leases: [Lease]) async throws(StoreError) -> Int {
    try await store.acknowledge(leases)
  }

  package func retry(_ retries: [JobRetry]) async throws(StoreError) -> Int { try await store.retry(retries) }

  package func discard(_ discards: [JobDiscard]) async throws(StoreError) -> Int {
    try await store.discard(discards)
  }

  package func deadLetters(after job: JobID?, atMost count: Int) async throws(StoreError) -> [DeadLetter] {
    try await store.deadLetters(after: job, atMost: count)
  }

  package func resend(_ jobs: [JobID]) async throws(StoreError) -> Int { try await store.resend(jobs) }

  package func delete(_ jobs: [JobID]) async throws(StoreError) -> Int { try await store.delete(jobs) }

  package func removeDeadLetters(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeDeadLetters(olderThan: age, atMost: count)
  }

  package func statistics() async throws(StoreError) -> QueueStatistics { try await store.statistics() }

  package func depths(atMost count: Int) async throws(StoreError) -> [QueueDepth] {
    try await store.depths(atMost: count)
  }

  package func oldestReady() async throws(StoreError) -> Duration? { try await store.oldestReady() }

  package func lastJob() async throws(StoreError) -> JobID? { try await store.lastJob() }

  package func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await store.jobsArrived(within: time)
  }

  package func devices(
    of persons: [String], includingUnreachable: Bool
  ) async throws(StoreError) -> [[StoredDevice]] {
    try await store.devices(of: persons, includingUnreachable: includingUnreachable)
  }

  package func fleet(after name: String?, atMost count: Int) async throws(StoreError) -> [FleetDevice] {
    try await store.fleet(after: name, atMost: count)
  }

  package func devices(after name: String?, atMost count: Int) async throws(StoreError) -> [StoredDevice] {
    try await store.devices(after: name, atMost: count)
  }

  package func device(named name: String) async throws(StoreError) -> StoredDevice? {
    try await store.device(named: name)
  }

  package func hasRegistration(of topic: Topic) async throws(StoreError) -> Bool {
    try await store.hasRegistration(of: topic)
  }

  package func registration(named name: String) async throws(StoreError) -> VersionedRegistration? {
    try await store.registration(named: name)
  }

  package func registrations(
    after name: String?, atMost count: Int
  ) async throws(StoreError) -> [VersionedRegistration] {
    try await store.registrations(after: name, atMost: count)
  }

  package func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) async throws(StoreError) -> [VersionedRegistration] {
    try await store.neighbours(of: enrolment, named: name, pending: count)
  }

  package func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) async throws(StoreError) -> [VersionedRegistration] {
    try await store.registrations(address: address, after: name, atMost: count)
  }

  package func apply(_ changes: [RegistrationChange]) async throws(StoreError) -> Bool {
    try await store.apply(changes)
  }

  package func leave(_ leave: Leave) async throws(StoreError) -> Result<[String], SignedSetError> {
    try await store.leave(leave)
  }

  package func departed(_ identity: Thumbprint) async throws(StoreError) -> DepartedDevice? {
    try await store.departed(identity)
  }

  package func removeIdle(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeIdle(olderThan: age, atMost: count)
  }

  package func isSpent(_ challenge: Challenge) async throws(StoreError) -> Bool {
    try await store.isSpent(challenge)
  }

  package func alternation(of identity: Thumbprint) async throws(StoreError) -> TokenAlternation? {
    try await store.alternation(of: identity)
  }

  package func suspend(_ known: VersionedRegistration) async throws(StoreError) -> Bool {
    try await store.suspend(known)
  }

  package func countRefusal(
    of address: DeviceAddress, acceptedAgo age: Duration?
  ) async throws(StoreError) -> Int {
    try await store.countRefusal(of: address, acceptedAgo: age)
  }

  package func refusedAddresses(atMost count: Int) async throws(StoreError) -> [DeviceAddress] {
    try await store.refusedAddresses(atMost: count)
  }

  package func quarantine(_ address: DeviceAddress) async throws(StoreError) -> Int {
    try await store.quarantine(address)
  }

  package func release(_ address: DeviceAddress) async throws(StoreError) -> Int {
    try await store.release(address)
  }

  package func remove(_ devices: DeviceSelector) async throws(StoreError) -> [String] {
    try await store.remove(devices)
  }

  package func forget(person: String) async throws(StoreError) -> Int {
    try await store.forget(person: person)
  }

  package func handIn(_ request: EnrolmentRequest) async throws(StoreError) -> Int64 {
    try await store.handIn(request)
  }

  package func handedIn(_ numbers: [Int64]) async throws(StoreError) -> [HandedInEnrolment] {
    try await store.handedIn(numbers)
  }

  package func enrolmentsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await store.enrolmentsArrived(within: time)
  }

  package func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) async throws(StoreError) -> [LeasedEnrolment] {
    try await store.leaseEnrolments(atMost: count, for: time)
  }

  package func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) async throws(StoreError) -> Bool {
    try await store.answer(lease, with: answer, account: account)
  }

  package func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) async throws(StoreError) -> Bool? {
    try await store.apply(changes, under: lease, spending: challenge)
  }

  package func waitingEnrolments() async throws(StoreError) -> WaitingEnrolments {
    try await store.waitingEnrolments()
  }

  package func removeAnswered(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeAnswered(olderThan: age, atMost: count)
  }

  package func issueChallenge(
    for purpose: ChallengePurpose
  ) async throws(StoreError) -> Result<Challenge, TooManyChallenges> {
    try await store.issueChallenge(for: purpose)
  }

  package func issued(_ challenge: Challenge) async throws(StoreError) -> IssuedChallenge? {
    try await store.issued(challenge)
  }

  package func removeOldChallenges(atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeOldChallenges(atMost: count)
  }

  package func leaseRequests(
    atMost count: Int, for time: Duration
  ) async throws(StoreError) -> LeasedRequests {
    try await store.leaseRequests(atMost: count, for: time)
  }

  package func finish(_ lease: RequestLease, as ending: RequestEnding) async throws(StoreError) -> Bool {
    try await store.finish(lease, as: ending)
  }

  package func giveBack(_ lease: RequestLease, after delay: Duration) async throws(StoreError) -> Bool {
    try await store.giveBack(lease, after: delay)
  }

  package func removeAsked(atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeAsked(atMost: count)
  }

  package func record(_ outcomes: [JobOutcomes]) async throws(StoreError) { try await store.record(outcomes) }

  package func take(_ receipt: Receipt) async throws(StoreError) -> Int { try await store.take(receipt) }

  package func outcomes(of message: MessageID) async throws(StoreError) -> [RecordedOutcome] {
    try await store.outcomes(of: message)
  }

  package func removeOutcomes(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int {
    try await store.removeOutcomes(olderThan: age, atMost: count)
  }

  package func accept(_ tokens: DeviceTokens) async throws(StoreError) -> Result<Void, SignedSetError> {
    try await store.accept(tokens)
  }

  package func tokens(of devices: [StoredDevice]) async throws(StoreError) -> [[TokenUse: DeviceToken]] {
    try await store.tokens(of: devices)
  }

  package func endToken(at address: DeviceAddress, for pushType: PushType) async throws(StoreError) -> Bool {
    try await store.endToken(at: address, for: pushType)
  }

  package func steering() async throws(StoreError) -> Steering { try await store.steering() }

  package func pause(_ scope: RouteScope) async throws(StoreError) -> Bool { try await store.pause(scope) }

  package func resume(_ scope: RouteScope) async throws(StoreError) -> Int { try await store.resume(scope) }

  package func limit(_ topic: Topic, to rate: RateLimit?) async throws(StoreError) {
    try await store.limit(topic, to: rate)
  }

  package func takeShare(of topic: Topic, atMost count: Int) async throws(StoreError) -> RateShare? {
    try await store.takeShare(of: topic, atMost: count)
  }

  package func releaseHeld(atMost count: Int) async throws(StoreError) -> Int {
    try await store.releaseHeld(atMost: count)
  }

  package func note(stopped: [StoppedRoute], going: [Route]) async throws(StoreError) {
    try await store.note(stopped: stopped, going: going)
  }

  package func stoppedRoutes() async throws(StoreError) -> [StoppedRoute] {
    try await store.stoppedRoutes()
  }
}
