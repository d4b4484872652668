import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushStandIn
import PushStore
import PushStorePostgres
import PushTesting

/// A store with jobs and devices, and a stand-in for APNs with their phones.
final class StormScene {
  /// The most jobs: the number of IDs that the stand-in remembers.
  static let maximumJobs = AcceptedIDs.capacity

  /// The number of messages for each phone: fewer than it remembers.
  private static let messagesOfAPhone = 500

  /// The number of pushes that a connection has at a time, and so the number that lose their answers when it is cut.
  ///
  /// With ``latency``, a worker sends some hundreds a second, which leaves time to kill it at work.
  private static let streams = 30

  /// The most pushes that a worker has on their way, on the four connections that it may have.
  static let pushesAtATime = 4 * streams

  /// The time that APNs takes for an answer.
  fileprivate static let latency = Duration.milliseconds(50)

  let apns: APNsStandIn
  let jobs: Int
  let ledger: Ledger

  /// The message IDs that APNs must see.
  let expected: Set<MessageID>

  /// A worker's command.
  let worker: [String]

  private let phones: [StandInPhone]

  init(program: String, folder: String, place: String, jobs: Int) async throws {
    self.jobs = jobs
    let team = ProviderKey.generate()
    apns = try await Self.start(team.key)
    let store: any Store =
      place.hasPrefix("postgresql://")
      ? try await PostgresStore(connectionString: place) : try await SQLiteStore(path: place)
    let senders = KeySet(generating: .sender, at: .now)
    _ = try KeyFile(path: "\(folder)/sender.jwks").create(senders)
    try apns.writeRoot(to: "\(folder)/root.pem")
    let key = "\(folder)/key.p8"
    _ = FileManager.default.createFile(
      atPath: key, contents: Data(team.p8), attributes: [.posixPermissions: 0o600])
    worker = [
      program, "work", "--store", place, "--from", "\(folder)/sender.jwks", "--key-file", key, "--key-id",
      team.key.keyID, "--team-id", team.key.teamID, "--endpoint", "127.0.0.1:\(apns.port)", "--trust",
      "\(folder)/root.pem", "--lease", "10s", "--batch", "100",
    ]
    try Self.script(worker, at: "\(folder)/worker")
    var (phones, identities): ([StandInPhone], [Thumbprint]) = ([], [])
    for number in 0..<max(100, jobs / Self.messagesOfAPhone) {
      let (phone, identity) = try await Self.enrol("person \(number)", senders, apns, store)
      phones.append(phone)
      identities.append(identity)
    }
    self.phones = phones
    let ids = try await Self.enqueue(jobs, identities, store)
    ledger = Ledger(place, ids: ids)
    expected = Set(ids.values)
    apns.model.injectStorm()
  }

  /// Starts APNs with a clock that stands still.
  private static func start(_ key: ProviderKey) async throws -> APNsStandIn {
    var settings = APNsSettings()
    settings.providerKeys = [key]
    settings.loggedPushes = 100
    // A new APNs has seen no token, and the team's next one may be due soon.
    settings.newTokensIn20Minutes = 3
    settings.concurrentStreams = streams
    return try await APNsStandIn.start(settings: settings)
  }

  /// Writes a worker's command, for troubles that start a worker of their own.
  private static func script(_ command: [String], at path: String) throws {
    let words = command.map { "'\($0)'" }.joined(separator: " ")
    _ = FileManager.default.createFile(
      atPath: path, contents: Data("#!/bin/sh\nexec \(words)\n".utf8), attributes: [.posixPermissions: 0o700])
  }

  private static func enrol(
    _ name: String, _ senders: KeySet, _ apns: APNsStandIn, _ store: any Store
  ) async throws -> (StandInPhone, Thumbprint) {
    let topic = try Topic("com.example.app")
    let phone = apns.phone(name: name, topic: topic, senders: try senders.publicKeys)
    try await phone.enrol(in: store, person: name)
    guard let identity = try await store.devices(of: [name])[0].first?.identity else {
      preconditionFailure("the device is proven")
    }
    return (phone, identity)
  }

  /// Puts jobs into the queue, and returns the message ID that APNs must see for each.
  private static func enqueue(
    _ count: Int, _ identities: [Thumbprint], _ store: any Store
  ) async throws -> [String: MessageID] {
    var ids: [String: MessageID] = [:]
    for start in stride(from: 0, to: count, by: 1000) {
      let jobs = try (start..<min(start + 1000, count)).map { number in
        let payload: JSONObject = [
          "aps": ["alert": ["title": "Lunch", "body": .string("\(number)")], "sound": "default"]
        ]
        return try Job(payload, to: "person \(number % identities.count)")
      }
      try await store.enqueue(jobs)
      for (number, job) in jobs.enumerated() {
        ids[job.messageID.text] = job.messageID.derived(for: identities[(start + number) % identities.count])
      }
    }
    return ids
  }

  /// The number of pushes that APNs may have taken without an answer so far.
  var unanswered: Int {
    apns.requestCount / APNsModel.requestsAReset + apns.requestCount / APNsModel.requestsACut * Self.streams
  }

  /// Counts the notifications that the phones show.
  func watch() -> Seen {
    let seen = Seen()
    for phone in phones {
      Task { while let shown = try? await phone.shown { seen.note(shown) } }
    }
    return seen
  }
}

extension APNsModel {
  fileprivate static let (requestsAReset, requestsACut) = (2003, 4999)

  /// Lets APNs make faults from now on.
  fileprivate func injectStorm() {
    inject(.latency(StormScene.latency), to: .all)
    for (count, fault) in [
      (97, Fault.refusal(.serviceUnavailable)), (101, .transport(.refuseStream)),
      (1009, .transport(.goAwayGracefully)), (Self.requestsAReset, .transport(.reset(.beforeAnswer))),
      (Self.requestsACut, .transport(.cut)),
    ] { inject(fault, to: .each(count)) }
  }
}
