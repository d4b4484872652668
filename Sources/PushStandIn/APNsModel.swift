public import PushEnvelope
public import PushKeys
internal import PushExtension
internal import PushPayload
public import PushReceiver
public import PushTesting
private import Synchronization
public import UserNotifications

/// APNs without a network: checks requests, keeps pushes, and delivers them to phones.
///
/// It has phones, and a script of faults. Nothing waits for real time: the clock is moved by ``advance(by:)``.
/// `RequestCheck` has what it checks, and `StoreAndForward` what it does with a push.
public final class APNsModel: Sendable {
  /// A provider's connection, whose first push fixes the team and the key.
  public final class Connection: Sendable {
    fileprivate struct State {
      var key: ConnectionKey?
      /// The last header with a provider token, and what it says: most requests have the same.
      var last: (header: String, token: BearerToken?)?
    }

    fileprivate let state = Mutex(State())

    /// Opens a connection.
    public init() {}

    /// Whether a valid provider token was seen on it: before that, APNs allows one stream at a time.
    public var isTrusted: Bool { state.withLock { $0.key != nil } }
  }

  /// What becomes of a request: an answer, unless the connection fails first.
  public struct Handling: Sendable {
    /// What is answered; nil if the request is not processed.
    public let answer: APNsAnswer?
    /// What goes wrong with the connection, in order.
    public let faults: [TransportFault]
  }

  private struct State {
    var providerTokens = ProviderTokens()
    var accepted = AcceptedIDs()
    var faults = FaultScript()
    var phoneCount = 0
  }

  /// What it knows, and how it behaves.
  public let settings: APNsSettings

  /// Its time, which the phones share.
  public let clock: ManualClock

  private let log: PushLog
  private let tokens = TokenRegistry()
  private let state = Mutex(State())

  /// Makes an APNs without phones.
  public init(_ settings: APNsSettings = APNsSettings(), clock: ManualClock = ManualClock(.now)) {
    self.settings = settings
    self.clock = clock
    log = PushLog(capacity: settings.loggedPushes)
  }

  /// The phones, by name.
  public var phones: [StandInPhone] { tokens.phones }

  /// The phone with a name.
  public func phone(named name: String) -> StandInPhone? { phones.first { $0.name == name } }

  /// The faults that are to come.
  public var faults: FaultScript { state.withLock(\.faults) }

  /// Has a fault happen to requests that are to come; `token` restricts it to one device's.
  ///
  /// Counts below 1 add nothing.
  public func inject(_ fault: Fault, to occasion: FaultScript.Occasion, of token: DeviceToken? = nil) {
    state.withLock { $0.faults.add(fault, to: occasion, of: token) }
  }

  /// Lets no more faults happen.
  public func clearFaults() { state.withLock { $0.faults.clear() } }

  /// The IDs of the accepted pushes.
  public var accepted: AcceptedIDs { state.withLock(\.accepted) }

  /// How many requests came.
  public var requestCount: Int { log.count }

  /// The last pushes, the oldest first.
  public var pushes: [LoggedPush] { log.pushes }

  /// A push by its number; nil if it is not kept.
  public func push(_ number: Int) -> LoggedPush? { log[number] }

  /// Each push that comes from now on, and again each time it changes.
  ///
  /// A reader who is slower than the pushes misses the oldest.
  public func updates() -> AsyncStream<LoggedPush> { log.updates() }

  /// Moves the clock: what waits for a time is delivered or discarded, and extensions run out of theirs.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    for phone in tokens.allPhones { phone.clockMoved() }
  }

  /// Lets the clock follow the system's, until the task is cancelled.
  public func followSystemClock() async {
    var last = ContinuousClock.now
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      let now = ContinuousClock.now
      advance(by: last.duration(to: now))
      last = now
    }
  }

  /// Checks a request, takes its push, and answers; with the faults that are due.
  public func handle(_ request: APNsRequest, on connection: Connection) async -> Handling {
    let faults = state.withLock { $0.faults.next(for: request.path) }
    let transport = faults.compactMap { if case .transport(let fault) = $0 { fault } else { nil } }
    let id = RequestID(request)
    if let fault = transport.first(where: { !$0.isProcessed }) {
      log(request, id, .failed(fault))
      return Handling(answer: nil, faults: transport)
    }
    let answer = answer(request, id, on: connection, faults)
    for case .latency(let duration) in faults { try? await clock.sleep(for: duration) }
    return Handling(answer: answer, faults: transport)
  }

  private func answer(
    _ request: APNsRequest, _ id: RequestID, on connection: Connection, _ faults: [Fault]
  ) -> APNsAnswer {
    for case .refusal(let refusal, let retryAfter) in faults {
      log(request, id, .refused(refusal))
      return answer(refusing: refusal, id, retryAfter: retryAfter)
    }
    let (examination, refusal) = examine(request, on: connection)
    if let refusal {
      log(request, id, .refused(refusal))
      return answer(
        refusing: refusal, id, timestamp: refusal.status == 410 ? examination.here?.end?.since : nil)
    }
    accept(examination, id)
    return answer(accepting: id)
  }

  private func accept(_ examination: Examination, _ id: RequestID) {
    state.withLock { $0.accepted.note(id.value) }
    guard let kind = examination.kind, let phone = examination.here?.phone else {
      log(examination.request, id, .discarded(.noPhone))
      return
    }
    let row = log(examination.request, id, .delivered)
    phone.take(AcceptedPush(examination.request, kind: kind, row: row, at: examination.now))
  }

  /// Checks a request, and remembers a provider token that is good.
  private func examine(_ request: APNsRequest, on connection: Connection) -> (Examination, Refusal?) {
    connection.state.withLock { connection in
      let bearer = connection.token(of: request)
      return state.withLock { state in
        let examination = Examination(
          request, bearer, settings: settings, tokens: tokens, connectionKey: connection.key,
          providerTokens: state.providerTokens, at: clock.now)
        if let refusal = examination.firstRefusal(by: RequestCheck.ofSender) { return (examination, refusal) }
        if let bearer = examination.bearer {
          connection.key = connection.key ?? ConnectionKey(bearer)
          state.providerTokens.note(bearer, at: clock.now)
        }
        return (examination, examination.firstRefusal(by: RequestCheck.ofPush))
      }
    }
  }

  @discardableResult
  private func log(_ request: APNsRequest, _ id: RequestID, _ fate: LoggedPush.Fate) -> Int {
    let text = request.path.dropFirst(APNsRequest.devicePath.count)
    let phone = (try? DeviceToken(String(text))).flatMap { tokens[$0]?.phone.name }
    return log.add(request, id.value, phone: phone, fate: fate, at: clock.now)
  }
}

extension APNsModel.Connection.State {
  /// The provider token of a request; nil for none.
  fileprivate mutating func token(of request: APNsRequest) -> BearerToken? {
    guard let header = request["authorization"] else { return nil }
    if let last, last.header == header { return last.token }
    let token = BearerToken(of: request)
    last = (header, token)
    return token
  }
}

/// The ID of a request: its own, as it is written there, or a new one.
private struct RequestID {
  let value: MessageID
  let text: String

  init(_ request: APNsRequest) {
    if let text = request["apns-id"], let value = try? MessageID(text) {
      (self.value, self.text) = (value, text)
    } else {
      value = .random()
      text = value.text.uppercased()
    }
  }
}

/// Answers, as Apple's pages have them.
extension APNsModel {
  private func answer(accepting id: RequestID) -> APNsAnswer {
    var headers = [APNsRequest.Header("apns-id", id.text)]
    if settings.environment == .sandbox {
      headers.append(.init("apns-unique-id", MessageID.random().text.uppercased()))
    }
    return APNsAnswer(status: 200, headers: headers, body: [])
  }

  private func answer(
    refusing refusal: Refusal, _ id: RequestID, timestamp: UnixTime? = nil, retryAfter: Int? = nil
  ) -> APNsAnswer {
    var headers = [APNsRequest.Header("apns-id", id.text), .init("content-type", "application/json")]
    if let retryAfter { headers.append(.init("retry-after", String(retryAfter))) }
    var body: JSONObject = ["reason": .string(refusal.reason)]
    body["timestamp"] = timestamp.map { .number(JSONNumber($0.seconds * 1000)) }
    return APNsAnswer(status: refusal.status, headers: headers, body: body.encoded())
  }
}

/// Phones.
extension APNsModel {
  /// Adds a phone that makes its keys, and trusts these senders: seal to ``StandInPhone/publicKeys``.
  public func phone(
    _ name: String? = nil, topic: Topic, senders: any SenderKeyStore, suite: Suite = .x25519ChaChaPoly
  ) -> StandInPhone {
    let keys = KeySet(generating: .device, suite: suite, at: clock.now)
    let address = DeviceAddress(topic: topic, environment: settings.environment, token: .random())
    let phone = self.phone(name, at: address, keys: keys, senders: senders)
    phone.made(keys)
    return phone
  }

  /// Adds a phone that runs the app's extension.
  ///
  /// `makeExtension` gets the stand-in's clock, which the extension's receiver must share, and the phone's lock, which
  /// protects keys until the phone is unlocked.
  public func phone(
    _ name: String? = nil, at address: DeviceAddress, settings phone: Phone = Phone(),
    running makeExtension: @escaping @Sendable (ManualClock, PhoneLock) -> UNNotificationServiceExtension
  ) -> StandInPhone {
    let number = state.withLock { state in
      state.phoneCount += 1
      return state.phoneCount
    }
    let lock = PhoneLock(isLocked: false)
    let host = ExtensionHost(clock: clock, phone: phone) { [clock] in makeExtension(clock, lock) }
    return StandInPhone(
      name ?? "phone \(number)", at: address, host: host, lock: lock, clock: clock, tokens: tokens, log: log,
      settings: settings)
  }

  /// Adds a phone that opens what these senders seal to these keys, with the package's own extension.
  public func phone(
    _ name: String? = nil, at address: DeviceAddress, keys: any DeviceKeyStore,
    senders: any SenderKeyStore, accepts: Acceptance = .signed, settings phone: Phone = Phone()
  ) -> StandInPhone {
    let replay = InMemoryReplayStore()
    return self.phone(name, at: address, settings: phone) { clock, lock in
      var receiver = Receiver(
        topic: address.topic, keys: lock.protect(keys), senders: senders, accepts: accepts, replay: replay,
        clock: clock)
      receiver.strings = phone.strings
      return StandInService(receiver)
    }
  }

  /// Adds a phone without an extension: it shows payloads as they come.
  public func phone(_ name: String? = nil, at address: DeviceAddress) -> StandInPhone {
    phone(name, at: address) { _, _ in UNNotificationServiceExtension() }
  }
}

/// The extension of a phone that has keys and no app.
final class StandInService: SealedNotificationService {
  private let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { receiver }
}
