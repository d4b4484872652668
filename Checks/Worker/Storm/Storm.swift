import Foundation
import PushEnvelope
import PushKeys
import PushPayload
import PushStandIn
import PushStore
import PushStorePostgres
import PushTesting

/// Kills workers again and again while they work off a queue, and says what became of the jobs.
///
///     worker-storm SEALPUSHD FOLDER STORE JOBS KILLS
///
/// Three workers share a store. A stand-in for APNs takes their pushes, and makes faults. At the end each job must have
/// been accepted under the one ID that its device has for it, and each phone must have shown it once with sound.
@main
enum Storm {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 5, let jobs = Int(arguments[3]), let kills = Int(arguments[4]) else {
      print("usage: worker-storm SEALPUSHD FOLDER STORE JOBS KILLS")
      exit(64)
    }
    let scene = try await StormScene(folder: arguments[1], place: arguments[2])
    let expected = try await scene.enqueue(jobs)
    let crew = Crew(program: arguments[0], arguments: scene.workerArguments)
    let seen = scene.watch()
    let start = ContinuousClock.now
    for _ in 0..<3 { try crew.hire() }
    var killed = 0
    while try await scene.remaining() > 0 {
      try await Task.sleep(for: .milliseconds(300))
      guard killed < kills else { continue }
      try crew.killOne()
      killed += 1
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    crew.dismiss()
    // The phones may still show what came last.
    try await Task.sleep(for: .seconds(2))
    let accepted = scene.apns.accepted
    let lost = expected.count { accepted[$0] == 0 }
    let strangers = accepted.count - (expected.count - lost)
    let repeats = accepted.repeated.reduce(0) { $0 + accepted[$1] - 1 }
    let (shownOnce, wrong) = seen.result(of: jobs)
    print(
      """
      \(jobs) jobs, \(killed) kills in \(Int(seconds)) s: \(lost) lost, \(strangers) under other IDs, \
      \(repeats) came twice or more, \(try await scene.dead()) dead; shown once with sound \(shownOnce), \
      otherwise \(wrong)
      """)
    exit(lost == 0 && strangers == 0 && wrong == 0 && shownOnce == jobs ? 0 : 1)
  }
}

/// A store with devices, and a stand-in with their phones.
final class StormScene: Sendable {
  static let persons = 100

  let apns: APNsStandIn
  private let store: any Store
  private let phones: [StandInPhone]
  private let identities: [Thumbprint]

  /// What each worker is told.
  let workerArguments: [String]

  init(folder: String, place: String) async throws {
    let team = ProviderKey.generate()
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    settings.loggedPushes = 100
    let apns = try await APNsStandIn.start(settings)
    self.apns = apns
    store =
      place.hasPrefix("postgresql://") ? try await PostgresStore(place) : try await SQLiteStore(path: place)
    let senders = KeySet(generating: .sender, at: .now)
    _ = try KeyFile(path: "\(folder)/sender.jwks").create(senders)
    try apns.writeRoot(to: "\(folder)/root.pem")
    let key = "\(folder)/key.p8"
    _ = FileManager.default.createFile(
      atPath: key, contents: Data(team.p8), attributes: [.posixPermissions: 0o600])
    workerArguments = [
      "work", "--store", place, "--from", "\(folder)/sender.jwks", "--key-file", key, "--key-id",
      team.key.keyID,
      "--team-id", team.key.teamID, "--endpoint", "127.0.0.1:\(apns.port)", "--trust", "\(folder)/root.pem",
      "--lease", "3s",
    ]
    var (phones, identities): ([StandInPhone], [Thumbprint]) = ([], [])
    for number in 0..<Self.persons {
      let (phone, identity) = try await Self.enrol("person \(number)", senders, apns, store)
      phones.append(phone)
      identities.append(identity)
    }
    (self.phones, self.identities) = (phones, identities)
    for (count, fault) in [
      (97, Fault.refusal(.serviceUnavailable)), (101, .transport(.refuseStream)),
      (1009, .transport(.goAwayGracefully)), (2003, .transport(.reset(.beforeAnswer))),
      (4999, .transport(.cut)),
    ] { apns.inject(fault, to: .each(count)) }
  }

  private static func enrol(
    _ name: String, _ senders: KeySet, _ apns: APNsStandIn, _ store: any Store
  ) async throws -> (StandInPhone, Thumbprint) {
    let (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    let keys = InMemoryKeyStore()
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    let phone = apns.phone(name, at: address, keys: keys, senders: try senders.publicKeys)
    var pending = try await store.accept(
      keys.enrol(at: address, for: audience), as: name, person: name, mayBeNew: true
    ).get().pending
    while let asked = pending {
      let answer = try keys.answer(
        asked.request, openedBy: asked.recipient.thumbprint, at: address, for: audience)
      guard let answer else { preconditionFailure("the keys are there") }
      pending = try await store.accept(answer.get(), as: name, mayBeNew: false).get().pending
    }
    guard let identity = try await store.devices(of: [name])[0].first?.identity else {
      preconditionFailure("the device is proven")
    }
    return (phone, identity)
  }

  /// Puts jobs into the queue, and gives the message IDs that APNs must see.
  func enqueue(_ count: Int) async throws -> Set<MessageID> {
    var expected: Set<MessageID> = []
    for start in stride(from: 0, to: count, by: 1000) {
      let jobs = try (start..<min(start + 1000, count)).map { number in
        let payload: JSONObject = [
          "aps": ["alert": ["title": "Lunch", "body": .string("\(number)")], "sound": "default"]
        ]
        return try Job(payload, to: "person \(number % Self.persons)")
      }
      try await store.enqueue(jobs)
      for (number, job) in jobs.enumerated() {
        expected.insert(job.messageID.derived(for: identities[(start + number) % Self.persons]))
      }
    }
    return expected
  }

  /// How many jobs are not done.
  func remaining() async throws -> Int {
    let statistics = try await store.statistics()
    return statistics.ready + statistics.delayed + statistics.leased
  }

  /// How many jobs were given up.
  func dead() async throws -> Int { try await store.statistics().dead }

  /// Counts what the phones show.
  func watch() -> Seen {
    let seen = Seen()
    for phone in phones {
      Task { while let shown = try? await phone.shown { seen.note(shown) } }
    }
    return seen
  }
}
