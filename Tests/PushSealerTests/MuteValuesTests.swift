import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import TestSupport
import Testing

/// Logs get values whole, with `print`, interpolation and `dump`.
@Suite("A value with a text or a person shows neither")
struct MuteValuesTests {
  private static let text = "Lunch with Bob?"
  private static let person = "ada-lovelace"

  private static func values() throws -> [Any] {
    let backend = Backend()
    let device = Device(.x25519ChaChaPoly)
    var notification = RemoteNotification(title: text, body: text)
    notification.custom["note"] = .string(text)
    let activity = LiveActivity(
      .update, timestamp: UnixTime(clamping: 7), contentState: ["score": .string(text)])
    let payload = try notification.payload()
    let enrolled = EnrolledDevice(
      address: Device.address(7), keys: try device.keys.publicKeys, registration: person, person: person)
    var content = ShownContent()
    (content.title, content.body) = (text, text)
    return [
      notification, try #require(notification.alert), LocalizedText(key: text, arguments: [text]), activity,
      SealJob(.notification(notification), to: try device.recipient),
      SealJob(.payload(payload), to: try device.recipient), SealJob.Content.payload(payload),
      FanOutJob(.notification(notification), to: [enrolled]), enrolled,
      try backend.sealer().seal(notification, to: [enrolled])[0],
      IncomingPush(payload: payload), content,
    ]
  }

  @Test func isMute() throws {
    for value in try Self.values() {
      for shown in logged(value) {
        #expect(
          !shown.contains(Self.text) && !shown.contains(Self.person) && !shown.isEmpty,
          "\(type(of: value)): \(shown)")
      }
    }
  }

  @Test("says what it is") func description() throws {
    let notification = RemoteNotification(body: Self.text)
    #expect("\(notification)" == "notification, \(try notification.payload().encoded().count) bytes")
    let id = MessageID.random()
    #expect("\(id)" == id.text)
    let push = try Backend().sealer().seal(notification, to: Device(.x25519ChaChaPoly), messageID: id)
    #expect("\(push)" == "push \(id.text), \(push.payload.count) bytes")
    let job = SealJob(
      .notification(notification), to: try Device(.x25519ChaChaPoly).recipient, messageID: id)
    #expect("\(job)" == "job \(id.text), \(notification)")
    let thumbprint = try Device(.x25519ChaChaPoly).recipient.thumbprint
    #expect("\(thumbprint)" == thumbprint.text && "\(thumbprint.keyID)" == thumbprint.keyID.text)
  }
}
