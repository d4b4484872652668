public import PushCore
public import PushEnrolment
public import PushReceiver
private import UserNotifications

/// This phone at the app's backend: it registers the phone, keeps it registered through all that happens to a phone, and signs
/// it out.
///
/// The app has one, and calls it
///
/// - with iOS's answer to `registerForRemoteNotifications()`: ``know(token:)`` or ``know(failure:)``;
/// - at each launch, with the persons whose sessions it has: ``launch(as:)``;
/// - after a login: ``register(login:joining:)``;
/// - for each background push: ``receive(_:)``;
/// - when a person signs out, with a connection or without: ``signOut(_:)``;
/// - if it wants receipts, at each launch and when it comes to the front: ``sendReceipt()``.
///
/// No call of these throws: ``state`` says what failed, and ``states()`` tells the app's screen. The rules that it keeps:
///
/// - Before another person is registered on the phone, the keys of the person before are destroyed, so nothing that was sealed
///   for that person opens any more.
/// - A registration that came with a backup from another phone is not continued: that phone may still be in use.
/// - Keys that an earlier installation has left are destroyed, and the backend is told.
/// - A person who signs out is out on this phone at once. What the backend has not heard is told at the next launch.
///
/// What it remembers is in a file of the app's own, which no extension needs.
public actor PushRegistration {
  /// The age at which the device's keys are replaced: 30 days.
  public static let keyAge = Duration.seconds(30 * 86_400)

  /// How long a call waits for iOS's token: without a connection, iOS does not answer at all.
  public static let tokenPatience = Duration.seconds(30)

  let shared: SharedPush
  let local: LocalRegistration
  let client: ServiceClient
  private let removeNotifications: @Sendable () async -> Void

  private var token = AwaitedToken()
  private var watchers: [Int: AsyncStream<RegistrationState>.Continuation] = [:]
  /// Which call may still change something: the newest one.
  private var turn = 0
  /// The call that works.
  private var running: Task<RegistrationState, Never>?
  /// The persons of the last launch or login; nil before.
  private var persons: [String]?

  /// Whether sealed pushes reach this phone.
  public internal(set) var state = RegistrationState() {
    didSet {
      guard state != oldValue else { return }
      for watcher in watchers.values { watcher.yield(state) }
    }
  }

  /// Prepares the registration, without accessing anything yet.
  ///
  /// `keys` can change the device's keys that `shared` looks up. `path` is that of a file in a folder of the app's own, which
  /// exists. `removeNotifications` runs when a person signs out, and removes what the app has on the screen; nil removes all
  /// delivered notifications.
  public init(
    of shared: SharedPush, in environment: APNsEnvironment, keys: any EnrolmentStore,
    service: any EnrolmentService, path: String, removeNotifications: (@Sendable () async -> Void)? = nil
  ) {
    self.shared = shared
    local = LocalRegistration(
      shared: shared, environment: environment, keys: keys, file: RegistrationMemoryFile(path: path))
    client = ServiceClient(service: service)
    self.removeNotifications =
      removeNotifications ?? { UNUserNotificationCenter.current().removeAllDeliveredNotifications() }
  }

  /// The state, now and whenever it changes.
  public func states() -> AsyncStream<RegistrationState> {
    let (stream, watcher) = AsyncStream.makeStream(
      of: RegistrationState.self, bufferingPolicy: .bufferingNewest(1))
    let number = token.newNumber()
    watchers[number] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.forget(watcher: number) } }
    watcher.yield(state)
    return stream
  }

  private func forget(watcher number: Int) { watchers[number] = nil }

  /// Why the phone is not registered for these persons; nil if it is, and if there is nobody.
  ///
  /// It asks nobody, and changes nothing. That the token is new it knows once iOS has given it.
  ///
  /// - Throws: ``RegistrationFailure/keys(_:)``, also before the phone is first unlocked; ``RegistrationFailure/file(_:)``.
  public func needsRegistration(
    of persons: [String]
  ) throws(RegistrationFailure) -> RegistrationNeed? { try local.need(of: Set(persons), token: token.token) }

  // MARK: The token

  /// Takes the token that iOS gave in this launch, and enrols it if it is new.
  @discardableResult
  public func know(token: DeviceToken) async -> RegistrationState {
    self.token.take(.success(token))
    // A call that works gets the token, and may enrol it.
    while let running { _ = await running.value }
    if case .failed(.noToken) = state.standing, let persons { return await launch(as: persons) }
    guard let memory = try? local.load(), memory.registration != nil, memory.token != token else {
      return state
    }
    return await launch(as: persons ?? memory.accounts.map(\.person))
  }

  /// Takes iOS's reason for giving no token in this launch.
  @discardableResult
  public func know(failure: any Error) -> RegistrationState {
    let failure = RegistrationFailure.noToken("\(failure)")
    token.take(.failure(failure))
    state.standing = .failed(failure)
    return state
  }

  func currentToken(_ turn: Int) async throws(RegistrationFailure) -> DeviceToken {
    let number = token.newNumber()
    let limit = Task { [clock = shared.clock] in
      guard (try? await clock.sleep(for: Self.tokenPatience)) != nil else { return }
      token.giveUp(number)
    }
    let answer = await withCheckedContinuation { token.wait(number, $0) }
    limit.cancel()
    try check(turn)
    return try answer.get()
  }

  // MARK: Registering

  /// Does whatever is needed so that pushes reach these persons on this phone, and nobody else; call it at each launch.
  ///
  /// A registration that needs no challenge is renewed: the senders' newest set is fetched, and keys of a month are replaced.
  /// With nobody signed in, the keys that are left are destroyed. So pass nil, not an empty list, as long as the app cannot read
  /// its sessions, such as before the first unlock: then nothing is done.
  @discardableResult
  public func launch(as persons: [String]?) async -> RegistrationState {
    guard let persons else { return state }
    // Those of a version of the app that wanted receipts.
    if !shared.wantsReceipts { try? local.forgetNotes() }
    self.persons = persons
    return await inTurn(after: running) { [self] turn throws(RegistrationFailure) in
      // A login or a sign-out may have come while it waited.
      let persons = self.persons ?? persons
      try await takeAway(except: persons)
      try await tellSignOuts(turn)
      return try await enrol(persons, turn)
    }
  }

  /// Registers the phone for a person who has just logged in, through challenge, enrolment and proof.
  ///
  /// Those who are registered leave, unless `isJoining`: then the phone has several persons, whose pushes it all shows. The
  /// state is `pending` until ``receive(_:)`` has answered the backend's proof request.
  @discardableResult
  public func register(login person: String, joining isJoining: Bool = false) async -> RegistrationState {
    let known = persons ?? (try? local.load())?.accounts.map(\.person) ?? []
    let persons = [person] + (isJoining ? known.filter { $0 != person } : [])
    self.persons = persons
    return await inTurn { [self] turn throws(RegistrationFailure) in
      // Before anything is enrolled: from here on, nothing that was sealed for somebody else opens on this phone.
      try await takeAway(except: Set(persons))
      try await tellSignOuts(turn)
      try local.change { memory in
        memory.needsLogin = false
        // A challenge of an earlier login is of no use to this one.
        if memory.begun?.person == person, memory.begun?.id == nil { memory.begun = nil }
      }
      do throws(RegistrationFailure) {
        return try await enrol(persons, turn)
      } catch  where error.isOfIdentity {
        try check(turn)
        try await depart()
        try await tellSignOuts(turn)
        return try await enrol(persons, turn)
      }
    }
  }

  // MARK: Background pushes

  /// What came in a background push.
  public enum Received: Sendable {
    /// A proof request, which was answered if it was this phone's: ``PushRegistration/state`` says how that went.
    case request
    /// A message for the app, from a trusted sender, that has not come before.
    case message(OpenedMessage)
    /// A message that has come before, or that the app has marked as seen.
    case repeated
    /// It does not open.
    case degraded(DegradeReason)
  }

  /// Opens a background push: answers the backend's proof request, and returns what else there is for the app to do.
  ///
  /// The app has 30 seconds for a background push. `receiver.envelope(in:)` finds the envelope in the dictionary that iOS
  /// passes to the app's delegate.
  public func receive(_ envelope: EnvelopeField) async -> Received {
    do throws(DegradeReason) {
      let received = try await open(envelope)
      state.backgroundFault = nil
      return received
    } catch {
      state.backgroundFault = error
      return .degraded(error)
    }
  }

  private func open(_ envelope: EnvelopeField) async throws(DegradeReason) -> Received {
    let receiver = shared.receiver
    do throws(DegradeReason) {
      let asked = try receiver.openProofRequest(envelope)
      guard !asked.opened.isDuplicate else { return .repeated }
      await prove(asked)
      return .request
    } catch .malformedContent {
      // It is no proof request.
    }
    let message = try receiver.openData(envelope, as: .background)
    return message.opened.isDuplicate ? .repeated : .message(message)
  }

  /// Proves to the backend that this phone has a key and a token that are new to it, in the name of the first person whose
  /// session allows it.
  private func prove(_ asked: OpenedProofRequest) async {
    guard (try? local.load())?.registration != nil else { return }
    _ = await inTurn(after: running) { [self] turn throws(RegistrationFailure) in
      let memory = try local.load()
      guard let registration = memory.registration else { return .nobody }
      var failure: RegistrationFailure?
      for account in memory.accounts {
        let token = try await currentToken(turn)
        // What is not this phone's to answer changes nothing.
        guard let enrolment = try local.answer(asked, token) else { return state.standing }
        do throws(RegistrationFailure) {
          return try await send(enrolment, as: registration, of: account.person, turn)
        } catch {
          try check(turn)
          guard error == .loginNeeded || error == .notFound else { throw error }
          failure = failure ?? error
        }
      }
      throw failure ?? .loginNeeded
    }
  }

  /// Marks messages that the app has shown by itself, because they came by a connection of its own: their pushes are then shown
  /// as `DuplicateRule` says, without sound by default.
  ///
  /// The IDs are those that the backend gave to the messages; the phone marks those that they have on it, too.
  ///
  /// - Throws: `ReplayStoreError`; the pushes are then shown as if they were new.
  public func markSeen(_ messages: [MessageID]) throws(ReplayStoreError) {
    for message in messages.flatMap(local.ids) { try shared.replay.markSeen(message, at: shared.clock.now) }
  }

  // MARK: Signing out

  /// Signs a person out on this phone at once, and then tells the backend, or does so at the next launch.
  ///
  /// When the last person leaves, the keys are destroyed: nothing opens any more. While others stay, messages for the person who
  /// has left do not open. Without a person, all leave. Delivered notifications are removed.
  @discardableResult
  public func signOut(_ person: String? = nil) async -> RegistrationState {
    let known = (try? local.load())?.accounts.map(\.person) ?? []
    let all = (persons ?? []) + known.filter { persons?.contains($0) != true }
    let staying = all.filter { person != nil && $0 != person }
    persons = staying
    // What it interrupts goes on for those who stay.
    let (standing, isInterrupting) = (state.standing, running != nil)
    return await inTurn { [self] turn throws(RegistrationFailure) in
      if staying.isEmpty { try await depart() } else { try await takeAway(except: staying) }
      try await tellSignOuts(turn)
      if staying.isEmpty { return .nobody }
      return isInterrupting ? try await enrol(staying, turn) : standing
    }
  }

  private func depart() async throws(RegistrationFailure) {
    let result = Result { () throws(RegistrationFailure) in try local.depart() }
    await removeNotifications()
    try result.get()
  }

  private func takeAway(except persons: Set<String>) async throws(RegistrationFailure) {
    let result = Result { () throws(RegistrationFailure) in try local.takeAway(except: persons) }
    if case .success(false) = result { return }
    await removeNotifications()
    _ = try result.get()
  }

  private func takeAway(except persons: [String]) async throws(RegistrationFailure) {
    try await takeAway(except: Set(persons))
  }

  /// Tells the backend who has left, as far as it can be reached.
  private func tellSignOuts(_ turn: Int) async throws(RegistrationFailure) {
    for leaving in try local.load().leavings {
      guard let isTold = await tell(leaving) else { break }
      try check(turn)
      if isTold { try local.change { memory in memory.leavings.removeAll { $0 == leaving } } }
    }
    for person in try local.load().departed {
      let memory = try local.load()
      guard let registration = memory.registration, memory.departed.contains(person) else { continue }
      do throws(RegistrationFailure) {
        try await client.signOut(of: registration, as: person)
      } catch {
        guard error == .notFound else { continue }
      }
      try check(turn)
      try local.change { memory in memory.departed.removeAll { $0 == person } }
    }
    try check(turn)
  }

  /// Tells the backend that the phone has left; false if it does not take it, nil if it cannot be reached.
  private func tell(_ leaving: RegistrationMemory.Leaving) async -> Bool? {
    do throws(RegistrationFailure) {
      return try await client.send(leave: leaving.leave)
    } catch .notFound, .loginNeeded {
      // A service that takes no leaves takes sign-outs, as long as the sessions last.
      return await signOut(leaving.persons, of: leaving.registration)
    } catch .unreachable {
      return nil
    } catch {
      return false
    }
  }

  /// Has the backend remove persons from a registration; false if a session has ended.
  private func signOut(_ persons: [String], of registration: String?) async -> Bool {
    guard let registration else { return true }
    var isDone = true
    for person in persons {
      do throws(RegistrationFailure) {
        try await client.signOut(of: registration, as: person)
      } catch {
        isDone = isDone && error == .notFound
      }
    }
    return isDone
  }

  // MARK: Turns

  /// Does the work of a call, notes how it went, and returns the state.
  ///
  /// Calls work one after the other; a login or a sign-out does not wait for `predecessor`, and ends its turn.
  private func inTurn(
    after predecessor: Task<RegistrationState, Never>? = nil,
    _ work: @escaping (Int) async throws(RegistrationFailure) -> RegistrationState.Standing
  ) async -> RegistrationState {
    if predecessor != nil {
      while let running { _ = await running.value }
    }
    turn += 1
    let turn = turn
    let task = Task {
      let standing: RegistrationState.Standing
      do throws(RegistrationFailure) {
        try check(turn)
        standing = try await work(turn)
      } catch {
        standing = .failed(error)
      }
      return end(turn, with: standing)
    }
    running = task
    return await task.value
  }

  private func end(_ turn: Int, with standing: RegistrationState.Standing) -> RegistrationState {
    var state = state
    state.standing = standing
    state.untoldSignOuts = (try? local.load().untoldSignOuts) ?? 0
    // A later call says how things are.
    if turn == self.turn { (self.state, running) = (state, nil) }
    return state
  }

  /// Throws if a later call has begun: it may have signed the person out.
  func check(_ turn: Int) throws(RegistrationFailure) {
    if turn != self.turn { throw .superseded }
  }
}
