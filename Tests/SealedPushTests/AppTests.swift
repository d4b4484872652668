import PushEnrolment
import SealedPush
import TestSupport
import Testing

/// What an app does, with one import of the package.
@Suite struct AppTests {
  @Test func anAppEnrolsAndOpensAPush() throws {
    let folder = try TemporaryFolder()
    let (backend, topic) = (try Backend(), try Topic("com.example.app"))
    let keys = KeyFolder(path: folder.path)
    let token = try DeviceToken("00ff")
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: token)
    let enrolment = try keys.enrol(address: address, for: backend.audience, challenge: Challenge("7Qx2"))
    var registration = try backend.register(enrolment.encoded())

    let receiver = Receiver(
      topic: topic, keys: keys, senders: try backend.senders, replay: InMemoryReplayStore())
    // A request for each key.
    var (newest, change) = (enrolment, Registrations.Change.pending)
    while change == .pending {
      let request = try JSONObject(parsing: try backend.request(of: registration))
      let opened = try receiver.openProofRequest(EnvelopeField(data: request))
      newest = try #require(
        try keys.answer(
          opened.request, openedBy: opened.opened.recipient, address: address, for: backend.audience)
      ).get()
      change = try backend.update(&registration, with: newest.encoded())
    }
    #expect(change != .unchanged)
    #expect(try keys.confirm(newest))

    let payload = try JSONObject(parsing: try backend.push("Lunch at noon?", to: registration))
    #expect(receiver.reception(ofPayload: payload).content.body == "Lunch at noon?")
  }
}
