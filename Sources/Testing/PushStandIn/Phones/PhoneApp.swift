package import PushCore
package import PushEnrolment
package import PushKeys
internal import PushHost
internal import PushReceiver
internal import PushSimulation
internal import SealedPush
private import Synchronization
internal import UserNotifications

/// The app on a phone of the stand-in: it registers the phone at an enrolment service, and keeps it registered through what a
/// person does with a phone.
///
/// Its keychain is in memory, and its files are in a temporary folder, which ``end()`` removes. While the phone is switched off,
/// the service cannot be reached either.
package actor PhoneApp {
  /// What an app is built with.
  package struct Build: Sendable {
    let audience: Audience
    let roots: PublicKeySet
    let backend: any AppBackend
    let wantsReceipts: Bool

    /// Takes the backend's name, the roots that the app pins, its backend, and whether it reports which messages were shown.
    package init(
      audience: Audience, roots: PublicKeySet, backend: some AppBackend, wantsReceipts: Bool = false
    ) {
      (self.audience, self.roots, self.backend) = (audience, roots, backend)
      self.wantsReceipts = wantsReceipts
    }

    /// What the app shares with its extension.
    fileprivate func shared(
      by topic: Topic, in files: AppFiles, keys: any DeviceKeyStore, clock: ManualClock
    ) -> SharedPush {
      var shared = SharedPush(
        topic: topic, audience: audience, folder: files.group, keys: keys, roots: roots)
      shared.clock = clock
      shared.wantsReceipts = wantsReceipts
      return shared
    }
  }

  /// What a person does with the app or the phone.
  package enum Action: Sendable {
    /// Logs in; the persons who are there stay if this one is joining.
    case logIn(String, joining: Bool)
    /// Signs out: a person, or everybody.
    case signOut(String?)
    /// Closes the app, and opens it again.
    case restart
    /// Deletes the app, and installs it again: its files and sessions are gone, its keychain is not.
    case reinstall
    /// Takes a backup, and puts it on a new phone with this name: files and sessions are there, the keychain is not.
    case restore(onto: String)
  }

  /// The phone.
  package nonisolated let phone: StandInPhone

  private let build: Build
  private unowned let model: APNsModel
  private let keychain: InMemoryKeyStore
  private let sessions: AppSessions
  private let files: AppFiles
  private nonisolated let status = Mutex("not asked yet")
  private let actions: (stream: AsyncStream<Action>, begin: AsyncStream<Action>.Continuation)
  private var registration: PushRegistration?
  private var receiver: Receiver?
  private var tasks: [Task<Void, Never>] = []

  /// Adds a phone with an app to the model; `backup` is what the app had on another phone.
  fileprivate init(
    on model: APNsModel, named name: String, at address: DeviceAddress, build: Build,
    restoring backup: (files: AppFiles, sessions: [AppSession])? = nil
  ) throws {
    let (keychain, files) = (InMemoryKeyStore(), try AppFiles(restoring: backup?.files))
    let phone = model.phone(name: name, address: address) { clock, lock in
      let shared = build.shared(by: address.topic, in: files, keys: lock.protect(keychain), clock: clock)
      var receiver = shared.receiver
      receiver.observers = shared.observers
      return StandInService(receiver)
    }
    (self.phone, self.build, self.model, self.keychain, self.files) = (phone, build, model, keychain, files)
    sessions = AppSessions(at: build.backend, backup?.sessions ?? []) { phone.isOn }
    let (stream, begin) = AsyncStream.makeStream(of: Action.self)
    actions = (stream, begin)
  }

  /// What the app knows of its registration, and of whom it has sessions, for the page.
  nonisolated var json: JSONObject {
    ["state": .string(status.withLock { $0 }), "persons": .array(sessions.all.map { .string($0.person) })]
  }

  /// Has the person do something, after what the person has done before.
  package nonisolated func act(_ action: Action) { actions.begin.yield(action) }

  /// Opens the app for the first time, and does from then on what a person and the backend want.
  fileprivate func begin() async {
    await open()
    tasks = [
      Task { for await action in actions.stream { await carryOut(action) } },
      Task { while let push = try? await phone.backgroundPush { await receive(push) } },
    ]
  }

  /// Ends the app, and removes its files.
  package func end() {
    actions.begin.finish()
    for task in tasks { task.cancel() }
    files.remove()
  }

  private func carryOut(_ action: Action) async {
    // What the page shows until the app knows more.
    if case .restore = action {} else { status.withLock { $0 = "at work" } }
    switch action {
    case .logIn(let person, let isJoining):
      sessions.logIn(person, joining: isJoining, at: phone.clock.now)
      note(await registration?.register(login: person, joining: isJoining))
    case .signOut(let person):
      note(await registration?.signOut(person))
      sessions.forget(person)
    case .restart: await open()
    case .reinstall:
      phone.deleteApp()
      sessions.forget(nil)
      files.empty()
      phone.rotateToken()
      await open()
    case .restore(let name):
      let address = DeviceAddress(topic: phone.topic, environment: phone.environment, token: .random())
      do {
        _ = try await model.app(
          named: name, at: address, build: build, restoring: (files: files, sessions: sessions.all))
      } catch {
        status.withLock { $0 = "the backup was not restored: \(error)" }
      }
    }
  }

  /// Starts the app: a process knows nothing but what is in the keychain and in the files.
  private func open() async {
    let shared = build.shared(by: phone.topic, in: files, keys: keychain, clock: phone.clock)
    receiver = shared.receiver
    let registration = PushRegistration(
      of: shared, in: phone.environment, keys: keychain, service: sessions, path: files.registration,
      removeNotifications: { [phone] in phone.host.center.removeAllDeliveredNotifications() })
    self.registration = registration
    await registration.know(token: phone.token)
    note(await registration.launch(as: sessions.all.map(\.person)))
    // What fails is reported when the app is opened again.
    _ = try? await registration.sendReceipt()
    await handTokensIn()
  }

  /// Hands in the phone's tokens for calls, complications and push-to-talk, once it is registered.
  private func handTokensIn() async {
    guard let registration, case .registered = await registration.state.standing else { return }
    // What fails is handed in when the app is opened again.
    try? await registration.handIn(tokens: [
      .voip: phone.token(of: .voip), .complication: phone.token(of: .complication),
      .pushToTalk: phone.token(of: .pushToTalk),
    ])
  }

  private func receive(_ payload: [UInt8]) async {
    guard let registration, let receiver, let object = try? JSONObject(parsing: payload.span) else { return }
    let received = await registration.receive(EnvelopeField(data: object))
    note(await registration.state)
    if case .request = received { await handTokensIn() }
    if case .message(let message) = received {
      await phone.host.center.carryOut(message.opened, for: receiver)
    }
  }

  private func note(_ state: RegistrationState?) {
    guard let state else { return }
    status.withLock { $0 = state.description }
  }
}

extension APNsModel {
  /// Adds a phone with an app, which is opened for the first time.
  ///
  /// - Throws: `CocoaError` if the app's folder cannot be made.
  package func app(
    named name: String, at address: DeviceAddress, build: PhoneApp.Build
  ) async throws -> PhoneApp { try await app(named: name, at: address, build: build, restoring: nil) }

  /// Adds a phone with an app; `backup` is what the app had on another phone.
  fileprivate func app(
    named name: String, at address: DeviceAddress, build: PhoneApp.Build,
    restoring backup: (files: AppFiles, sessions: [AppSession])?
  ) async throws -> PhoneApp {
    let app = try PhoneApp(on: self, named: name, at: address, build: build, restoring: backup)
    add(app)
    await app.begin()
    return app
  }
}
