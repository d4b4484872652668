import PushCore
import PushReceiver
import TestSupport
import Testing

@Suite("An opened message shows no text in logs", .hangGuard)
struct MuteMessageTests {
  private let parties = Parties()

  @Test func isMute() throws {
    let push = try parties.push()
    let message = try parties.receiver().open(push)
    let reception = parties.receiver().reception(of: push)
    #expect(reception.content.body == "secret")
    for value in [push, message, reception, reception.content] as [Any] {
      for shown in logged(value) { #expect(!shown.contains("secret"), "\(type(of: value)): \(shown)") }
    }
    let id = message.opened.claims.messageID.text
    #expect("\(message)" == "opened message \(id), \(message.json.count) bytes")
  }
}
