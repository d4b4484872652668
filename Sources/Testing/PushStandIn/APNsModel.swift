package import PushSimulation
package import PushCore
internal import PushKeys
internal import PushReceiver
internal import PushHost
private import Synchronization

/// APNs without a network: checks requests, keeps pushes, and delivers them to phones.
///
/// It has phones, and a script of faults. Nothing waits for real time: ``advance(by:)`` moves the clock. `RequestCheck`
/// has the checks of a request, and `StoreAndForward` the rules for an accepted push.
package final class APNsModel: Sendable {
  /// A provider's connection, whose first push fixes the team and the key.
  package final class Connection: Sendable {
    fileprivate struct State {
      var key: ConnectionKey?
      /// The last header with a provider token, and the token in it: most requests have the same one.
      var last: (header: String, token: BearerToken?)?
    }

    fileprivate let state = Mutex(State())

    /// Opens a connection.
    package init() {}

    /// Whether the connection has had a valid provider token: before that, APNs allows one stream at a time.
    package var isTrusted: Bool { state.withLock { $0.key != nil } }
  }

  /// The result of a request: an answer, unless the connection fails first.
  package struct Handling: Sendable {
    /// The answer; nil if the request is not processed.
    package let answer: APNsAnswer?
    /// The connection's faults, in order.
    package let faults: [TransportFault]
  }

  private struct State {
    var providerTokens = ProviderTokens()
    var accepted = AcceptedIDs()
    var shownKeys: Set<ShownKey> = []
    var faults = FaultScript()
    var phoneCount = 0
    var apps: [String: PhoneApp] = [:]
  }

  /// The settings that it was made with.
  package let settings: APNsSettings

  /// The clock, which the phones share.
  package let clock: ManualClock

  let log: PushLog
  let tokens = TokenRegistry()
  private let state = Mutex(State())

  /// Makes a model without phones.
  package init(settings: APNsSettings = APNsSettings(), clock: ManualClock = ManualClock(.now)) {
    self.settings = settings
    self.clock = clock
    log = PushLog(capacity: settings.loggedPushes)
  }

  /// The phones, by name.
  package var phones: [StandInPhone] { tokens.phones }

  /// The phone with a name.
  package func phone(named name: String) -> StandInPhone? { phones.first { $0.name == name } }

  /// The app of a phone that has one.
  package func app(named name: String) -> PhoneApp? { state.withLock { $0.apps[name] } }

  /// The apps, in no order.
  package var apps: [PhoneApp] { state.withLock { Array($0.apps.values) } }

  /// Adds an app, whose phone is there.
  func add(_ app: PhoneApp) { state.withLock { $0.apps[app.phone.name] = app } }

  /// The number of the next phone that has no name.
  func nextPhoneNumber() -> Int {
    state.withLock { state in
      state.phoneCount += 1
      return state.phoneCount
    }
  }

  /// The faults that are still to happen.
  package var faults: FaultScript { state.withLock(\.faults) }

  /// Adds a fault that happens to later requests; `token` restricts it to one device's requests.
  ///
  /// Counts below 1 add nothing.
  package func inject(_ fault: Fault, to occasion: Fault.Occasion, of token: DeviceToken? = nil) {
    state.withLock { $0.faults.add(fault, to: occasion, of: token) }
  }

  /// Removes all faults from the script.
  package func clearFaults() { state.withLock { $0.faults.clear() } }

  /// The IDs of the accepted pushes.
  package var accepted: AcceptedIDs { state.withLock(\.accepted) }

  /// Which keys were shown for which apps.
  package var shownKeys: Set<ShownKey> { state.withLock(\.shownKeys) }

  /// The number of requests so far.
  package var requestCount: Int { log.count }

  /// The last pushes, the oldest first.
  package var pushes: [LoggedPush] { log.pushes }

  /// A push by its number; nil if it is not kept.
  package func push(numbered number: Int) -> LoggedPush? { log[number] }

  /// A stream of the pushes that arrive from now on, and of each of their changes.
  ///
  /// A reader that is slower than the pushes misses the oldest ones.
  package func updates() -> AsyncStream<LoggedPush> { log.updates() }

  /// Moves the clock: pushes whose time has come are delivered or discarded, and the time of extensions runs out.
  package func advance(by duration: Duration) {
    clock.advance(by: duration)
    for phone in tokens.allPhones { phone.clockMoved() }
  }

  /// Makes the clock follow the system's, until the task is cancelled.
  package func followSystemClock() async {
    var last = ContinuousClock.now
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      let now = ContinuousClock.now
      advance(by: last.duration(to: now))
      last = now
    }
  }

  /// Checks a request, takes its push, and returns the answer and the faults that are due.
  package func handle(_ request: APNsRequest, on connection: Connection) async -> Handling {
    let faults = state.withLock { $0.faults.next(for: request.path) }
    let transport = faults.compactMap { if case .transport(let fault) = $0 { fault } else { nil } }
    let id = RequestID(of: request)
    if let fault = transport.first(where: { !$0.isProcessed }) {
      log(request, id: id, fate: .failed(fault))
      return Handling(answer: nil, faults: transport)
    }
    let answer = answer(to: request, id: id, on: connection, with: faults)
    for case .latency(let duration) in faults { try? await clock.sleep(for: duration) }
    return Handling(answer: answer, faults: transport)
  }

  /// Answers a request that reaches APNs.
  func answer(
    to request: APNsRequest, id: RequestID, on connection: Connection, with faults: [Fault]
  ) -> APNsAnswer {
    for case .refusal(let refusal, let retryAfter) in faults {
      log(request, id: id, fate: .refused(refusal))
      return APNsAnswer(
        refusing: id, with: refusal, since: refusal.status == 410 ? clock.now : nil, retryAfter: retryAfter)
    }
    let (examination, refusal) = examine(request, on: connection)
    if let refusal {
      log(request, id: id, fate: .refused(refusal))
      return APNsAnswer(
        refusing: id, with: refusal, since: refusal.status == 410 ? examination.here?.end?.since : nil)
    }
    accept(examination, id: id)
    return APNsAnswer(accepting: id, in: settings.environment)
  }

  private func accept(_ examination: Examination, id: RequestID) {
    state.withLock { $0.accepted.note(id.value) }
    guard let kind = examination.kind, let phone = examination.here?.phone else {
      log(examination.request, id: id, fate: .discarded(.noPhone))
      return
    }
    let row = log(examination.request, id: id, fate: .delivered)
    phone.take(AcceptedPush(request: examination.request, id: id, kind: kind, row: row, at: examination.now))
  }

  /// Delivers an alert that no provider has sent, and that is not sealed.
  func sendTestPush(to phone: StandInPhone) {
    let headers = [
      APNsRequest.Header(name: "apns-topic", value: phone.topic.text),
      APNsRequest.Header(name: "apns-push-type", value: PushKind.alert.rawValue),
    ]
    let alert = #"{"title":"Test","body":"A push from the page, which is not sealed"}"#
    let request = APNsRequest(
      path: APNsRequest.devicePath + phone.token.text, headers: headers,
      body: Array(#"{"aps":{"alert":\#(alert)}}"#.utf8))
    let id = RequestID(of: request)
    let row = log(request, id: id, fate: .delivered)
    phone.take(AcceptedPush(request: request, id: id, kind: .alert, row: row, at: clock.now))
  }

  /// Checks a request, and remembers a valid provider token.
  private func examine(_ request: APNsRequest, on connection: Connection) -> (Examination, Refusal?) {
    connection.state.withLock { connection in
      let bearer = connection.token(of: request)
      return state.withLock { state in
        let examination = Examination(
          request: request, bearer: bearer, settings: settings, tokens: tokens, connectionKey: connection.key,
          providerTokens: state.providerTokens, at: clock.now)
        if let refusal = examination.firstRefusal(by: RequestCheck.ofSender) { return (examination, refusal) }
        if let bearer = examination.bearer {
          connection.key = connection.key ?? ConnectionKey(of: bearer)
          state.providerTokens.note(bearer, at: clock.now)
          state.shownKeys.note(bearer, for: examination.topic)
        }
        return (examination, examination.firstRefusal(by: RequestCheck.ofPush))
      }
    }
  }

  @discardableResult
  private func log(_ request: APNsRequest, id: RequestID, fate: LoggedPush.Fate) -> Int {
    let text = request.path.dropFirst(APNsRequest.devicePath.count)
    let phone = (try? DeviceToken(String(text))).flatMap { tokens[$0]?.phone.name }
    return log.add(request, messageID: id.value, phone: phone, fate: fate, at: clock.now)
  }
}

extension APNsModel.Connection.State {
  /// The provider token of a request; nil if it has none.
  fileprivate mutating func token(of request: APNsRequest) -> BearerToken? {
    guard let header = request["authorization"] else { return nil }
    if let last, last.header == header { return last.token }
    let token = BearerToken(of: request)
    last = (header, token)
    return token
  }
}
