import PushCore
import PushStandIn
import PushStore
import PushWorker
import TestSupport
import Testing

/// A job that is for one app's devices.
@Suite(.hangGuard) struct TopicTests {
  private static let mistyped = "topic: no registration in the store has it"

  private func reasons(in scene: Scene) async throws -> [String] {
    try await scene.store.deadLetters(after: nil, atMost: 9).map(\.reason)
  }

  @Test("is a dead letter if no device in the store is of the app, which is probably mistyped")
  func mistyped() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    for person in ["ada", "bob"] {
      try await scene.enqueue("At noon?", to: person, topic: Topic("com.example.ap"))
    }
    try await scene.work { $0.discarded == 2 && $0.withoutDevices == 0 }
    #expect(try await reasons(in: scene) == [Self.mistyped, Self.mistyped])
    #expect(scene.apns.accepted.count == 0)
  }

  @Test("is done if others have devices of the app, and its person has none")
  func nobody() async throws {
    let scene = try await Scene()
    _ = try await scene.phone(of: "bob", named: "bob-1")
    try await scene.enqueue("At noon?", topic: scene.topic)
    try await scene.work { $0.acknowledged == 1 && $0.withoutDevices == 1 }
    #expect(try await reasons(in: scene) == [])
  }

  @Test("is done if it is the worker's own app, though nobody has registered yet")
  func own() async throws {
    let scene = try await Scene()
    try await scene.enqueue("At noon?", topic: scene.topic)
    try await scene.work({ $0.topic = scene.topic }) { $0.acknowledged == 1 && $0.withoutDevices == 1 }
    #expect(try await reasons(in: scene) == [])
  }

  @Test("reaches the devices of the app alone")
  func right() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    _ = try await scene.phone(named: "ada-2", with: Topic("com.example.other"))
    try await scene.enqueue("At noon?", topic: scene.topic)
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 1)
  }
}
