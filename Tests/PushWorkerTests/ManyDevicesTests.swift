import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import TestSupport
import Testing

@testable import PushWorker

/// A person with more devices than are sealed together.
@Suite(.hangGuard) struct ManyDevicesTests {
  @Test("a person with a thousand devices gets a job on each, once, and the job is one")
  func manyDevices() async throws {
    let scene = try await Scene()
    // More than are sealed together.
    var phones: [EnrolledPhone] = []
    for number in 0..<1001 { phones.append(try await scene.phone(named: "phone \(number)")) }
    scene.apns.inject(.refusal(.serviceUnavailable), to: .each(7))
    let id = try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    let identities = try await scene.store.devices(of: ["ada"])[0].map(\.identity)
    #expect(identities.count == 1001 && scene.apns.accepted.count == 1001)
    #expect(identities.allSatisfy { scene.apns.accepted[id.derived(for: $0)] == 1 })
    for phone in phones { #expect(try await phone.phone.shown.body == "At noon?") }
  }

  @Test("of many persons with many devices no more are prepared than memory is to hold; the others are next")
  func manyPersons() async throws {
    let store = FailingStore(MemoryStore())
    let scene = try await Scene(store: store)
    for person in 0..<5 {
      for name in ["a", "b"] { _ = try await scene.phone(of: "\(person)", named: "\(person) \(name)") }
      try await scene.enqueue("At noon?", to: "\(person)")
    }
    let worker = scene.worker { ($0.personsAtATime, $0.messagesAtATime) = (1, 3) }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.acknowledged < 5)
    worker.stop()
    try await run.value
    #expect(scene.apns.accepted.count == 10 && scene.apns.accepted.repeated.isEmpty)
    // Two of five, two more, and the last.
    #expect(worker.metrics.waited == 3 && store.lookups == 5)
  }
}
