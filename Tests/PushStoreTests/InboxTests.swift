import PushCore
import PushEnrolment
import PushKeys
import PushSimulation
import PushStore
import TestSupport
import Testing

@Suite("An inbox", .hangGuard)
struct InboxTests {
  /// Hands an enrolment in, and lets a worker accept it.
  private func handIn(
    _ enrolment: Enrolment, at bench: any StoreBench, _ columns: [EnrolmentRow.Column: String] = [:]
  ) async throws -> (id: Int64, result: Result<EnrolmentOutcome, SignedSetError>) {
    let body = String(decoding: enrolment.encoded(), as: UTF8.self)
    let row = [EnrolmentRow.Column.registration: "phone", .body: body].merging(columns) { $1 }
    let id = try await bench.insert(row)
    let leased = try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(leased.map(\.lease.id) == [id])
    let result = try #require(
      try await bench.store.accept(
        leased[0].request.get(), under: leased[0].lease, audience: Phone.audience))
    let answer: EnrolmentAnswer =
      switch result {
      case .success(let acceptance):
        acceptance.pending == nil ? .taken(acceptance.change) : .pending(request: #"{"aps":{}}"#)
      case .failure(let error): .refused(reason: error.code)
      }
    #expect(try await bench.store.answer(leased[0].lease, with: answer))
    return (id, result)
  }

  @Test("answers what is pending, what is taken, and what is refused", arguments: Engine.all)
  func answers(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("phone", token: 1)
    let first = try phone.enrolment()
    let stranger = try await handIn(first, at: bench)
    #expect(
      try await bench.answer(of: stranger.id) == WrittenAnswer(answer: "refused", reason: "not-registered"))
    let asked = try await handIn(
      first, at: bench, [.isNew: "1", .person: "alice", .possession: "keyAlone"])
    #expect(
      try await bench.answer(of: asked.id) == WrittenAnswer(answer: "pending", request: #"{"aps":{}}"#))
    let pending = try #require(try asked.result.get().pending)
    #expect(pending.possession == .keyAlone)
    let taken = try await handIn(phone.answer(pending), at: bench, [.possession: "keyAlone"])
    #expect(try await bench.answer(of: taken.id) == WrittenAnswer(answer: "registered"))
    #expect(try await bench.store.devices(of: ["alice"])[0].count == 1)
  }

  @Test("takes what a request says, and tells its answer and whose it is", arguments: Engine.all)
  func handedIn(engine: Engine) async throws {
    let bench = try await engine.start()
    let (challenge, body) = (try Challenge("fresh \"é\""), Array(#"{"v":1}"#.utf8))
    let first = try await bench.store.handIn(
      EnrolmentRequest(
        name: "phone", person: "alice", body: body, mayBeNew: true, challenge: challenge,
        possession: .keyAlone))
    let second = try await bench.store.handIn(
      EnrolmentRequest(name: "tablet", person: nil, body: body, mayBeNew: false))
    #expect(first < second)
    let leased = try await bench.another().leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(leased.map(\.lease.id) == [first, second])
    let requests = try leased.map { try $0.request.get() }
    #expect(requests.map(\.name) == ["phone", "tablet"] && requests.map(\.person) == ["alice", nil])
    #expect(requests.map(\.body) == [body, body] && requests.map(\.mayBeNew) == [true, false])
    #expect(requests.map(\.challenge) == [challenge, nil])
    #expect(requests.map(\.possession) == [.keyAlone, .keyAndToken])
    for answer: EnrolmentAnswer in [.pending(request: "{}"), .refused(reason: "no"), .taken(.updated)] {
      let id = try await bench.store.handIn(
        EnrolmentRequest(name: "phone", person: "bob", body: body, mayBeNew: false))
      let lease = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0].lease
      try await bench.store.answer(lease, with: answer)
      #expect(
        try await bench.store.handedIn([id, 1000]) == [
          HandedInEnrolment(id: id, person: "bob", answer: answer)
        ])
    }
    let waiting = try await bench.store.handedIn([second, first]).sorted { $0.id < $1.id }
    #expect(waiting.map(\.person) == ["alice", nil] && waiting.allSatisfy { $0.answer == nil })
  }

  @Test("keeps the account's tag with the answer", arguments: Engine.all)
  func account(engine: Engine) async throws {
    let bench = try await engine.start()
    let tag = try AccountTag("AQEBAQEBAQEBAQEBAQEBAQ")
    for account in [tag, nil] {
      let id = try await bench.insert([.registration: "phone", .person: "ada", .body: "{}"])
      #expect(try await bench.store.handedIn([id]).map(\.account) == [nil])
      let lease = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0].lease
      try await bench.store.answer(lease, with: .taken(.updated), account: account)
      #expect(
        try await bench.store.handedIn([id]) == [
          HandedInEnrolment(id: id, person: "ada", answer: .taken(.updated), account: account)
        ])
    }
  }

  @Test("says when an enrolment arrives, and when its time is up", arguments: Engine.all)
  func arrival(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await !bench.store.enrolmentsArrived(within: .zero))
    async let arrived = bench.store.enrolmentsArrived(within: .seconds(3600))
    _ = try await bench.insert([.registration: "phone", .body: "{}"])
    #expect(try await arrived)
    _ = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))
    #expect(try await !bench.store.enrolmentsArrived(within: .zero))
    // A lease that ends changes no row.
    try await bench.advance(by: .seconds(60))
    #expect(try await bench.store.enrolmentsArrived(within: .seconds(3600)))
  }

  @Test("counts the enrolments that have no answer", arguments: Engine.all)
  func waiting(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await bench.store.waitingEnrolments() == WaitingEnrolments(count: 0, oldest: nil))
    for _ in 0..<3 { _ = try await bench.insert([.registration: "phone", .body: "{}"]) }
    let leased = try await bench.store.leaseEnrolments(atMost: 2, for: .seconds(60))
    #expect(try await bench.store.waitingEnrolments().count == 3)
    try await bench.store.answer(leased[0].lease, with: .refused(reason: "test"))
    #expect(try await bench.store.waitingEnrolments().count == 2)
  }

  @Test("says how long the oldest enrolment has waited")
  func oldestInMemory() async throws {
    let clock = ManualClock(start)
    let store = MemoryStore(clock: clock)
    _ = await store.insert(EnrolmentRow(columns: [.body: Array("{}".utf8)]))
    clock.advance(by: .seconds(60))
    _ = await store.insert(EnrolmentRow(columns: [.body: Array("{}".utf8)]))
    #expect(await store.waitingEnrolments() == WaitingEnrolments(count: 2, oldest: .seconds(60)))
  }

  @Test("says how long the oldest enrolment has waited, whatever applications write as its time")
  func oldestInSQLite() async throws {
    let bench = try await SQLiteBench()
    let application = try bench.application()
    for time in ["'yesterday'", "-1", "NULL", "1e99", "\(start.seconds + 5)"] {
      try application.run("INSERT INTO sealpush.enrolment (body, created_at) VALUES ('{}', \(time))")
    }
    #expect(try await bench.store.waitingEnrolments() == WaitingEnrolments(count: 5, oldest: nil))
    for age: Int64 in [7, 60, 8] {
      try application.run(
        "INSERT INTO sealpush.enrolment (body, created_at) VALUES ('{}', \(start.seconds - age))")
    }
    #expect(try await bench.store.waitingEnrolments() == WaitingEnrolments(count: 8, oldest: .seconds(60)))
  }

  @Test("says how long the oldest enrolment has waited, in PostgreSQL")
  func oldestInPostgres() async throws {
    let bench = try await PostgresBench()
    let application = try bench.application()
    for time in ["'infinity'", "'-infinity'", "NULL", "sealpush.now() + '5 s'"] {
      try application.run("INSERT INTO sealpush.enrolment (body, created_at) VALUES ('{}', \(time))")
    }
    #expect(try await bench.store.waitingEnrolments() == WaitingEnrolments(count: 4, oldest: nil))
    for age in [7, 60, 8] {
      try application.run(
        "INSERT INTO sealpush.enrolment (body, created_at) VALUES ('{}', sealpush.now() - '\(age) s'::interval)"
      )
    }
    #expect(try await bench.store.waitingEnrolments() == WaitingEnrolments(count: 7, oldest: .seconds(60)))
  }

  @Test("holds an enrolment to its challenge", arguments: Engine.all)
  func challenge(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("phone", token: 1)
    let refused = try await handIn(phone.enrolment(), at: bench, [.isNew: "1", .challenge: "fresh"])
    #expect(throws: SignedSetError.wrongChallenge) { try refused.result.get() }
    let enrolment = try phone.keys.enrol(
      address: phone.address, for: Phone.audience, challenge: Challenge("fresh"), at: start)
    let taken = try await handIn(enrolment, at: bench, [.isNew: "1", .challenge: "fresh"])
    #expect(try taken.result.get().change == .pending)
  }

  @Test(
    "gives an enrolment to another when the lease ends, and hears no more of the first", arguments: Engine.all
  )
  func lease(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var ids: [Int64] = []
    for _ in 0..<3 { ids.append(try await bench.insert([.registration: "phone", .body: "{}"])) }
    let slow = try await store.leaseEnrolments(atMost: 2, for: .seconds(60))
    #expect(slow.map(\.lease.id) == Array(ids[..<2]))
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(90)).map(\.lease.id) == [ids[2]])
    try await bench.advance(by: .seconds(60))
    let leased = try await store.leaseEnrolments(atMost: 1, for: .seconds(60))
    #expect(leased.map(\.lease) == [EnrolmentLease(id: ids[0], number: 2)])
    #expect(try await store.answer(slow[0].lease, with: .refused(reason: "slow")) == false)
    #expect(try await bench.answer(of: ids[0]) == nil)
    #expect(try await store.answer(leased[0].lease, with: .taken(.updated)))
    #expect(try await store.answer(leased[0].lease, with: .taken(.unchanged)) == false)
    #expect(try await bench.answer(of: ids[0]) == WrittenAnswer(answer: "updated"))
    try await bench.advance(by: .seconds(100))
    let rest = try await store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(rest.map(\.lease.id) == [ids[1], ids[2]])
  }

  @Test(
    "lets two workers answer two updates of one registration, of which the later stays",
    arguments: Engine.all, [false, true])
  func twoWorkers(engine: Engine, laterIsSlow: Bool) async throws {
    let bench = try await engine.start()
    let workers = [bench.store, try await bench.another()]
    var phone = Phone("phone", token: 1)
    try await phone.register(at: bench.store)
    let enrolments = [try phone.enrolment(), try phone.enrolment()]
    var ids: [Int64] = []
    for enrolment in enrolments {
      let body = String(decoding: enrolment.encoded(), as: UTF8.self)
      ids.append(try await bench.insert([.registration: "phone", .body: body]))
    }
    var leased: [LeasedEnrolment] = []
    for worker in workers { leased += try await worker.leaseEnrolments(atMost: 1, for: .seconds(60)) }
    #expect(leased.map(\.lease.id) == ids)
    let (slow, quick) = laterIsSlow ? (1, 0) : (0, 1)
    let (request, lease) = (try leased[quick].request.get(), leased[quick].lease)
    let between = Interruption(workers[slow]) {
      _ = try await workers[quick].accept(request, under: lease, audience: Phone.audience)?.get()
    }
    let result = try await between.accept(enrolments[slow], as: "phone", mayBeNew: false)
    #expect(await between.attempts == (laterIsSlow ? 2 : 1))
    if laterIsSlow {
      #expect(try result.get().change == .updated)
    } else {
      let error = #expect(throws: SignedSetError.self) { try result.get() }
      #expect(error?.code == "older-serial")
    }
    #expect(try await bench.store.registration(named: "phone")?.registration.enrolment == enrolments[1])
    for (worker, leased) in zip(workers, leased) {
      #expect(try await worker.answer(leased.lease, with: .taken(.updated)))
    }
    for id in ids { #expect(try await bench.answer(of: id)?.answer == "updated") }
  }

  @Test(
    "gives each of a flood of rows to one worker, in their order, and has all answers", arguments: Engine.all)
  func flood(engine: Engine) async throws {
    let bench = try await engine.start()
    let junk = ["{", "[]", "{}", #"{"v":1}"#, String(repeating: "[", count: 9999), "\u{fffd}"]
    var ids: [Int64] = []
    for number in 0..<60 {
      ids.append(
        try await bench.insert([.registration: "phone \(number)", .body: junk[number % junk.count]]))
    }
    let workers = [bench.store, try await bench.another()]
    let answered = try await withThrowingTaskGroup { group in
      for worker in workers {
        group.addTask {
          var answered: [Int64] = []
          while case let some = try await worker.leaseEnrolments(atMost: 7, for: .seconds(60)), !some.isEmpty
          {
            #expect(some.map(\.lease.id) == some.map(\.lease.id).sorted())
            for leased in some {
              let result = try await worker.accept(
                leased.request.get(), under: leased.lease, audience: Phone.audience)
              guard case .failure(let error) = result else { continue }
              if try await worker.answer(leased.lease, with: .refused(reason: error.code)) {
                answered.append(leased.lease.id)
              }
            }
          }
          return answered
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(answered.sorted() == ids)
    for id in ids.prefix(junk.count) {
      let answer = try #require(try await bench.answer(of: id))
      #expect(answer.answer == "refused" && answer.reason?.isEmpty == false)
    }
    #expect(try await bench.store.devices(after: nil, atMost: 9).isEmpty)
  }

  @Test("removes old answers", arguments: Engine.all)
  func sweeping(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    for _ in 0..<3 { _ = try await bench.insert([.registration: "phone", .body: "{}"]) }
    for leased in try await store.leaseEnrolments(atMost: 2, for: .seconds(60)) {
      try await store.answer(leased.lease, with: .refused(reason: "no"))
      try await bench.advance(by: .seconds(60))
    }
    #expect(try await store.removeAnswered(olderThan: .seconds(121), atMost: 9) == 0)
    #expect(try await store.removeAnswered(olderThan: .seconds(120), atMost: 9) == 1)
    #expect(try await store.removeAnswered(olderThan: .zero, atMost: 9) == 1)
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).count == 1)
  }

  @Test("removes no more old answers at once than it is asked for", arguments: Engine.all)
  func sweepingInParts(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    for _ in 0..<5 { _ = try await bench.insert([.registration: "phone", .body: "{}"]) }
    for leased in try await store.leaseEnrolments(atMost: 9, for: .seconds(60)) {
      try await store.answer(leased.lease, with: .refused(reason: "no"))
    }
    var counts: [Int] = []
    for _ in 0..<4 { counts.append(try await store.removeAnswered(olderThan: .zero, atMost: 2)) }
    #expect(counts == [2, 2, 1, 0])
    #expect(try await store.removeAnswered(olderThan: .zero, atMost: -1) == 0)
  }

  private static let faults: [([EnrolmentRow.Column: String], String)] = [
    ([.registration: ""], "registration: must be 1 to 255 bytes of UTF-8 without control characters"),
    ([.person: "a\tb"], "person: must be 1 to 255 bytes of UTF-8 without control characters"),
    ([.body: ""], "body: must be 1 to 32768 bytes"),
    ([.body: String(repeating: " ", count: 32769)], "body: must be 1 to 32768 bytes"),
    ([.challenge: ""], "challenge: must be 1 to 255 bytes"),
    ([.possession: "token"], "possession: must be keyAndToken or keyAlone"),
  ]

  @Test("says which column of a row is wrong", arguments: Engine.all, faults)
  func wrong(engine: Engine, fault: ([EnrolmentRow.Column: String], String)) async throws {
    let bench = try await engine.start()
    let row = [EnrolmentRow.Column.registration: "phone", .body: "{}"]
    _ = try await bench.insert(row)
    _ = try await bench.insert(row.merging(fault.0) { $1 })
    let leased = try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(leased.count == 2 && (try? leased[0].request.get()) != nil)
    let error = #expect(throws: EnrolmentFault.self) { try leased[1].request.get() }
    #expect(error.map { "\($0)" } == fault.1)
  }
}
