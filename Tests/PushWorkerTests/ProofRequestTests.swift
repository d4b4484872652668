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

/// Pushes that ask devices for a proof.
@Suite(.hangGuard) struct ProofRequestTests {
  /// The store's time.
  private let time = ManualClock(.now)
  /// The worker's time.
  private let clock = ManualClock(.now)
  /// The connections' time.
  private let connections = ManualClock(.now)
  private let store: MemoryStore
  private let scene: Scene

  init() async throws {
    store = MemoryStore(clock: time)
    scene = try await Scene(store: store, clock: connections) { policy in
      policy.maximumAttempts = 5
      policy.firstDelay = .zero
    }
  }

  private func begin(leasing lease: Duration = .seconds(60)) -> (Worker, Task<Void, any Error>) {
    let audience = scene.audience
    let worker = scene.worker(
      {
        $0.audience = audience
        $0.lease = lease
      }, clock: clock)
    return (worker, Task { try await worker.run() })
  }

  private func handIn(_ number: Int = 1, from phone: EnrolledPhone? = nil) async throws -> Int64 {
    let phone = try phone ?? EnrolledPhone(scene)
    return await store.handIn(try phone.enrolment(), as: "phone-\(number)", of: "person-\(number)")
  }

  /// Lets the worker look for enrolments and requests again.
  private func passSecond() async {
    await clock.waitForSleepers(count: 4)
    clock.advance(by: .seconds(1))
  }

  @Test(
    "of a flood, 256 are on their way at a time, the others when these have ended, and no answer waits for them"
  )
  func flood() async throws {
    let (most, all) = (256, 260)
    // Until then, APNs takes one push at a time.
    _ = try await scene.phone(of: "bob", named: "bob-1")
    try await scene.enqueue("Hello", to: "bob")
    try await scene.work { $0.acknowledged == 1 }
    scene.apns.inject(.latency(.milliseconds(10)), to: .all)
    var rows: [Int64] = []
    for number in 0..<all { rows.append(try await handIn(number)) }
    let (worker, run) = begin()
    try await HangGuard.wait(while: worker.metrics.pending < all || scene.apns.pushes.count < 1 + most)
    for row in rows { #expect(await store.answer(of: row) == .pending(request: nil)) }
    #expect(worker.metrics.asked == 0 && scene.apns.pushes.count == 1 + most)
    try await scene.letAnswer { worker.metrics.asked == all }
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count == 1 + all)
  }

  @Test("one that APNs puts off keeps its route open, and is sent again a lease later")
  func putOff() async throws {
    let busy = try EnrolledPhone(scene)
    scene.apns.inject(.refusal(.tooManyRequests), to: .next(1), of: busy.phone.token)
    _ = try await handIn(1, from: busy)
    _ = try await handIn(2)
    let (first, run) = begin()
    try await HangGuard.wait(while: first.metrics.asked == 0 || scene.client.metrics.refused.isEmpty)
    first.stop()
    try await run.value
    #expect(scene.stops.isEmpty && scene.apns.pushes.count == 2)
    time.advance(by: .seconds(60))
    let (second, again) = begin()
    try await HangGuard.wait(while: second.metrics.asked == 0)
    second.stop()
    try await again.value
    #expect(scene.apns.pushes.count == 3)
  }

  @Test("one whose connection ends is sent again at once")
  func cut() async throws {
    scene.apns.inject(.transport(.reset(.beforeAnswer)), to: .next(1))
    _ = try await handIn()
    let (worker, run) = begin()
    try await HangGuard.wait(while: worker.metrics.asked == 0 && scene.stops.isEmpty)
    worker.stop()
    try await run.value
    #expect(scene.stops.isEmpty)
  }

  @Test(
    "one without an answer by half of its lease makes its route wait, and is sent again when its token may be asked"
  )
  func late() async throws {
    scene.apns.inject(.latency(.milliseconds(10)), to: .next(1))
    _ = try await handIn()
    let (worker, run) = begin(leasing: .seconds(40))
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    connections.advance(by: .seconds(20))
    try await HangGuard.wait(while: scene.stops.isEmpty)
    // It may have arrived, so its person is asked an hour later.
    await clock.waitForSleepers(count: 4)
    time.advance(by: .seconds(3599))
    clock.advance(by: .seconds(3599))
    await clock.waitForSleepers(count: 4)
    #expect(scene.apns.pushes.count == 1)
    time.advance(by: .seconds(1))
    clock.advance(by: .seconds(1))
    try await HangGuard.wait(while: worker.metrics.asked == 0)
    worker.stop()
    try await run.value
    #expect(scene.stops == ["it takes too long"] && scene.apns.pushes.count == 2)
  }

  @Test("to who is not the token's holder is kept by no APNs, and the holder's is")
  func expiration() async throws {
    let phone = try EnrolledPhone(scene)
    _ = try await handIn(1, from: phone)
    let (worker, run) = begin()
    try await HangGuard.wait(while: worker.metrics.asked == 0)
    _ = await store.handIn(try await phone.proof(), as: "phone-1", of: "person-1")
    await passSecond()
    try await HangGuard.wait(while: worker.metrics.registered + worker.metrics.pending < 2)
    // Where there is ML-KEM, a phone has another key to prove.
    if !phone.hasTwoKeys {
      _ = try phone.keys.rotate(ifOlderThan: .zero)
      _ = try await handIn(1, from: phone)
      await passSecond()
    }
    try await HangGuard.wait(while: worker.metrics.asked < 2)
    worker.stop()
    try await run.value
    let expirations = scene.apns.pushes.map { push in
      push.headers.first { $0.name == "apns-expiration" }?.value
    }
    #expect(expirations.first == "0" && expirations.last != "0")
  }

  @Test("that gets 410 ends the token: it is asked again for a later enrolment, a day after")
  func gone() async throws {
    let phone = try EnrolledPhone(scene)
    phone.phone.deleteApp()
    _ = try await handIn(1, from: phone)
    let (worker, run) = begin()
    try await HangGuard.wait(while: worker.metrics.unasked == 0)
    for (hours, pushes) in [(20, 1), (5, 2)] {
      time.advance(by: .seconds(hours * 3600))
      let row = try await handIn(1, from: phone)
      await passSecond()
      try await HangGuard.wait(while: await store.answer(of: row) == nil)
      try await HangGuard.wait(while: scene.apns.pushes.count < pushes)
    }
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count == 2)
  }

  @Test("stands for sixty enrolments that are equal")
  func repeated() async throws {
    let enrolment = try EnrolledPhone(scene).enrolment()
    let (worker, run) = begin()
    for number in 1...60 {
      _ = await store.handIn(enrolment)
      await passSecond()
      try await HangGuard.wait(while: worker.metrics.pending < number)
    }
    try await HangGuard.wait(while: worker.metrics.asked == 0)
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count == 1)
  }

  @Test("of a hundred phones all arrive at once beside ten thousand whose tokens are junk")
  func junk() async throws {
    let (junk, honest) = Volume.isWhole ? (10_000, 100) : (300, 10)
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore(path: folder.path(of: "push.sqlite"), clock: time)
    let scene = try await Scene(store: store)
    var phones: [EnrolledPhone] = []
    for number in 0..<junk {
      if number.isMultiple(of: junk / honest) {
        let phone = try EnrolledPhone(scene)
        phones.append(phone)
        try await accept(phone.enrolment(), as: "phone-\(number)", of: "honest-\(number)", in: store)
      }
      let address = DeviceAddress(topic: scene.topic, environment: .sandbox, token: .random())
      let body = try InMemoryKeyStore().enrol(address: address, for: scene.audience).encoded()
      // A person has ten a day, and then no more.
      try await accept(body, as: "junk-\(number)", of: "eve-\(number / 50)", in: store)
    }
    let audience = scene.audience
    let worker = scene.worker({ $0.audience = audience }, clock: clock)
    let run = Task { try await worker.run() }
    // The worker's time stands still: nothing that it does for them waits.
    try await HangGuard.wait(while: worker.metrics.asked < honest)
    worker.stop()
    try await run.value
    for phone in phones { _ = try await phone.proof() }
    #expect(scene.stops.isEmpty && scene.apns.pushes.count <= honest + junk / 5)
  }

  private func accept(
    _ body: [UInt8], as name: String, of person: String, in store: SQLiteStore
  ) async throws {
    let enrolment = try Enrolment(parsing: body, for: scene.topic, audience: scene.audience)
    let outcome = try await store.accept(enrolment, as: name, person: person, mayBeNew: true).get()
    #expect(outcome.pending != nil)
  }
}
