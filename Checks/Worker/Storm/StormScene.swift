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

  /// The most pushes that a worker has on their way: two apps have five topics each, and each of them four connections.
  static let pushesAtATime = 2 * 5 * 4 * streams

  /// How long a job is a worker's after the last sign of life.
  static let lease = Duration.seconds(10)

  /// The time that APNs takes for an answer.
  fileprivate static let latency = Duration.milliseconds(50)

  let apns: APNsStandIn
  let apps: [StormApp]
  let jobs: [StormJob]
  let cancellations: Cancellations
  let ledger: Ledger

  /// A worker's command.
  let worker: [String]

  private let phones: [StandInPhone]

  init(program: String, folder: String, place: String, jobs count: Int) async throws {
    apps = try StormApp.two(in: folder)
    apns = try await Self.start(apps)
    let link = StoreLink(place)
    let store: any Store =
      link.isServer
      ? try await PostgresStore(connectionString: place) : try await SQLiteStore(path: place)
    try apns.writeRoot(to: "\(folder)/root.pem")
    worker = [
      program, "work", "--store", place, "--routes", StormApp.routes(in: folder), "--endpoint",
      "127.0.0.1:\(apns.port)", "--trust", "\(folder)/root.pem", "--lease",
      "\(Self.lease.components.seconds)s", "--batch", "100",
    ]
    try Self.script(worker, at: "\(folder)/worker")
    var (phones, identities): ([StandInPhone], [Thumbprint]) = ([], [])
    for number in 0..<max(100, count / Self.messagesOfAPhone) {
      let (phone, identity) = try await Self.enrol(
        "person \(number)", with: apps[number % apps.count], apns, store)
      phones.append(phone)
      identities.append(identity)
    }
    self.phones = phones
    jobs = try await Self.enqueue(count, identities, store)
    cancellations = Cancellations(of: jobs)
    ledger = Ledger(link, of: jobs)
    apns.model.injectStorm()
  }

  /// The fewest requests that there can be.
  var fewestRequests: Int { jobs.count - cancellations.messageCount }

  /// Starts APNs with a clock that stands still.
  private static func start(_ apps: [StormApp]) async throws -> APNsStandIn {
    var settings = APNsSettings()
    settings.providerKeys = apps.map(\.key)
    settings.loggedPushes = 100
    // A new APNs has seen no token, and a team's next one may be due soon.
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

  /// A phone with an app, and with tokens for all types.
  private static func enrol(
    _ name: String, with app: StormApp, _ apns: APNsStandIn, _ store: any Store
  ) async throws -> (StandInPhone, Thumbprint) {
    let audience = try Audience("https://push.example.com")
    let phone = apns.phone(name: name, topic: app.topic, senders: try app.senders.publicKeys)
    try await phone.enrol(in: store, person: name, audience: audience)
    guard let tokens = try phone.signTokens(for: audience, activity: StormJob.activity) else {
      preconditionFailure("the phone has enrolled, and so has keys")
    }
    try await store.accept(tokens).get()
    guard let identity = try await store.devices(of: [name])[0].first?.identity else {
      preconditionFailure("the device is proven")
    }
    return (phone, identity)
  }

  /// Puts jobs into the queue.
  private static func enqueue(
    _ count: Int, _ identities: [Thumbprint], _ store: any Store
  ) async throws -> [StormJob] {
    let jobs = (0..<count).map { StormJob($0, to: identities[$0 % identities.count]) }
    for start in stride(from: 0, to: count, by: 1000) {
      try await store.enqueue(
        jobs[start..<min(start + 1000, count)].map {
          try $0.row(to: "person \($0.number % identities.count)")
        })
    }
    return jobs
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
      // What is for the app is read, so that it is not kept.
      Task { while (try? await phone.backgroundPush) != nil {} }
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
