import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What is shown of another system's plaintext.
@Suite(.hangGuard)
struct FormatReadingTests {
  private let parties = Parties()

  private func reception(_ text: String, _ reading: PlaintextReading) -> Reception {
    parties.receiver(accepts: .others(OtherFormat(), reading: reading)).reception(of: .other(text))
  }

  @Test("an APNs payload is shown as one, and nothing of the visible one is")
  func payload() {
    let content = reception(
      #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"sound":"s.caf","badge":3,"#
        + #""thread-id":"t","category":"c"},"chat":42}"#, .payload
    ).content
    var expected = ShownContent()
    expected.title = "T"
    expected.subtitle = "S"
    expected.body = "B"
    expected.sound = .named("s.caf")
    expected.badge = 3
    expected.threadIdentifier = "t"
    expected.category = "c"
    expected.userInfo = [
      "aps": content.userInfo["aps"] ?? .boolean(false), "chat": .integer(42),
    ]
    #expect(content == expected)
  }

  @Test("an object with title, subtitle and body is an alert, and the rest is the app's")
  func alert() {
    let content = reception(#"{"title":"T","subtitle":"S","body":"B","chat":42}"#, .alert).content
    #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
    #expect(content.userInfo["chat"] == .integer(42))
    #expect(content.userInfo["title"] == nil)
  }

  @Test("an alert's aps is not taken from the plaintext")
  func alertWithAPS() {
    let content = reception(#"{"body":"B","aps":{"badge":7,"alert":{"body":"C"}}}"#, .alert).content
    #expect(content.body == "B")
    #expect(content.badge == nil)
  }

  @Test("a text is the body")
  func text() {
    #expect(reception("é", .text).content.body == "é")
  }

  @Test("a reading may look at the payload that brought the plaintext")
  func ownReading() {
    let reading = PlaintextReading { plaintext, payload in
      [
        "aps": [
          "alert": [
            "title": payload["outer"] ?? "", "body": .string(String(decoding: plaintext, as: UTF8.self)),
          ]
        ]
      ]
    }
    #expect(reception("B", reading).content.title == "canary")
  }

  @Test(
    "a plaintext with nothing to show degrades",
    arguments: [
      ("", PlaintextReading.text), ("{}", .alert), (#"{"title":1}"#, .alert), ("[]", .alert),
      (#"{"aps":{"badge":1}}"#, .payload), ("not JSON", .payload), (#"{"body":"B"}"#, .payload),
    ])
  func nothing(_ text: String, _ reading: PlaintextReading) {
    #expect(reception(text, reading).outcome == .degraded(.otherFormat))
  }

  @Test("a text that is no UTF-8 degrades")
  func notUTF8() {
    struct Raw: EnvelopeFormat {
      static let name = "raw"
      static func isRecognized(_ payload: JSONObject) -> Bool { true }
      func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] { [0x41, 0xff] }
    }
    let receiver = parties.receiver(accepts: .others(Raw()))
    #expect(receiver.reception(of: .other("")).outcome == .degraded(.otherFormat))
  }

  @Test("nobody's message does not break through a person's silence")
  func lowered() {
    let content = reception(
      #"{"aps":{"alert":{"body":"B"},"interruption-level":"critical","#
        + #""sound":{"critical":1,"name":"alarm.caf","volume":1.0}}}"#, .payload
    ).content
    #expect(content.interruptionLevel == .active)
    #expect(content.sound == .named("alarm.caf"))
  }

  @Test("the package's own members mean nothing in it")
  func ownMembers() {
    let content = reception(
      #"{"aps":{"alert":{"body":"B"}},"sealed-push":{"attachments":[]},"ENCRYPTED_DATA":"AQ","x":1}"#,
      .payload
    ).content
    #expect(content.userInfo["sealed-push"] == nil)
    #expect(content.userInfo["ENCRYPTED_DATA"] == nil)
    #expect(content.userInfo["x"] == .integer(1))
  }

  @Test("no step is taken for it")
  func steps() async {
    var receiver = parties.receiver(accepts: .others(OtherFormat()))
    receiver.steps = [EnrichmentStep("step") { content, _ in content.body = "stepped" }]
    #expect(await receiver.receive(.other("Hello")).content.body == "Hello")
  }
}
