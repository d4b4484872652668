import SealedPush
import TestSupport
import Testing

/// What an app does, with one import of the package.
@Suite struct AppTests {
  @Test func anAppEnrolsAndOpensAPush() throws {
    let folder = try TemporaryFolder()
    let (backend, topic) = (try Backend(), try Topic("com.example.app"))
    let keys = KeyFolder(path: folder.path)
    let token = try #require(DeviceToken(text: "00ff"))
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: token)
    let enrolment = try keys.enrol(at: address, challenge: Challenge("7Qx2"))
    #expect(try keys.confirm(enrolment))

    let receiver = Receiver(
      topic: topic, keys: keys, senders: try backend.senders, replay: InMemoryReplayStore())
    let payload = try JSONObject(parsing: try backend.push("Lunch at noon?", to: enrolment.encoded()))
    #expect(receiver.reception(ofPayload: payload).content.body == "Lunch at noon?")
  }
}
