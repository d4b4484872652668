import Foundation
import PushCore
import SealedPush
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import Testing
import UserNotifications

/// Data, which the app itself opens: not the extension, and not instead of a notification.
struct DataTests {
  private let phone = Phone()

  private func sealed(_ pushType: PushType) throws -> JSONObject {
    let sealer = Sealer(
      topic: Phone.topic, signingKey: try phone.backend.signingKey(),
      policy: SealingPolicy(pushType: pushType))
    let aps: JSONObject =
      pushType == .liveActivity ? ["timestamp": 1, "event": "update", "content-state": [:]] : [:]
    let content: JSONObject = ["aps": .object(aps), "call": 7]
    let push = try sealer.seal(payload: content, to: phone.device.publicKeys.recipient(), at: Phone.now)
    return try JSONObject(parsing: push.payload.span)
  }

  private func userInfo(_ payload: JSONObject) throws -> [AnyHashable: Any] {
    try JSONSerialization.jsonObject(with: Data(payload.encoded())) as? [AnyHashable: Any] ?? [:]
  }

  @Test("a background push and a call open for the app", arguments: [PushType.background, .voip])
  func opens(pushType: PushType) throws {
    let message = try phone.receiver().openData(
      userInfo: try userInfo(sealed(pushType)), as: pushType.contentType)
    #expect(message.payload["call"]?.number?.integer == 7)
    #expect(message.opened.sender != nil)
  }

  @Test("a proof request opens for the app, and is no data")
  func proofRequest() throws {
    let request = ProofRequest(
      audience: try Audience("https://push.example.com"), identity: phone.device.records[0].id,
      proof: .random())
    let push = try Sealer(topic: Phone.topic, signingKey: try phone.backend.signingKey())
      .seal(request, to: phone.device.publicKeys.recipient(), at: Phone.now)
    let userInfo = try userInfo(JSONObject(parsing: push.payload.span))
    #expect(try phone.receiver().openProofRequest(userInfo: userInfo).request == request)
    #expect(throws: DegradeReason.malformedContent) {
      try phone.receiver().openData(userInfo: userInfo, as: .background)
    }
    let data = try self.userInfo(sealed(.background))
    #expect(throws: DegradeReason.malformedContent) { try phone.receiver().openProofRequest(userInfo: data) }
    #expect(throws: DegradeReason.noEnvelope) { try phone.receiver().openProofRequest(userInfo: [:]) }
  }

  @Test("a call that comes again is a duplicate")
  func opensAgain() throws {
    let userInfo = try userInfo(sealed(.voip))
    let receiver = phone.receiver()
    for expected in [Repetition.first, .duplicate] {
      #expect(try receiver.openData(userInfo: userInfo, as: .voip).opened.repetition == expected)
    }
  }

  @Test("a widget opens the state of a Live Activity, which is an envelope in a member of its own")
  func liveActivity() throws {
    let aps = try sealed(.liveActivity)["aps"]?.object
    let envelope = try #require(aps?["content-state"]?.object?["ENCRYPTED_DATA"]?.string)
    let state = ["sealed": envelope]
    #expect(
      try phone.receiver().openData(.text(state["sealed"] ?? ""), as: .liveActivity).payload["call"] == 7)
  }

  @Test("a notification's envelope is no data")
  func notificationRefused() throws {
    let userInfo = try phone.request().content.userInfo
    let receiver = phone.receiver()
    #expect(throws: DegradeReason.malformedContent) {
      try receiver.openData(userInfo: userInfo, as: .background)
    }
  }

  @Test("data in a notification's place shows the placeholder")
  func dataRefused() async throws {
    var payload = try sealed(.background)
    payload["aps"] = ["alert": ["title": "New", "body": "(Encrypted)"], "mutable-content": 1]
    let host = ExtensionHost(clock: phone.clock) { [phone] in TestService { _ in phone.receiver() } }
    #expect(try await host.deliver(payload.encoded(), admitsPlaceholder: true).body == "(Encrypted)")
  }

  @Test("whatever stands in the envelope's place and is no string is no envelope")
  func notText() throws {
    let values: [Any] = [
      1, true, 1.5, NSNull(), Data([1, 1]), Date(), URL(fileURLWithPath: "/"), ["AQ"], ["v": 1],
    ]
    for value in values {
      #expect(throws: DegradeReason.malformedEnvelope, "\(value)") {
        try phone.receiver().openData(userInfo: ["ENCRYPTED_DATA": value], as: .background)
      }
    }
  }

  @Test(
    "what has no envelope, or one that is no text, says so",
    arguments: [([:], DegradeReason.noEnvelope), (["ENCRYPTED_DATA": 1], .malformedEnvelope)]
      as [(
        [String: Int], DegradeReason
      )])
  func noEnvelope(userInfo: [String: Int], reason: DegradeReason) {
    #expect(throws: reason) { try phone.receiver().openData(userInfo: userInfo, as: .background) }
  }
}
