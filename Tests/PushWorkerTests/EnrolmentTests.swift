import PushDelivery
import PushCore
import PushEnrolment
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Enrolments that an application hands in, in a row.
@Suite(.hangGuard) struct EnrolmentTests {
  private let store: MemoryStore
  private let scene: Scene

  init() async throws {
    store = MemoryStore()
    scene = try await Scene(store: store)
  }

  private func handIn(
    _ body: [UInt8], as name: String = "ada-1", isNew: Bool = true, possession: String = "keyAndToken"
  ) async -> Int64 {
    await store.handIn(body, as: name, isNew: isNew, possession: possession)
  }

  private func work(until end: @escaping @Sendable (WorkerMetrics) -> Bool) async throws {
    let audience = scene.audience
    try await scene.work({ $0.audience = audience }, until: { end($0) })
  }

  @Test("a device proves what was pushed to it, and then gets what its person is told")
  func pushed() async throws {
    let phone = try EnrolledPhone(scene)
    let first = await handIn(try phone.enrolment())
    // The answer does not wait for the push.
    try await work { $0.asked == 1 }
    #expect(await store.answer(of: first) == .pending(request: nil))
    // Where there is ML-KEM, a phone has two keys, and proves one after the other.
    var last: Int64
    repeat {
      last = await handIn(try await phone.proof())
      try await work { $0.registered + $0.asked == 1 }
    } while await store.answer(of: last) == .pending(request: nil)
    #expect(await store.answer(of: last) == .taken(phone.hasTwoKeys ? .updated : .registered))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("the application gets the tag of the person's account, which each message for the person then has")
  func account() async throws {
    let phone = try EnrolledPhone(scene)
    var row = await handIn(try phone.enrolment())
    try await work { $0.asked == 1 }
    let identity = try #require(await store.registration(named: "ada-1")).registration.identity
    let tag = AccountTag(person: "ada", identity: identity)
    repeat {
      #expect(await store.handedIn([row]).map(\.account) == [tag])
      row = await handIn(try await phone.proof())
      try await work { $0.registered + $0.asked == 1 }
    } while await store.answer(of: row) == .pending(request: nil)
    #expect(await store.handedIn([row]).map(\.account) == [tag])
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    let push = try #require(scene.apns.pushes.last)
    let payload = try JSONObject(parsing: push.payload.span)
    #expect(try phone.outcome(of: payload, signedIn: [tag]) == nil)
    #expect(try phone.outcome(of: payload, signedIn: []) == .otherAccount)
  }

  @Test("a refused enrolment has no account")
  func refusedAccount() async throws {
    let phone = try EnrolledPhone(scene)
    let row = await handIn(try phone.enrolment(), isNew: false)
    try await work { $0.refused == 1 }
    #expect(await store.handedIn([row]).map(\.account) == [nil])
  }

  @Test("with the key alone, the application gets the request for its answer")
  func keyAlone() async throws {
    let phone = try EnrolledPhone(scene)
    let row = await handIn(try phone.enrolment(), possession: "keyAlone")
    try await work { $0.pending == 1 }
    guard case .pending(let request?) = await store.answer(of: row) else {
      Issue.record("there is no request")
      return
    }
    #expect(
      try Enrolment(
        parsing: phone.answer(to: Array(request.utf8)), for: scene.topic, audience: scene.audience
      ).proof != nil)
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("an enrolment of an identity that two phones have is refused, and reported")
  func suspended() async throws {
    let phone = try await scene.phone()
    let own = phone.phone.address
    let other = DeviceAddress(topic: own.topic, environment: own.environment, token: .random())
    for address in [other, own, other] {
      let enrolment = try phone.keys.enrol(address: address, for: scene.audience)
      let pending = try #require(
        try await store.accept(enrolment, as: "ada-1", mayBeNew: false).get().pending)
      let answer = try #require(
        try phone.keys.answer(
          pending.request, openedBy: pending.recipient.thumbprint, address: address, for: scene.audience)
      ).get()
      _ = try await store.accept(answer, as: "ada-1", mayBeNew: false)
    }
    let row = await handIn(try phone.enrolment())
    try await work { $0.refused == 1 && $0.suspended == 1 }
    #expect(await store.answer(of: row) == .refused(reason: "suspended"))
    let identities = scene.reported.compactMap { event -> Thumbprint? in
      if case .identitySuspended(let identity) = event { identity } else { nil }
    }
    #expect(await identities == [store.registration(named: "ada-1")?.registration.identity])
  }

  @Test("an enrolment for another backend is refused with FORMAT.md's code, which applications compare")
  func otherAudience() async throws {
    let phone = try EnrolledPhone(scene)
    let other = try Audience("https://other.example.com")
    let row = await handIn(try phone.keys.enrol(address: phone.phone.address, for: other).encoded())
    try await work { $0.refused == 1 }
    #expect(await store.answer(of: row) == .refused(reason: "other-audience"))
  }

  @Test("a device that leaves is removed, whoever hands the leave in, and however often")
  func leave() async throws {
    let phone = try EnrolledPhone(scene)
    try await phone.enrol(as: "ada-1", of: "ada")
    let leave = try #require(try phone.keys.leave(scene.topic, for: scene.audience)).encoded()
    let other = try Audience("https://other.example.com")
    let foreign = try #require(try phone.keys.leave(scene.topic, for: other)).encoded()
    let rows = [
      await handIn(foreign), await store.handIn(EnrolmentRequest(leave: leave)),
      await handIn(leave, as: "eve"),
    ]
    try await scene.work({ [audience = scene.audience] in $0.audience = audience }) { [store] _ in
      await store.handedIn(rows).allSatisfy { $0.answer != nil }
    }
    #expect(await store.answer(of: rows[0]) == .refused(reason: "other-audience"))
    for row in rows.dropFirst() { #expect(await store.answer(of: row) == .removed) }
    #expect(try await store.devices(of: ["ada"])[0].isEmpty)
  }

  @Test("a row that asks for nothing is refused with its column")
  func wrongRow() async throws {
    let phone = try EnrolledPhone(scene)
    let row = await handIn(try phone.enrolment(), possession: "both")
    try await work { $0.refused == 1 }
    #expect(await store.answer(of: row) == .refused(reason: "possession: must be keyAndToken or keyAlone"))
  }

  @Test(
    "requests to device tokens that are none are refused, which concerns nobody else, and is told once a minute"
  )
  func junk() async throws {
    let scene = try await Scene(store: store) { $0.badDevicesInARow = 2 }
    var rows: [Int64] = []
    for number in 1...4 {
      let address = DeviceAddress(topic: scene.topic, environment: .sandbox, token: .random())
      let body = try InMemoryKeyStore().enrol(address: address, for: scene.audience).encoded()
      rows.append(await handIn(body, as: "junk-\(number)"))
    }
    let audience = scene.audience
    try await scene.work {
      $0.audience = audience
    } until: { metrics in
      let isStopped = await !scene.client.stoppedRoutes.isEmpty
      return metrics.unasked == 4 || isStopped
    }
    #expect(await scene.client.stoppedRoutes.isEmpty && scene.stops.isEmpty)
    #expect(scene.refusals.map(\.count) == [1] && scene.refusals.map(\.reason) == ["BadDeviceToken"])
    for row in rows { #expect(await store.answer(of: row) == .pending(request: nil)) }
  }

  @Test("while a route is stopped, no proof request is pushed on it")
  func stoppedRoute() async throws {
    let failing = FailingStore(store)
    let scene = try await Scene(store: failing)
    scene.apns.inject(.refusal(.forbidden), to: .next(1))
    let audience = scene.audience
    let worker = scene.worker {
      $0.audience = audience
      // Longer than any test takes.
      $0.routePause = .seconds(86_400)
    }
    let run = Task { try await worker.run() }
    var rows = [await handIn(try EnrolledPhone(scene).enrolment())]
    try await HangGuard.wait(while: failing.givenBack < 1)
    // The next one learns that the route is stopped.
    rows.append(await handIn(try EnrolledPhone(scene).enrolment(), as: "ada-2"))
    try await HangGuard.wait(while: scene.reported.isEmpty || failing.givenBack < 2)
    rows.append(await handIn(try EnrolledPhone(scene).enrolment(), as: "ada-3"))
    try await HangGuard.wait(while: failing.givenBack < 3)
    worker.stop()
    try await run.value
    for row in rows { #expect(await store.answer(of: row) == .pending(request: nil)) }
    #expect(scene.apns.pushes.count == 1)
  }

  @Test("an enrolment that cannot be answered is refused in the end")
  func refusedInTheEnd() async throws {
    let row = await handIn(try EnrolledPhone(scene).enrolment())
    for _ in 0..<60 { _ = await store.leaseEnrolments(atMost: 1, for: .zero) }
    try await work { $0.refused + $0.pending == 1 }
    #expect(await store.answer(of: row) == .refused(reason: "it could not be answered for too long"))
  }

  @Test("an enrolment whose rows others hold keeps no other waiting")
  func held() async throws {
    let failing = FailingStore(store)
    let scene = try await Scene(store: failing)
    failing.hold("ada-1")
    let held = await handIn(try EnrolledPhone(scene).enrolment(), possession: "keyAlone")
    let next = await handIn(try EnrolledPhone(scene).enrolment(), as: "ada-2", possession: "keyAlone")
    let audience = scene.audience
    try await scene.work({ $0.audience = audience }) { $0.pending == 1 }
    #expect(await store.answer(of: next) != nil)
    #expect(await store.answer(of: held) == nil)
  }

  @Test("what is leased again begins with the last: one that ends its worker keeps no other from its turn")
  func turns() async throws {
    let failing = FailingStore(store)
    let scene = try await Scene(store: failing)
    for name in ["ada-1", "ada-2"] {
      _ = await handIn(try EnrolledPhone(scene).enrolment(), as: name, possession: "keyAlone")
    }
    // Its worker has crashed.
    _ = await store.leaseEnrolments(atMost: 9, for: .zero)
    failing.holdAnswers()
    let audience = scene.audience
    let worker = scene.worker { $0.audience = audience }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: await store.devices(after: nil, atMost: 9).isEmpty)
    #expect(await store.devices(after: nil, atMost: 9).map(\.device.registration) == ["ada-2"])
    failing.releaseAnswers()
    try await HangGuard.wait(while: worker.metrics.pending < 2)
    worker.stop()
    try await run.value
  }

  @Test("answers that nobody has taken go without end, in parts, and others are answered between")
  func manyOldAnswers() async throws {
    let (time, clock) = (ManualClock(.now), ManualClock(.now))
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    var rows: [Int64] = []
    for _ in 0..<4001 { rows.append(await store.handIn(Array("{}".utf8))) }
    for leased in await store.leaseEnrolments(atMost: rows.count, for: .seconds(60)) {
      try await store.answer(leased.lease, with: .refused(reason: "test"))
    }
    time.advance(by: .seconds(7 * 86_400))
    let audience = scene.audience
    // Its time stands still, so it does not wait for the next hour.
    let worker = scene.worker({ $0.audience = audience }, clock: clock)
    let run = Task { try await worker.run() }
    for row in rows { try await HangGuard.wait(while: await store.answer(of: row) != nil) }
    worker.stop()
    try await run.value
  }

  @Test("an answer that nobody has taken goes after a week")
  func oldAnswers() async throws {
    let time = ManualClock(.now)
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    func answered() async throws -> Int64 {
      let row = await store.insert(EnrolmentRow(columns: [.body: Array("{}".utf8)]))
      let leased = await store.leaseEnrolments(atMost: 1, for: .seconds(60))
      try await store.answer(leased[0].lease, with: .refused(reason: "test"))
      return row
    }
    let old = try await answered()
    time.advance(by: .seconds(86_400))
    let new = try await answered()
    time.advance(by: .seconds(6 * 86_400))
    let audience = scene.audience
    let worker = scene.worker { $0.audience = audience }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: await store.answer(of: old) != nil)
    worker.stop()
    try await run.value
    #expect(await store.answer(of: new) != nil)
  }

  @Test("answers that nobody has taken are looked for every hour")
  func hourly() async throws {
    let (time, clock) = (ManualClock(.now), ManualClock(.now))
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    let row = await store.handIn(Array("{}".utf8))
    let audience = scene.audience
    let worker = scene.worker({ $0.audience = audience }, clock: clock)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: await store.answer(of: row) == nil)
    time.advance(by: .seconds(8 * 86_400))
    // The worker looks for enrolments and for proof requests and pauses, and extends leases.
    await clock.waitForSleepers(count: 4)
    clock.advance(by: .seconds(3599))
    await clock.waitForSleepers(count: 4)
    #expect(await store.answer(of: row) != nil)
    clock.advance(by: .seconds(1))
    try await HangGuard.wait(while: await store.answer(of: row) != nil)
    worker.stop()
    try await run.value
  }

  @Test("a flood of enrolments holds up no job, and each has its answer")
  func flood() async throws {
    let failing = FailingStore(store)
    let scene = try await Scene(store: failing)
    let phone = try await scene.phone()
    var rows: [Int64] = []
    for number in 0..<2000 { rows.append(await handIn(Array(#"{"v":\#(number)}"#.utf8))) }
    failing.holdAnswers()
    try await scene.enqueueIn(store, "At noon?")
    try await scene.work { [audience = scene.audience] in
      $0.audience = audience
    } until: { metrics in
      guard metrics.acknowledged == 1 else { return false }
      if metrics.refused == 0 { failing.releaseAnswers() }
      return metrics.refused == 2000
    }
    #expect(try await phone.phone.shown.body == "At noon?")
    for row in rows {
      guard case .refused(let reason) = await store.answer(of: row) else {
        Issue.record("row \(row) has no answer")
        return
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test("an enrolment has its answer though APNs has no time for its proof request")
  func busy() async throws {
    let phone = try EnrolledPhone(scene)
    scene.apns.inject(.refusal(.serviceUnavailable), to: .all)
    let row = await handIn(try phone.enrolment())
    let apns = scene.apns
    try await work { $0.pending == 1 && !apns.pushes.isEmpty }
    #expect(await store.answer(of: row) == .pending(request: nil))
  }
}
