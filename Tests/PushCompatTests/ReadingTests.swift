import PushCompat
import PushCore
import PushKeys
import PushReceiver
import Testing

/// What the plaintexts of other systems say.
struct ReadingTests {
  /// An envelope whose plaintext is what a test says.
  private struct Plain: EnvelopeFormat {
    static let name = "plain"
    let plaintext: String

    static func isRecognized(_ payload: JSONObject) -> Bool { true }
    func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] { Array(plaintext.utf8) }
  }

  private struct NoKeys: DeviceKeyStore, SenderKeyStore {
    func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? { nil }
    func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? { nil }
  }

  private func reception(_ plaintext: String, _ reading: PlaintextReading) throws -> Reception {
    let far = try #require(UnixTime(seconds: 1 << 40))
    let format = AcceptedFormat(Plain(plaintext: plaintext), until: far, reading: reading)
    return Receiver(
      topic: try Topic("com.example.app"), keys: NoKeys(), senders: NoKeys(),
      accepts: AcceptedEnvelopes(formats: [format])
    ).reception(ofPayload: [:])
  }

  @Test func `Home Assistant's message is the body, and its data the app's`() throws {
    let content = try reception(
      #"{"title":"Door","message":"Open","data":{"tag":"d"}}"#, HomeAssistant.reading
    ).content
    #expect(content.title == "Door")
    #expect(content.body == "Open")
    #expect(content.userInfo["data"] == .dictionary(["tag": .string("d")]))
    #expect(content.userInfo["message"] == nil)
  }

  @Test func `Zulip's message says who wrote what, and where`() throws {
    let content = try reception(
      #"{"type":"message","sender_full_name":"Ada","content":"Lunch?","channel_name":"design","#
        + #""topic":"colours","message_id":7,"realm_url":"https://z.example"}"#, Zulip.reading
    ).content
    #expect(content.title == "Ada")
    #expect(content.subtitle == "design > colours")
    #expect(content.body == "Lunch?")
    #expect(content.threadIdentifier == "design > colours")
    #expect(content.userInfo["message_id"] == .integer(7))
  }

  @Test func `Zulip's direct message has no place`() throws {
    let content = try reception(
      #"{"type":"message","sender_full_name":"Ada","content":"Lunch?"}"#, Zulip.reading
    ).content
    #expect(content.subtitle == "")
    #expect(content.threadIdentifier == "")
  }

  @Test(arguments: ["remove", "test", "other"]) func `Zulip's other types have nothing to show`(
    type: String
  ) throws {
    let outcome = try reception(
      #"{"type":"\#(type)","sender_full_name":"Ada","content":"x"}"#, Zulip.reading
    ).outcome
    #expect(outcome == .degraded(.otherFormat))
  }

  @Test func `Bark's members count in any case`() throws {
    let content = try reception(
      #"{"Title":"T","SUBTITLE":"S","body":"B","Sound":"birdsong","Group":"g","level":"passive","badge":"3","URL":"u"}"#,
      Bark.reading
    ).content
    #expect([content.title, content.subtitle, content.body] == ["T", "S", "B"])
    #expect(content.sound == .named("birdsong.caf"))
    #expect(content.threadIdentifier == "g")
    #expect(content.interruptionLevel == .passive)
    #expect(content.badge == 3)
    #expect(content.userInfo["url"] == .string("u"))
  }

  @Test func `Bark's sound keeps a suffix that it has`() throws {
    let content = try reception(#"{"body":"B","sound":"a.caf"}"#, Bark.reading).content
    #expect(content.sound == .named("a.caf"))
  }

  @Test(arguments: [#""badge":"-1""#, #""badge":1.5"#, #""badge":"x""#, #""level":"loud""#, #""level":1"#])
  func `what Apple does not have of Bark's is left out`(member: String) throws {
    let reception = try reception(#"{"body":"B",\#(member)}"#, Bark.reading)
    #expect(reception.content.body == "B")
    #expect(reception.content.badge == nil)
    #expect(reception.content.interruptionLevel == .active)
  }

  @Test(arguments: ["title", "subtitle", "group"], ["7", "true", "null", "[]", #"{"a":1}"#])
  func `a text of Bark's that is no string is left out`(name: String, value: String) throws {
    let reception = try reception(#"{"body":"B","\#(name)":\#(value)}"#, Bark.reading)
    #expect(reception.outcome == .openedOther(format: "plain"))
    let content = reception.content
    #expect(content.body == "B")
    #expect([content.title, content.subtitle, content.threadIdentifier] == ["", "", ""])
  }

  @Test func `a body of Bark's that is no string is left out`() throws {
    let content = try reception(#"{"title":"T","body":7}"#, Bark.reading).content
    #expect([content.title, content.body] == ["T", ""])
  }

  @Test(arguments: [#""""#, "1", "null"])
  func `a sound of Bark's without a name is left out`(sound: String) throws {
    let content = try reception(#"{"body":"B","sound":\#(sound)}"#, Bark.reading).content
    #expect(content.body == "B")
    #expect(content.sound == nil)
  }

  @Test func `what is critical to Bark is active to a receiver`() throws {
    let content = try reception(#"{"body":"B","level":"critical"}"#, Bark.reading).content
    #expect(content.interruptionLevel == .active)
  }

  @Test(arguments: ["", "[]", "{}", "null", #"{"title":7}"#])
  func `a plaintext without a text degrades`(plaintext: String) throws {
    for reading in [Bark.reading, HomeAssistant.reading, Zulip.reading] {
      #expect(try reception(plaintext, reading).outcome == .degraded(.otherFormat))
    }
  }
}
