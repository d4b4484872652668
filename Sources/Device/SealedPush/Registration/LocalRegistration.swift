internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushReceiver

/// What a registration has on the phone: the keys, the tags of the accounts, and what the app remembers.
///
/// Nothing here asks the backend. Every function throws ``RegistrationFailure/keys(_:)`` or ``RegistrationFailure/file(_:)``.
struct LocalRegistration: Sendable {
  let shared: SharedPush
  let environment: APNsEnvironment
  let keys: any EnrolmentStore
  let file: RegistrationMemoryFile

  var now: UnixTime { shared.clock.now }

  /// Why the phone is not registered for these persons; nil if it is, and if there is nobody.
  func need(
    of persons: Set<String>, token: DeviceToken?
  ) throws(RegistrationFailure) -> RegistrationNeed? {
    guard !persons.isEmpty else { return nil }
    let (memory, identity) = (try load(), try identity())
    guard memory.registration != nil else { return identity == nil ? .new : .reinstalled }
    guard let identity, identity == memory.identity else { return .restored }
    guard memory.persons == persons, memory.departed.isEmpty else { return .otherPersons }
    guard !memory.isForgotten else { return .forgotten }
    guard persons.allSatisfy(memory.isEnrolled) else { return .unfinished }
    return token == nil || memory.token == token ? nil : .newToken
  }

  // MARK: Enrolments

  /// Signs an enrolment with keys that are younger than ``PushRegistration/keyAge``.
  ///
  /// A challenge is for a registration that begins, so that no key needs to be replaced.
  func enrol(_ token: DeviceToken, _ challenge: Challenge? = nil) throws(RegistrationFailure) -> Enrolment {
    try withKeys {
      if challenge == nil { _ = try keys.rotate(ifOlderThan: PushRegistration.keyAge, at: now) }
      return try keys.enrol(
        address: address(token), for: shared.audience, challenge: challenge, report: shared.report, at: now)
    }
  }

  /// Signs the enrolment that answers a proof request; nil if it is not this phone's to answer: somebody else has enrolled its
  /// key or token, or its keys have changed since.
  func answer(_ asked: OpenedProofRequest, _ token: DeviceToken) throws(RegistrationFailure) -> Enrolment? {
    try withKeys {
      let answer = try keys.answer(
        asked.request, openedBy: asked.opened.recipient, address: address(token), for: shared.audience,
        report: shared.report, at: now)
      return if case .success(let enrolment)? = answer { enrolment } else { nil }
    }
  }

  /// Signs the tokens that the phone has besides its device token; nil without keys.
  func sign(_ tokens: [TokenUse: DeviceToken]) throws(RegistrationFailure) -> DeviceTokens? {
    try withKeys {
      try keys.sign(tokens, of: shared.topic, in: environment, for: shared.audience, at: now)
    }
  }

  private func address(_ token: DeviceToken) -> DeviceAddress {
    DeviceAddress(topic: shared.topic, environment: environment, token: token)
  }

  /// Remembers a registration that begins.
  ///
  /// Under another name, or if nobody joins but one person has the phone alone from now on, the others are not enrolled.
  func begin(
    _ issued: ServiceClient.Issued, as begun: RegistrationMemory.Begun
  ) throws(RegistrationFailure) {
    let identity = try identity()
    try change { memory in
      if memory.registration != issued.registration || !begun.isJoining { memory.note(isEnrolled: false) }
      memory.add(begun.person)
      memory.begun = begun
      (memory.registration, memory.identity, memory.isForgotten) = (issued.registration, identity, false)
    }
  }

  /// Notes what the backend has answered to a person's enrolment as `registration`; throws if that is over.
  ///
  /// The old keys end a month after the backend uses the new ones, not while those are to be proven.
  func note(
    _ enrolment: Enrolment, as registration: String, of person: String, account: AccountTag?, isUsed: Bool
  ) throws(RegistrationFailure) {
    var memory = try load()
    guard memory.registration == registration, memory.identity == enrolment.identity.thumbprint,
      memory.persons.contains(person)
    else { throw .superseded }
    memory.token = enrolment.address.apns?.token
    memory.noteAnswer(to: person, account: account)
    try save(memory)
    try signInAccounts(of: memory)
    if isUsed { try withKeys { _ = try keys.confirm(enrolment, at: now) } }
  }

  /// Notes what the backend has answered, later, to an enrolment that was begun.
  func note(_ begun: RegistrationMemory.Begun, account: AccountTag?) throws(RegistrationFailure) {
    var memory = try load()
    guard memory.begun == begun else { throw .superseded }
    memory.noteAnswer(to: begun.person, account: account)
    try save(memory)
    try signInAccounts(of: memory)
  }

  // MARK: Leaving

  /// Takes from the phone whatever is another installation's or another phone's, and everybody who is not among `persons`;
  /// returns whether anything was taken.
  func takeAway(except persons: Set<String>) throws(RegistrationFailure) -> Bool {
    let (memory, identity) = (try load(), try identity())
    guard memory.registration != nil || identity != nil else {
      // Half of the keys may be there, if a removal was interrupted.
      try withKeys { try keys.remove() }
      return false
    }
    let isWhole = memory.registration != nil && identity != nil && memory.identity == identity
    let leaving = memory.persons.subtracting(persons)
    // With the last person whom the backend knows, the identity leaves: whoever stays begins with another.
    let staysEnrolled = memory.accounts.contains { $0.isEnrolled && persons.contains($0.person) }
    if !isWhole || !leaving.isEmpty && !staysEnrolled {
      try depart()
      return true
    }
    for person in leaving.sorted() { try depart(person) }
    return !leaving.isEmpty
  }

  /// Ends the registration: first the persons' tags, then the keys.
  ///
  /// The backend is to hear it from a signed leave. Whatever fails, the keys are destroyed; what failed first is thrown
  /// afterwards.
  func depart() throws(RegistrationFailure) {
    var failure: RegistrationFailure?
    func attempt(_ work: () throws(RegistrationFailure) -> Void) {
      do throws(RegistrationFailure) { try work() } catch { failure = failure ?? error }
    }
    attempt { () throws(RegistrationFailure) in
      try withAccounts { (file) throws(ReceiverFileError) in try file.signOutAll() }
    }
    attempt { () throws(RegistrationFailure) in
      var memory = try load()
      // Before the keys are destroyed, without which there is no leave.
      let leave = try? keys.leave(shared.topic, for: shared.audience, at: now)
      if let leave { memory.keep(leave.encoded()) }
      try save(memory.cleared)
    }
    attempt { () throws(RegistrationFailure) in try withKeys { try keys.remove() } }
    // Last: from here on, nothing opens that could be noted.
    attempt { () throws(RegistrationFailure) in try forgetNotes() }
    if let failure { throw failure }
  }

  /// Takes one of several persons from the phone, whose keys stay.
  private func depart(_ person: String) throws(RegistrationFailure) {
    var memory = try load()
    memory.accounts.removeAll { $0.person == person }
    memory.departed.append(person)
    if memory.begun?.person == person { memory.begun = nil }
    // The tag first: from here on, nothing of the person's is shown.
    try signInAccounts(of: memory)
    try save(memory)
    try forgetNotes()
  }

  /// Forgets what the extension has noted for a receipt.
  func forgetNotes() throws(RegistrationFailure) {
    do throws(ReceiverFileError) { try shared.receiptNotes.forgetAll() } catch { throw .file(error) }
  }

  /// Records that exactly the persons whose tags are known are signed in.
  private func signInAccounts(of memory: RegistrationMemory) throws(RegistrationFailure) {
    let tags = memory.accounts.compactMap(\.tag)
    try withAccounts { (file) throws(ReceiverFileError) in
      do throws(ReceiverFileError) {
        // A backend that knows no tags needs no file: without one, nothing is refused.
        let known = try file.tags()
        if known ?? [] != Set(tags) { try file.signIn(only: tags) }
      } catch .damaged {
        try file.signIn(only: tags)
      }
    }
  }

  // MARK: What is kept

  func load() throws(RegistrationFailure) -> RegistrationMemory {
    do throws(ReceiverFileError) { return try file.load() } catch { throw .file(error) }
  }

  func change(_ change: (inout RegistrationMemory) -> Void) throws(RegistrationFailure) {
    var memory = try load()
    change(&memory)
    try save(memory)
  }

  /// The IDs that a message may have on the phone: the one given, and those that depend on the phone's keys and identity.
  func ids(of message: MessageID) -> [MessageID] {
    var thumbprints = (try? keys.thumbprints(at: now)) ?? []
    if let identity = try? identity() { thumbprints.append(identity) }
    return message.ids(on: thumbprints)
  }

  /// The identity of the keys that are there; nil without keys.
  func identity() throws(RegistrationFailure) -> Thumbprint? { try withKeys { try keys.identity(at: now) } }

  private func save(_ memory: RegistrationMemory) throws(RegistrationFailure) {
    do throws(ReceiverFileError) { try file.save(memory) } catch { throw .file(error) }
  }

  private func withAccounts(
    _ work: (AccountFile) throws(ReceiverFileError) -> Void
  ) throws(RegistrationFailure) {
    do throws(ReceiverFileError) { try work(shared.accounts) } catch { throw .file(error) }
  }

  private func withKeys<Result>(_ work: () throws -> Result) throws(RegistrationFailure) -> Result {
    do { return try work() } catch { throw .keys("\(error)") }
  }
}
