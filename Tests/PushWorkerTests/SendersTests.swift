import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// A worker whose apps have senders of their own.
@Suite("Senders of several apps", .hangGuard) struct SendersTests {
  private static let count = 33

  private let clock = ManualClock(.now)
  private let scene: Scene
  private let other: Topic
  private let own = KeySet(generating: .sender, at: .now)

  init() async throws {
    scene = try await Scene(store: MemoryStore(clock: clock))
    other = try Topic("com.example.other")
  }

  private func rotated(_ keys: KeySet) throws -> KeySet {
    var editor = KeySetEditor(keys)
    try editor.rotate(again: true, at: .now)
    return editor.keySet
  }

  @Test("each app's phones get what their own sender has signed")
  func each() async throws {
    let (first, second) = (
      try await scene.phone(),
      try await scene.phone(named: "ada-2", with: other, trusting: own)
    )
    try await scene.enqueue("At noon?")
    let senders = try Senders([other: own], others: scene.senders)
    try await scene.work(signing: senders) { $0.acknowledged == 1 }
    #expect(try await first.phone.shown.body == "At noon?")
    #expect(try await second.phone.shown.body == "At noon?")
  }

  @Test("a repeat is signed as the first attempt was, though each sender has rotated since")
  func again() async throws {
    let phones = [
      try await scene.phone(), try await scene.phone(named: "ada-2", with: other, trusting: own),
    ]
    scene.apns.inject(.transport(.reset(.beforeAnswer)), to: .next(2))
    try await scene.enqueue("At noon?")
    let senders = try Senders([other: own], others: scene.senders)
    try await scene.work({ $0.firstDelay = .seconds(3600) }, signing: senders) { $0.retried == 1 }
    clock.advance(by: .seconds(3600))
    let later = try Senders([other: rotated(own)], others: rotated(scene.senders))
    try await scene.work(signing: later) { $0.acknowledged == 1 }
    for phone in phones {
      _ = try await phone.phone.shown
      #expect(phone.phone.screen.map { $0.degraded == nil } == [true], "shown once, and opened")
    }
    #expect(scene.apns.pushes.map(\.deliveries) == [1, 1, 1, 1])
  }

  @Test("an app without a sender waits for one, and the others do not")
  func none() async throws {
    _ = (
      try await scene.phone(), try await scene.phone(of: "bob", named: "bob-1", with: other, trusting: own)
    )
    for person in ["ada", "bob"] { try await scene.enqueue("At noon?", to: person) }
    let senders = try Senders([other: own])
    try await scene.work({ $0.firstDelay = .seconds(3600) }, signing: senders) {
      $0.acknowledged == 1 && $0.retried == 1
    }
    #expect(scene.delays.count == 1)
    #expect(scene.apns.accepted.count == 1)
  }

  @Test("there is at least one sender, and at most 32", arguments: [0, count])
  func bounds(number: Int) throws {
    let byTopic = try (0..<number).map {
      (try Topic("com.example.app\($0)"), KeySet(generating: .sender, at: .now))
    }
    let error = #expect(throws: ConfigurationError.self) {
      try Senders(Dictionary(uniqueKeysWithValues: byTopic))
    }
    #expect(error?.property == "senders")
  }
}
