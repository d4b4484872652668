import PushCore
import PushEnrolment
import PushKeys
import PushReceiver

/// A phone: at times switched off, at times in the hands of its owner, who starts the app.
struct Handset {
  let name: String
  let keys = InMemoryKeyStore()
  private let senders: SenderKeyFile
  private let address: DeviceAddress
  /// When it goes on again; in the past if it is on.
  var offUntil: UnixTime
  private let replay = InMemoryReplayStore()
  /// The proof requests that APNs holds for it, each since when.
  var requests: [(since: UnixTime, push: JSONObject)] = []
  /// What APNs holds for it, each since when.
  var held: [(since: UnixTime, push: JSONObject)] = []

  init(_ number: Int, folder: String, roots: PublicKeySet, at now: UnixTime) throws {
    name = "phone \(number)"
    senders = SenderKeyFile(path: "\(folder)/\(number)", roots: roots, topic: app)
    let token = DeviceToken([UInt8](repeating: UInt8(number), count: 32))
    guard let token else { throw TokenError() }
    address = DeviceAddress(topic: app, environment: .production, token: token)
    offUntil = now
  }

  struct TokenError: Error {}

  /// The app starts: it fetches the senders' keys, and sends its own.
  func launch(_ published: SenderKeySet, at now: UnixTime) throws -> Enrolment {
    let text = Array(published.text.utf8)
    try senders.accept(text.span)
    _ = try keys.rotate(ifOlderThan: .seconds(30 * oneDay), at: now)
    return try keys.enrol(address: address, for: home, at: now)
  }

  /// What the app makes of a proof request: an enrolment to send, unless it is not one to answer.
  func answer(_ push: JSONObject, at now: UnixTime) throws -> Result<Enrolment, ProofRefusal>? {
    let receiver = Receiver(
      topic: app, keys: keys, senders: senders, replay: replay, clock: Stopped(now: now))
    let opened = try receiver.openProofRequest(EnvelopeField(data: push))
    guard !opened.opened.isDuplicate else { return nil }
    return try keys.answer(
      opened.request, openedBy: opened.opened.recipient, address: address, for: home, at: now)
  }

  /// Someone hands it a set.
  func take(_ set: SenderKeySet) throws(SenderKeyFileError) -> Bool {
    let text = Array(set.text.utf8)
    return try senders.accept(text.span)
  }

  /// What the extension makes of a push.
  func open(_ push: JSONObject, at now: UnixTime) throws(DegradeReason) {
    let receiver = Receiver(
      topic: app, keys: keys, senders: senders, replay: InMemoryReplayStore(), clock: Stopped(now: now))
    let message = try receiver.open(IncomingPush(payload: push))
    // What an app does in its extension's last word.
    guard let set = message.payload["senders"]?.string else { return }
    let text = Array(set.utf8)
    _ = try? senders.accept(text.span)
  }
}

/// A clock that stands still.
struct Stopped: PushClock {
  let now: UnixTime
  let uptime = Duration.zero

  func sleep(until end: Duration) async throws {}
}
