import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport
import Testing

/// A worker delivers through APNs alone.
@Suite("A device of FCM", .hangGuard)
struct FCMRefusalTests {
  @Test("is refused by every store, and changes nothing there", arguments: Engine.all)
  func refused(engine: Engine) async throws {
    let bench = try await engine.start()
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let address = try FCMAddress(topic: Phone.topic, token: FCMToken("fX9:A"))
    let enrolment = try keys.enrol(address: address, for: Phone.audience, at: start)
    let result = try await bench.store.accept(enrolment, as: "android", person: "alice", mayBeNew: true)
    #expect(throws: SignedSetError.unsupportedService) { try result.get() }
    #expect(try await bench.store.device(named: "android") == nil)
    #expect(try await bench.store.registration(named: "android") == nil)
  }
}
