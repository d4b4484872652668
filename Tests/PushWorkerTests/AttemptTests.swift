import PushDelivery
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Jobs that are tried again, and jobs that are given up.
@Suite(.hangGuard) struct AttemptTests {
  @Test("what APNs has no time for is tried again with the same message ID, and shown once")
  func again() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(2))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 && $0.retried == 2 }
    #expect(try await phone.phone.shown.body == "At noon?")
    #expect(Set(scene.apns.pushes.map(\.messageID)).count == 1)
  }

  @Test("a device that has the push gets no other when the job is tried again for another device")
  func settled() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(1), of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 2 && scene.apns.accepted.repeated.isEmpty)
  }

  @Test("the wait before another attempt doubles up to the longest, and is up to a half shorter")
  func delays() async throws {
    let time = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: time))
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable), to: .all)
    try await scene.enqueue("At noon?")
    let worker = scene.worker { $0.firstDelay = .seconds(10) }
    let run = Task { try await worker.run() }
    let longest = [10, 20, 40, 80, 160, 320, 640, 900, 900, 900].map { Duration.seconds($0) }
    for count in 1...longest.count {
      try await HangGuard.wait(while: worker.metrics.retried < count)
      time.advance(by: .seconds(900))
    }
    run.cancel()
    try? await run.value
    for (delay, longest) in zip(scene.delays, longest) { #expect((longest / 2...longest).contains(delay)) }
  }

  @Test("what APNs asks to be left alone for a while is not tried before")
  func retryAfter() async throws {
    let time = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: time))
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable, retryAfter: 600), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.retried == 1 }
    #expect(scene.delays == [.seconds(600)])
    time.advance(by: .seconds(600))
    try await scene.work { $0.acknowledged == 1 }
  }

  @Test("a row that is no job goes to the dead letters, and harms no other")
  func wrongRow() async throws {
    let store = MemoryStore()
    let scene = try await Scene(store: store)
    let phone = try await scene.phone()
    _ = await store.insert(
      JobRow(columns: [
        .messageID: Array(MessageID.random().text.utf8), .person: Array("ada".utf8),
        .payload: Array("[]".utf8), .createdAt: Array("\(UnixTime.now.seconds)".utf8),
      ]))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 && $0.discarded == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
    let dead = await store.deadLetters(after: nil, atMost: 2)
    #expect(dead.count == 1 && dead[0].reason.contains("payload"))
  }

  @Test("what cannot be sealed goes to the dead letters")
  func tooLarge() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.enqueue(String(repeating: "x", count: 5000))
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 1)
  }

  @Test("a message whose lifetime is over is not sent")
  func expired() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let before = UnixTime.now.advanced(by: .seconds(-7200))
    try await scene.store.enqueue([
      Job(Scene.payload("At noon?"), to: "ada", lifetime: Lifetime(seconds: 3600), at: before)
    ])
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    let dead = try await scene.store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.reason) == ["its lifetime is over"] && scene.apns.pushes.isEmpty)
  }
}
