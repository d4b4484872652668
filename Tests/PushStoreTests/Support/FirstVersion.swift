import Foundation
import PushCore
import PushKeys
import PushStore
import Testing

/// The tables of version 1 with rows, as that version wrote them.
enum FirstVersion {
  /// A text of the folder `Schemas`.
  static func text(_ name: String) throws -> String {
    let url = try #require(Bundle.module.url(forResource: "Schemas/\(name)", withExtension: "sql"))
    return try String(contentsOf: url, encoding: .utf8)
  }

  /// The statements that insert the rows into the schema `sealpush`; `time` writes a time for the engine.
  static func rows(time: (String) -> String) throws -> [String] {
    try text("rows-1").replacing(/\{(\d{10})\}/) { time(String($0.1)) }.split(separator: ";\n").map(
      String.init)
  }

  /// Asserts that a store has each row, whole.
  static func expectRows(in store: any Store) async throws {
    let counts = try await store.statistics()
    #expect(counts.ready == 2 && counts.delayed == 1 && counts.dead == 1)
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let jobs = try leased.map { try $0.job.get() }
    let time = try #require(UnixTime(seconds: 1_700_000_000))
    let payload: JSONObject = ["aps": ["alert": "Lunch at noon?"]]
    #expect(
      try jobs == [
        Job(
          payload, to: "alice", messageID: MessageID("0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10"),
          topic: Phone.topic, priority: .first, notBefore: time, expiresAt: UnixTime(seconds: 4_000_000_000),
          lifetime: Lifetime(seconds: 60), apnsPriority: .considerate, collapseID: "lunch", at: time),
        Job(
          payload, to: "alice", messageID: MessageID("0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f11"), notBefore: time,
          at: time),
      ])
    let died = try #require(leased.last)
    let (phone, other) = (
      try Thumbprint("Tn72lO9Qn3n--yXKGeJ1t2x_ef7cTG4uGqfHYHgJqss"),
      try Thumbprint("q5BJaNSKGJ5iG8-dDWzF-bn7nQsfgU1zkZeguxE1dnQ")
    )
    #expect(died.lease == Lease(job: JobID(2), number: 4) && died.attempt == 3)
    #expect(died.senders == [phone] && died.settled == [other])
    let dead = try await store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.reason) == ["APNs: BadPriority"] && dead[0].attempts == 2 && dead[0].diedAt == time)
    let enrolments = try await store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(enrolments.map(\.lease) == [EnrolmentLease(id: 2, number: 2)])
    let request = try #require(enrolments.first).request.get()
    #expect(request.name == "phone" && request.person == "alice" && request.mayBeNew)
    #expect(request.possession == .keyAlone && request.challenge != nil)
    let devices = try await store.devices(of: ["alice", "bob"])
    #expect(devices.map { $0.map(\.identity) } == [[phone], []])
    #expect(devices[0].first?.device.keys != nil && devices[0].first?.tokenSetAt == time)
    #expect(try await store.registration(named: "other")?.registration.pending?.possession == .keyAndToken)
    // Nobody knows when it enrolled, so it is as if it had when the tables were changed.
    let fleet = try await store.fleet(after: nil, atMost: 9)
    #expect(fleet.map(\.name) == ["phone"] && fleet[0].report == nil && fleet[0].enrolledAt > time)
    // Its version is what a change is made on top of.
    let known = try #require(try await store.registration(named: "phone"))
    #expect(try await store.apply([.remove(known)]))
  }
}
