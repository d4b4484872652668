import Foundation
import PushEnrolment
import SealedPush
import UserNotifications

/// This phone, as the backend knows it: its keys, its token and its Live Activities.
actor Device {
  let backend: Backend
  private let shared: Shared
  private let keys: KeychainEnrolmentStore
  private let signedIn: SignedInFile
  /// What iOS answered in this launch.
  private var token: Result<DeviceToken, any Error>?
  private var waiting: [CheckedContinuation<DeviceToken, any Error>] = []
  private var state = PushState() {
    didSet { watcher?.yield(state) }
  }
  private var watcher: AsyncStream<PushState>.Continuation?

  /// Throws if `Info.plist` does not name the group of the identity, which is the app's alone.
  init(_ shared: Shared, _ backend: Backend) throws {
    self.shared = shared
    self.backend = backend
    keys = KeychainEnrolmentStore(
      service: shared.topic.text, accessGroup: shared.keychainGroup,
      identityGroup: try Shared.setting("IdentityGroup"))
    signedIn = SignedInFile(path: shared.folder.path(of: "signed-in.json"))
  }

  /// Whether pushes reach this phone, now and whenever that changes; ends when it is called again.
  func states() -> AsyncStream<PushState> {
    let (stream, watcher) = AsyncStream.makeStream(of: PushState.self, bufferingPolicy: .bufferingNewest(1))
    self.watcher?.finish()
    self.watcher = watcher
    watcher.yield(state)
    return stream
  }

  /// Does what pushes depend on, and shows it if that fails; returns nil then.
  @discardableResult
  func attempt<Result: Sendable>(_ work: @Sendable (Device) async throws -> Result) async -> Result? {
    do {
      return try await work(self)
    } catch {
      state.enrolment = .failed("\(error)")
      return nil
    }
  }

  /// Remembers the token that iOS gave in this launch, or that it gave none, and goes on with what waits for it.
  func know(_ answer: Result<DeviceToken, any Error>) {
    token = answer
    for continuation in waiting { continuation.resume(with: answer) }
    waiting = []
  }

  /// The token, which comes later than a push that starts the app; throws if iOS gave none.
  private func currentToken() async throws -> DeviceToken {
    if let token { return try token.get() }
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  // MARK: Enrolling

  /// Enrols at each launch, and whenever the backend asks, if somebody is signed in.
  ///
  /// If the backend has no such registration, or knows it with keys that this phone does not have, it starts anew, with a
  /// challenge of the session.
  func enrol() async throws {
    guard let phone = try signedIn.load() else { return state.enrolment = .none }
    do {
      try await enrol(as: phone.registration, challenge: nil)
    } catch Backend.Failure.notFound, Backend.Failure.refused(reason: "not-registered") {
      try await start(phone.person, registration: nil)
    } catch Backend.Failure.refused(reason: "other-identity") {
      // Keys do not come with a backup, but the session and the registration's name do.
      try await start(phone.person, registration: phone.registration)
    }
  }

  /// Enrols with a challenge: for a new registration, or for the one that the phone has.
  private func start(_ person: String, registration: String?) async throws {
    let issued = try await backend.challenge(for: shared.topic, registration: registration)
    // If the enrolment fails now, the next launch finds no such registration, and starts anew.
    try signedIn.save(SignedIn(person: person, registration: issued.registration))
    try await enrol(as: issued.registration, challenge: Challenge(issued.challenge))
  }

  /// Fetches the senders' keys, replaces old keys of the device's, and enrols.
  private func enrol(as registration: String, challenge: Challenge?) async throws {
    let token = try await currentToken()
    do {
      _ = try shared.senders.accept(try await backend.senders(for: shared.topic))
      state.senders = nil
    } catch {
      // It is no reason not to enrol.
      state.senders = "\(error)"
    }
    _ = try keys.rotate(ifOlderThan: .seconds(30 * 86_400))
    let enrolment = try keys.enrol(
      address: address(token), for: shared.audience, challenge: challenge, report: shared.report)
    try await send(enrolment, as: registration)
  }

  /// Sends an enrolment.
  ///
  /// The old keys end a month after the backend uses the new ones, not while those are to be proven.
  private func send(_ enrolment: Enrolment, as registration: String) async throws {
    let isUsed = try await backend.send(enrolment, as: registration)
    state.enrolment = isUsed ? .registered : .pending
    if isUsed { try keys.confirm(enrolment) }
  }

  private func address(_ token: DeviceToken) -> DeviceAddress {
    DeviceAddress(topic: shared.topic, environment: .ofThisApp, token: token)
  }

  /// Proves to the backend that this phone has a key and a token that are new to it, which it asks for once a month.
  private func prove(_ asked: OpenedProofRequest) async throws {
    guard let phone = try signedIn.load() else { return }
    let address = address(try await currentToken())
    let answer = try keys.answer(
      asked.request, openedBy: asked.opened.recipient, address: address, for: shared.audience,
      report: shared.report)
    switch answer {
    case .success(let enrolment)?: try await send(enrolment, as: phone.registration)
    // Somebody else has enrolled this phone's key or token, or the keys have changed since: nothing to answer.
    case .failure?, nil: break
    }
  }

  // MARK: Persons

  /// Signs in, and enrols with a challenge of the new session.
  func signIn() async throws {
    let center = UNUserNotificationCenter.current()
    _ = try await center.requestAuthorization(options: [.alert, .sound, .badge])
    let person = try await backend.signIn()
    let before = try signedIn.load()
    // Before anything is enrolled: from here on, nothing that was sealed for somebody else can be read on this phone. Keys
    // may also be left from an earlier installation.
    if before?.person != person {
      try keys.remove()
      try signedIn.remove()
    }
    do {
      try await start(person, registration: before?.person == person ? before?.registration : nil)
    } catch Backend.Failure.notFound {
      try await start(person, registration: nil)
    }
  }

  /// Signs out: the backend seals nothing more to this phone, and the keys are destroyed.
  func signOut() async throws {
    if let phone = try signedIn.load() {
      do {
        try await backend.signOut(of: phone.registration)
      } catch Backend.Failure.notFound, Backend.Failure.signedOut {
        // It is removed already; or the session has ended, and what the backend still seals does not open here.
      }
    }
    try keys.remove()
    try signedIn.remove()
    state = PushState()
    try await backend.endSession()
  }

  /// Shows what came before the phone was first unlocked, in place of the placeholders: a push's identifier is its message's.
  ///
  /// What never opens has its placeholder already.
  func showKept() async throws {
    try await shared.kept.openAll(with: shared.receiver) { reception in
      guard case .opened(let opened) = reception.outcome else { return }
      let content = UNMutableNotificationContent(reception.content)
      let identifier = opened.claims.messageID.text
      let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
      try await UNUserNotificationCenter.current().add(request)
    }
  }
}

// MARK: - Background pushes

extension Device {
  /// What the backend can ask of the app in a background push.
  ///
  /// Another request is a case here, and a line each of `request(in:)` and `answer(_:)`.
  private enum Request: Sendable {
    /// To enrol, for example because the backend has lost registrations.
    case enrol
    /// To prove a new key or token.
    case prove(OpenedProofRequest)
  }

  /// The request in a background push; nil if there is none that the app knows, or if it has come before.
  ///
  /// Only what a trusted sender signed is a request. Throws a `DegradeReason` for a push that does not open.
  private func request(in envelope: EnvelopeField) throws -> Request? {
    do throws(DegradeReason) {
      let asked = try shared.receiver.openProofRequest(envelope)
      return asked.opened.isDuplicate ? nil : .prove(asked)
    } catch .malformedContent {
      // It is no proof request.
    }
    let message = try shared.receiver.openData(envelope, as: .background)
    guard !message.opened.isDuplicate else { return nil }
    switch message.payload["request"]?.string {
    case "enrol": return .enrol
    default: return nil
    }
  }

  /// Does what the backend asks for in a background push, within the 30 seconds that iOS gives; false if that is nothing new.
  func answer(_ envelope: EnvelopeField) async throws -> Bool {
    switch try request(in: envelope) {
    case .enrol?: try await enrol()
    case .prove(let asked)?: try await prove(asked)
    case nil: return false
    }
    return true
  }

  /// The envelope of a background push, which is opened on this actor: keys and files are not for the main thread.
  nonisolated func envelope(in userInfo: [AnyHashable: Any]) -> EnvelopeField {
    shared.receiver.envelope(in: userInfo)
  }
}
