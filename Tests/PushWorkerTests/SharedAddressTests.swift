import PushCore
import PushEnrolment
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Devices of one person that have the same address.
@Suite(.hangGuard) struct SharedAddressTests {
  @Test("an app that is installed anew under its old token gets a message once, and can read it")
  func installedAnew() async throws {
    let time = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: time))
    let phone = try await scene.phone(proving: .keyAlone)
    time.advance(by: .seconds(10))
    let (keys, address) = (InMemoryKeyStore(), phone.phone.address)
    let first = try await scene.store.accept(
      keys.enrol(address: address, for: scene.audience), as: "ada-2", person: "ada", mayBeNew: true,
      proving: .keyAlone
    ).get()
    let asked = try #require(first.pending)
    let proof = try keys.answer(
      asked.request, openedBy: asked.recipient.thumbprint, address: address, for: scene.audience)
    _ = try await scene.store.accept(
      #require(proof).get(), as: "ada-2", mayBeNew: false, proving: .keyAlone
    ).get()
    let devices = try await scene.store.devices(of: ["ada"])[0]
    try #require(devices.count == 2)
    let id = try await scene.enqueue("Lunch?")
    try await scene.work { $0.acknowledged == 1 }
    let new = try #require(devices.first { $0.device.registration == "ada-2" })
    #expect(scene.apns.pushes.map(\.messageID) == [id.derived(for: new.identity)])
  }
}
