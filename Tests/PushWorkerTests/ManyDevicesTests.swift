import PushEnvelope
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

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
}
