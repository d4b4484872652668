import PushCompat
import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting

/// A fleet that moves from passwords to keys, a push a phone and day.
///
/// Phones get the app's new version on some day, and are off for up to ten days at a time; a registration reaches the
/// backend up to three days later. APNs keeps what is on the way.
struct Migration {
  /// When what ends.
  struct Plan {
    /// From when on the backend writes nothing in the old format.
    var lastOldPush: Int64
    /// From when on the new version opens nothing in it.
    var windowEnd: Int64
    /// The day until which phones are updated.
    var lastUpdate: Int64
  }

  struct Tally: Equatable {
    var sealedOld = 0, sealedNew = 0, opened = 0, withoutKey = 0
    var lost: [DegradeReason: Int] = [:]
  }

  private let plan: Plan
  private let password: [UInt8]
  private let sender = KeySet(generating: .sender, at: firstDay)
  private var random: SeededGenerator
  private(set) var phones: [MigratingPhone]
  private(set) var tally = Tally()
  private var registrations: [Int: PublicKeySet] = [:]
  /// Registrations on their way to the backend.
  private var mail: [(day: Int64, phone: Int)] = []

  init(_ plan: Plan, phones count: Int, seed: UInt64, folder: String) throws {
    self.plan = plan
    var random = SeededGenerator(seed: seed)
    password = Array("correct horse".utf8)
    phones = (0..<count).map {
      MigratingPhone(
        updateDay: Int64.random(in: 0...plan.lastUpdate, using: &random),
        log: DiagnosticsLog(path: "\(folder)/phone-\($0).log"))
    }
    self.random = random
  }

  /// The next day: updates, registrations, pushes, deliveries.
  mutating func live(_ day: Int64) async throws {
    for index in phones.indices where phones[index].updateDay == day {
      phones[index].update()
      mail.append((day + Int64.random(in: 0...3, using: &random), index))
    }
    for letter in mail where letter.day == day {
      registrations[letter.phone] = phones[letter.phone].publicKeys
    }
    for index in phones.indices {
      if let push = try seal(for: index, on: day) { phones[index].held.append(push) }
      if phones[index].offUntil <= day, Int.random(in: 0..<8, using: &random) == 0 {
        phones[index].offUntil = day + Int64.random(in: 1...10, using: &random)
      }
      guard phones[index].offUntil <= day else { continue }
      try await deliver(to: index, on: day)
    }
  }

  /// What the backend writes: to a phone's key, once it has one, and else in the old format as long as that is written.
  private mutating func seal(for index: Int, on day: Int64) throws -> JSONObject? {
    let now = firstDay.advanced(by: .seconds(day * oneDay))
    if let keys = registrations[index] {
      tally.sealedNew += 1
      let sealer = Sealer(topic: app, signingKey: try sender.signingKey())
      let push = try sealer.seal(
        RemoteNotification(title: "new", body: "day \(day)"), to: keys.recipient(), at: now)
      return try JSONObject(parsing: push.payload.span)
    }
    guard day < plan.lastOldPush else {
      tally.withoutKey += 1
      return nil
    }
    tally.sealedOld += 1
    let plaintext = Array(#"{"title":"old","body":"day \#(day)"}"#.utf8)
    let text = try format().seal(plaintext.span)
    return [
      "aps": ["alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1],
      "ENCRYPTED_DATA": .string(text),
    ]
  }

  private mutating func deliver(to index: Int, on day: Int64) async throws {
    for push in phones[index].held {
      guard let keys = phones[index].keys else {
        // The app's old version opens the old format, with code of its own, and nothing else.
        _ = try format().open(push)
        tally.opened += 1
        continue
      }
      let window = AcceptedFormat(
        try format(), until: firstDay.advanced(by: .seconds(plan.windowEnd * oneDay)), reading: .alert)
      var receiver = Receiver(
        topic: app, keys: keys, senders: try sender.publicKeys, accepts: AcceptedEnvelopes(formats: [window]),
        replay: InMemoryReplayStore(), clock: ManualClock(firstDay.advanced(by: .seconds(day * oneDay))))
      receiver.observers = [phones[index].log]
      switch await receiver.receive(push: push).outcome {
      case .opened, .openedOther: tally.opened += 1
      case .degraded(let reason): tally.lost[reason, default: 0] += 1
      }
    }
    phones[index].held = []
  }

  private func format() throws -> OpenSSLSalted {
    guard let derivation = OpenSSLSalted.Derivation.pbkdf2(iterations: 100),
      let format = OpenSSLSalted.unauthenticated(password: password.span, derivation: derivation)
    else { throw EnvelopeFormatError.unavailable }
    return format
  }
}

/// A phone of the fleet.
struct MigratingPhone {
  /// When it gets the app's new version.
  let updateDay: Int64
  let log: DiagnosticsLog
  /// Its keys, once it has the new version.
  private(set) var keys: KeySet?
  /// When it is on again.
  var offUntil: Int64 = 0
  /// What APNs holds for it.
  var held: [JSONObject] = []

  init(updateDay: Int64, log: DiagnosticsLog) {
    self.updateDay = updateDay
    self.log = log
  }

  mutating func update() { keys = KeySet(generating: .device, at: firstDay) }

  var publicKeys: PublicKeySet? { try? keys?.publicKeys }
}

extension Receiver {
  fileprivate func receive(push: JSONObject) async -> Reception {
    await receive(IncomingPush(payload: push, envelopeKey: envelopeKey))
  }
}
