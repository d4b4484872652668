package import PushCore
package import PushEnrolment

/// An engine's tables, for one thread: what a ``TableStore`` asks for.
package protocol StoreTables<Failure> {
  /// What the engine says when it cannot do something.
  associatedtype Failure: Error

  var jobs: any JobTable<Failure> { get }
  var devices: any DeviceTable<Failure> { get }
  var enrolments: any EnrolmentTable<Failure> { get }
  var challenges: any ChallengeTable<Failure> { get }
  var requests: any RequestTable<Failure> { get }
  var outcomes: any OutcomeTable<Failure> { get }
  var rowKeys: any RowKeyTable<Failure> { get }
  var refusals: any RefusalTable<Failure> { get }
  var tokens: any TokenTable<Failure> { get }
  var steering: any SteeringTable<Failure> { get }

  /// Makes all changes of the directory or none, as ``DeviceTable/apply(_:)`` does; nil, and no change, if the lease is
  /// no longer valid; false, and no change, if the challenge is spent.
  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) throws(Failure) -> Bool?

  /// What is known of an identity whose proven token has changed lately.
  func alternation(of identity: Thumbprint) throws(Failure) -> TokenAlternation?

  /// Suspends the identity of a registration.
  func suspend(_ known: VersionedRegistration) throws(Failure) -> Bool

  /// Removes devices with their enrolments that have no answer, and returns the registrations' names.
  func remove(_ devices: DeviceSelector) throws(Failure) -> [String]

  /// Removes the registrations of a device that leaves.
  func leave(_ leave: Leave) throws(Failure) -> LeaveOutcome

  /// Removes everything about a person, and returns how many rows that were.
  func forget(person: String) throws(Failure) -> Int
}

/// The table `job`.
///
/// Its calls do what those of ``JobQueue`` with the same names do.
package protocol JobTable<Failure> {
  associatedtype Failure: Error

  func enqueue(_ jobs: [Job]) throws(Failure) -> [JobID]
  func cancel(_ cancellations: [Cancellation]) throws(Failure) -> Int
  func removeKeys(olderThan age: Duration, atMost count: Int) throws(Failure) -> Int
  func lease(atMost count: Int, for time: Duration, senders: Set<Thumbprint>) throws(Failure) -> [LeasedJob]
  func extend(_ leases: [Lease], for time: Duration) throws(Failure) -> [Lease]
  func acknowledge(_ leases: [Lease]) throws(Failure) -> Int
  func retry(_ retries: [JobRetry]) throws(Failure) -> Int
  func discard(_ discards: [JobDiscard]) throws(Failure) -> Int
  func deadLetters(after job: JobID?, atMost count: Int) throws(Failure) -> [DeadLetter]
  func resend(_ jobs: [JobID]) throws(Failure) -> Int
  func delete(_ jobs: [JobID]) throws(Failure) -> Int
  func removeDeadLetters(olderThan age: Duration, atMost count: Int) throws(Failure) -> Int
  func oldestReady() throws(Failure) -> Duration?
  /// Whether a job is ready.
  func hasReady() throws(Failure) -> Bool
  func lastJob() throws(Failure) -> JobID?
}

/// The tables `device` and `device_key`.
///
/// Their calls do what those of ``DeviceDirectory`` with the same names do.
package protocol DeviceTable<Failure> {
  associatedtype Failure: Error

  func devices(of persons: [String], includingUnreachable: Bool) throws(Failure) -> [[StoredDevice]]
  func devices(after name: String?, atMost count: Int) throws(Failure) -> [StoredDevice]
  func device(named name: String) throws(Failure) -> StoredDevice?
  func hasRegistration(of topic: Topic) throws(Failure) -> Bool
  func registration(named name: String) throws(Failure) -> VersionedRegistration?
  func registrations(after name: String?, atMost count: Int) throws(Failure) -> [VersionedRegistration]
  func fleet(after name: String?, atMost count: Int) throws(Failure) -> [FleetDevice]
  func neighbours(of place: Neighbourhood, pending count: Int) throws(Failure) -> [VersionedRegistration]
  func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(Failure) -> [VersionedRegistration]
  func apply(_ changes: [RegistrationChange]) throws(Failure) -> Bool
  func departed(_ identity: Thumbprint) throws(Failure) -> DepartedDevice?
  /// The names of registrations whose line still names persons who have left.
  func stale(atMost count: Int) throws(Failure) -> [String]
  func removeIdle(olderThan age: Duration, atMost count: Int) throws(Failure) -> Int
  func quarantine(_ address: DeviceAddress) throws(Failure) -> Int
  func release(_ address: DeviceAddress) throws(Failure) -> Int
}

/// The table `enrolment`.
///
/// Its calls do what those of ``EnrolmentInbox`` do.
package protocol EnrolmentTable<Failure> {
  associatedtype Failure: Error

  func handIn(_ row: EnrolmentRow) throws(Failure) -> Int64
  func handedIn(_ numbers: [Int64]) throws(Failure) -> [HandedInEnrolment]
  /// Whether an enrolment is ready for a worker.
  func hasReady() throws(Failure) -> Bool
  func lease(atMost count: Int, for time: Duration) throws(Failure) -> [LeasedEnrolment]
  func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) throws(Failure) -> Bool
  func waiting() throws(Failure) -> WaitingEnrolments
  func removeAnswered(olderThan age: Duration, atMost count: Int) throws(Failure) -> Int
}

/// The table `challenge`.
///
/// Its calls do what those of ``ChallengeBook`` do.
package protocol ChallengeTable<Failure> {
  associatedtype Failure: Error

  func issue(for purpose: ChallengePurpose) throws(Failure) -> Result<Challenge, TooManyChallenges>
  func issued(_ challenge: Challenge) throws(Failure) -> IssuedChallenge?
  func isSpent(_ challenge: Challenge) throws(Failure) -> Bool
  func removeOld(atMost count: Int) throws(Failure) -> Int
}

/// The tables `request`, `asked` and `claim`.
///
/// Their calls do what those of ``RequestOutbox`` do.
package protocol RequestTable<Failure> {
  associatedtype Failure: Error

  func lease(atMost count: Int, for time: Duration) throws(Failure) -> LeasedRequests
  func finish(_ lease: RequestLease, as ending: RequestEnding) throws(Failure) -> Bool
  func giveBack(_ lease: RequestLease, after delay: Duration) throws(Failure) -> Bool
  func removeAsked(atMost count: Int) throws(Failure) -> Int
}

/// The table `outcome`.
///
/// Its calls do what those of ``OutcomeBook`` do.
package protocol OutcomeTable<Failure> {
  associatedtype Failure: Error

  func record(_ outcomes: [JobOutcomes]) throws(Failure)
  func take(_ receipt: Receipt) throws(Failure) -> Int
  func outcomes(of message: MessageID) throws(Failure) -> [RecordedOutcome]
  func remove(olderThan age: Duration, atMost count: Int) throws(Failure) -> Int
}

/// The table `refusal`.
///
/// Its calls do what those of ``DeviceDirectory`` do.
package protocol RefusalTable<Failure> {
  associatedtype Failure: Error

  func count(_ address: DeviceAddress, acceptedAgo age: Duration?) throws(Failure) -> Int
  func addresses(atMost count: Int) throws(Failure) -> [DeviceAddress]
  /// Forgets the refusals of an address.
  func forget(_ address: DeviceAddress) throws(Failure)
}

/// The tables `token_set` and `token`.
///
/// Their calls do what those of ``TokenBook`` do.
package protocol TokenTable<Failure> {
  associatedtype Failure: Error

  func accept(_ tokens: DeviceTokens) throws(Failure) -> Result<Void, SignedSetError>
  /// The tokens that these identities have signed.
  func tokens(of identities: [String]) throws(Failure) -> [StoredTokens]
  func end(_ address: DeviceAddress, for pushType: PushType) throws(Failure) -> Bool
}
