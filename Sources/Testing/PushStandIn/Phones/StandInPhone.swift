internal import PushSimulation
public import PushCore
internal import PushEnrolment
public import PushKeys
internal import PushReceiver
public import PushHost
internal import UserNotifications
private import Synchronization

/// A phone with one app, to which the stand-in for APNs delivers.
///
/// It runs the app's real notification service extension, and keeps what the person sees:
///
///     let shown = try await phone.shown
///     #expect(shown.body == "Lunch at noon?")
///
/// It can be switched off, locked, and left with little power, and the app can be deleted.
public final class StandInPhone: Sendable {
  private struct State {
    var token: DeviceToken
    /// The tokens of the other kinds, each made when it is first asked for.
    var others: [TokenKind: DeviceToken] = [:]
    /// Where the token is registered; weak, because the registry holds its phones.
    weak var tokens: TokenRegistry?
    var queue: StoreAndForward
    var screen: [ShownNotification] = []
    /// The number of pushes that the extension works on.
    var working = 0
  }

  /// The most pushes that the extension works on at once; more are discarded.
  static let maximumWorking = 1000

  /// The most notifications on the screen; a new one then replaces the oldest.
  public static let screenSize = UNUserNotificationCenter.maximumDelivered

  /// The phone's name, in the log and on the page.
  public let name: String

  /// The app.
  public let topic: Topic

  /// The environment that the app's tokens are for.
  public let environment: APNsEnvironment

  /// The phone as the extension sees it, for `ExtensionHost.center` and the person's reactions.
  public let host: ExtensionHost

  /// The app's keys; nil if the phone cannot change them, or does not know them.
  let keys: (any EnrolmentStore)?
  /// What opens the pushes; nil if the app has its own extension.
  let receiver: Receiver?
  let clock: ManualClock
  private let lock: PhoneLock
  private let log: PushLog
  private let shownQueue = UnreadQueue<ShownNotification>()
  private let wakings = UnreadQueue<[UInt8]>()
  private let state: Mutex<State>

  init(
    name: String, address: DeviceAddress, keys: (any EnrolmentStore)?, receiver: Receiver?,
    host: ExtensionHost, lock: PhoneLock, clock: ManualClock, tokens: TokenRegistry, log: PushLog,
    settings: APNsSettings
  ) {
    self.name = name
    topic = address.topic
    environment = address.environment
    self.keys = keys
    self.receiver = receiver
    self.host = host
    self.lock = lock
    self.clock = clock
    self.log = log
    let queue = StoreAndForward(backgroundPushesInAnHour: settings.backgroundPushesInAnHour)
    state = Mutex(State(token: address.token, tokens: tokens, queue: queue))
    tokens.register(address.token, of: .app, for: self)
  }

  /// The app's device token, which ``rotateToken()`` replaces.
  public var token: DeviceToken { state.withLock(\.token) }

  /// The token to which pushes of a type with tokens of its own go, such as `voip`; it is made when it is first asked for.
  public func token(of kind: TokenKind) -> DeviceToken {
    state.withLock { state in
      if kind == .app { return state.token }
      if let token = state.others[kind] { return token }
      let token = DeviceToken.random()
      state.others[kind] = token
      state.tokens?.register(token, of: kind, for: self)
      if let end = state.tokens?[state.token]?.end {
        state.tokens?.end(token, with: end.refusal, at: end.since)
      }
      return token
    }
  }

  /// The tokens of all kinds.
  package var allTokens: [TokenKind: DeviceToken] {
    Dictionary(uniqueKeysWithValues: TokenKind.allCases.map { ($0, token(of: $0)) })
  }

  /// Gives the phone tokens that it has had before, of kinds for which it has none yet.
  package func restore(_ tokens: [TokenKind: DeviceToken]) {
    let (new, registry) = state.withLock { state in
      let new = tokens.filter { $0.key != .app && state.others[$0.key] == nil }
      state.others.merge(new) { old, _ in old }
      return (new, state.tokens)
    }
    for (kind, token) in new { registry?.register(token, of: kind, for: self) }
  }

  /// The address to push to.
  public var address: DeviceAddress {
    DeviceAddress(topic: topic, environment: environment, token: token)
  }

  /// The public keys of the app; nil if it has none yet, or if its keys are not in an `EnrolmentStore` of the phone's.
  public var publicKeys: PublicKeySet? {
    try? keys?.update(orMake: nil, at: clock.now) { (keys) throws(KeySetError) in try keys.device.publicKeys }
  }

  /// The next notification that the person sees; reading it waits for one that was not read here before.
  ///
  /// That may be the placeholder of a push that the extension did not open: `ShownNotification.degraded` says why. At
  /// most 1000 unread ones are kept, the newest.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before there is one.
  public var shown: ShownNotification {
    get async throws { try await shownQueue.next() }
  }

  /// The payload of the next push that is not a notification; reading it waits for one that was not read here before.
  ///
  /// This is how the app gets a background push; its receiver opens it by `EnvelopeField(data:envelopeKey:)`. At most
  /// 1000 unread ones are kept, the newest.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before there is one.
  public var backgroundPush: [UInt8] {
    get async throws { try await wakings.next() }
  }

  /// The notifications on the screen, oldest first; a later one with the same collapse ID replaces the earlier one.
  ///
  /// What the app or its extension has removed is no longer there.
  public var screen: [ShownNotification] {
    let identifiers = host.deliveredIdentifiers
    return state.withLock(\.screen).filter { identifiers.contains($0.identifier) }
  }

  /// Whether the phone is on.
  public var isOn: Bool { state.withLock(\.queue.isOn) }

  /// Whether the phone was not unlocked since it started, so the extension cannot read its keys.
  public var isLocked: Bool { lock.isLocked }

  /// The state of the phone's battery.
  public var power: PhonePower {
    get { state.withLock(\.queue.power) }
    set { change { $0.queue.power = newValue } }
  }

  /// Switches the phone off: APNs then keeps only the last push.
  public func switchOff() { change { $0.queue.isOn = false } }

  /// Switches the phone on: it gets the pushes that APNs has kept.
  public func switchOn() { change { $0.queue.isOn = true } }

  /// Locks the phone as after a restart.
  public func restart() { lock.restart() }

  /// Unlocks the phone.
  public func unlock() { lock.unlock() }

  /// Delivers the next `count` pushes twice, as APNs does now and then.
  public func repeatNext(_ count: Int) { change { $0.queue.repeated = count } }

  /// Gives the app another token, and returns it: pushes to the old one are refused with `ExpiredToken`.
  @discardableResult
  public func rotateToken() -> DeviceToken {
    let new = DeviceToken.random()
    let (old, tokens, decisions) = state.withLock { state in
      defer { state.token = new }
      return (state.token, state.tokens, logged(state.queue.forget()))
    }
    tokens?.end(old, with: .expiredToken, at: clock.now)
    tokens?.register(new, of: .app, for: self)
    carryOut(decisions)
    return new
  }

  /// Deletes the app: pushes to its tokens are refused with `Unregistered`.
  public func deleteApp() {
    let (ended, tokens, decisions) = state.withLock { state in
      state.screen = []
      return ([state.token] + state.others.values, state.tokens, logged(state.queue.forget()))
    }
    for token in ended { tokens?.end(token, with: .unregistered, at: clock.now) }
    carryOut(decisions)
  }

  /// Takes a push that APNs has accepted.
  func take(_ push: AcceptedPush) {
    carryOut(state.withLock { logged($0.queue.take(push, at: clock.now)) })
  }

  /// Carries out what is due after the clock was moved.
  func clockMoved() {
    host.expireHandlers()
    change { _ in }
  }

  private func change(_ change: (inout State) -> Void) {
    let decisions = state.withLock { state in
      change(&state)
      return logged(state.queue.lookAgain(at: clock.now))
    }
    carryOut(decisions)
  }

  /// Logs which pushes wait and which are discarded, before any later decision.
  private func logged(_ decisions: [StoreAndForward.Decision]) -> [StoreAndForward.Decision] {
    for decision in decisions {
      switch decision.fate {
      case .wait(let reason): log.update(decision.push.row) { $0.fate = .waiting(reason) }
      case .discard(let reason): log.update(decision.push.row) { $0.fate = .discarded(reason) }
      case .deliver: break
      }
    }
    return decisions
  }

  private func carryOut(_ decisions: [StoreAndForward.Decision]) {
    for decision in decisions where decision.fate == .deliver { deliver(decision.push) }
  }

  /// Passes a push to the extension, if it is a notification; another task waits for the result.
  private func deliver(_ push: AcceptedPush) {
    guard push.kind != .alert || beginsWork() else {
      return log.update(push.row) { $0.fate = .discarded(.tooMany) }
    }
    guard push.kind == .alert, let hosted = try? host.push(push.payload, identifier: push.identifier) else {
      if push.kind == .alert { endWork() }
      log.update(push.row) { ($0.fate, $0.deliveries) = (.handedToApp, $0.deliveries + 1) }
      return wakings.add(push.payload)
    }
    log.update(push.row) { ($0.fate, $0.deliveries) = (.delivered, $0.deliveries + 1) }
    Task {
      defer { endWork() }
      let shown = try await hosted.shown(admitsPlaceholder: true)
      show(shown, of: push)
    }
  }

  private func beginsWork() -> Bool {
    state.withLock { state in
      guard state.working < Self.maximumWorking else { return false }
      state.working += 1
      return true
    }
  }

  private func endWork() { state.withLock { $0.working -= 1 } }

  private func show(_ shown: ShownNotification, of push: AcceptedPush) {
    state.withLock { state in
      state.screen.removeAll { $0.identifier == shown.identifier }
      if shown.isVisible { state.screen.append(shown) }
      if state.screen.count > Self.screenSize { state.screen.removeFirst() }
    }
    log.update(push.row) { ($0.fate, $0.seen) = (.shown, LoggedPush.Seen(shown)) }
    shownQueue.add(shown)
  }
}
