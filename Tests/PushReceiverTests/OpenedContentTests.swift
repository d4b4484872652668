import PushCore
import PushKeys
import PushReceiver
import Testing

/// What is shown of a message that opened: all that it says, and nothing from outside.
struct OpenedContentTests {
  private let parties = Parties()

  private func shown(_ json: String, isSigned: Bool = true) throws -> ShownContent {
    let reception = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
      .reception(of: try parties.push(Draft(json: json, isSigned: isSigned)))
    guard case .opened = reception.outcome else {
      Issue.record("\(reception.outcome)")
      return ShownContent()
    }
    return reception.content
  }

  @Test("everything that the content says")
  func everything() throws {
    let content = try shown(
      #"{"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"L"},"badge":7,"#
        + #""sound":"x.caf","category":"C","thread-id":"T","target-content-id":"W","#
        + #""interruption-level":"time-sensitive","relevance-score":0.25,"filter-criteria":"F"},"chat":42}"#)
    var expected = ShownContent()
    expected.title = "t"
    expected.subtitle = "s"
    expected.body = "b"
    expected.badge = 7
    expected.launchImageName = "L"
    expected.sound = .named("x.caf")
    expected.category = "C"
    expected.threadIdentifier = "T"
    expected.targetContentIdentifier = "W"
    expected.interruptionLevel = .timeSensitive
    expected.relevanceScore = 0.25
    expected.filterCriteria = "F"
    expected.userInfo = [
      "aps": .dictionary([
        "alert": .dictionary([
          "title": .string("t"), "subtitle": .string("s"), "body": .string("b"), "launch-image": .string("L"),
        ]),
        "badge": .integer(7), "sound": .string("x.caf"), "category": .string("C"), "thread-id": .string("T"),
        "target-content-id": .string("W"), "interruption-level": .string("time-sensitive"),
        "relevance-score": .double(0.25), "filter-criteria": .string("F"),
      ]),
      "chat": .integer(42),
    ]
    #expect(content == expected)
  }

  @Test("nothing of the outer payload survives", arguments: [true, false])
  func nothingFromOutside(isSigned: Bool) throws {
    // The outer payload of every push here has all that a payload can have.
    var expected = ShownContent()
    expected.body = "b"
    expected.userInfo = ["aps": .dictionary(["alert": .string("b")])]
    #expect(try shown(#"{"aps":{"alert":"b"}}"#, isSigned: isSigned) == expected)
  }

  @Test("a badge of 0 clears, and none leaves")
  func badge() throws {
    #expect(try shown(#"{"aps":{"alert":"b","badge":0}}"#).badge == 0)
    #expect(try shown(#"{"aps":{"alert":"b"}}"#).badge == nil)
  }

  @Test(
    "who is not known does not break through silence",
    arguments: [
      (#"{"critical":1,"name":"a.caf","volume":1}"#, .critical(name: "a.caf", volume: 1), .named("a.caf")),
      (#"{"critical":1,"name":"a.caf"}"#, .critical(name: "a.caf"), .named("a.caf")),
      (#"{"critical":0,"name":"a.caf","volume":1}"#, .named("a.caf"), .named("a.caf")),
      (#""a.caf""#, .named("a.caf"), .named("a.caf")),
    ] as [(String, Sound, Sound)])
  func sounds(json: String, signed: Sound, anonymous: Sound) throws {
    let content = #"{"aps":{"alert":"b","sound":\#(json)}}"#
    #expect(try shown(content).sound == signed)
    #expect(try shown(content, isSigned: false).sound == anonymous)
  }

  @Test(
    "nor through Focus",
    arguments: [
      ("passive", .passive), ("active", .active), ("time-sensitive", .active), ("critical", .active),
    ]
      as [(String, InterruptionLevel)])
  func levels(name: String, anonymous: InterruptionLevel) throws {
    let content = #"{"aps":{"alert":"b","interruption-level":"\#(name)"}}"#
    #expect(try shown(content).interruptionLevel.rawValue == name)
    #expect(try shown(content, isSigned: false).interruptionLevel == anonymous)
  }

  @Test("the format's own member is taken out, and an inner one of that name left")
  func reservedMember() throws {
    let content = try shown(
      #"{"aps":{"alert":"b","sealed-push":1},"sealed-push":{"v":1},"x":{"sealed-push":2}}"#)
    #expect(
      content.userInfo == [
        "aps": .dictionary(["alert": .string("b"), "sealed-push": .integer(1)]),
        "x": .dictionary(["sealed-push": .integer(2)]),
      ])
  }

  @Test("an envelope inside a content is not opened")
  func nestedEnvelope() throws {
    let text = try parties.envelope().text
    let content = try shown(#"{"aps":{"alert":"b"},"ENCRYPTED_DATA":"\#(text)"}"#)
    #expect(content.body == "b")
    #expect(content.userInfo.keys.sorted() == ["aps"], "it would stand for a message that was not opened")
  }

  @Test("a text to be localized shows its key")
  func localized() throws {
    let content = try shown(
      #"{"aps":{"alert":{"title-loc-key":"TITLE","subtitle-loc-key":"SUB","loc-key":"BODY","loc-args":["a"]}}}"#
    )
    #expect([content.title, content.subtitle, content.body] == ["TITLE", "SUB", "BODY"])
    let both = try shown(
      #"{"aps":{"alert":{"title":"t","title-loc-key":"TITLE","body":"b","loc-key":"BODY"}}}"#)
    #expect([both.title, both.subtitle, both.body] == ["t", "", "b"])
  }

  @Test(
    "title and body are never both empty",
    arguments: [#"{"title":"","title-loc-key":"K"}"#, #"{"body":"","loc-key":"K"}"#])
  func neverEmpty(alert: String) throws {
    let content = try shown(#"{"aps":{"alert":\#(alert)}}"#)
    #expect(content.title == "K" || content.body == "K")
  }

  @Test("an empty argument does not leave a notification without text")
  func emptyArgument() throws {
    #expect(try shown(#"{"aps":{"alert":{"loc-key":"%@","loc-args":[""]}}}"#).body == "%@")
  }

  @Test("the message is handed over as it was sealed")
  func message() throws {
    let json = #" {"aps":{"alert":"b","badge":1}, "n":1.10 } "#
    let message = try parties.receiver().open(parties.push(Draft(json: json)))
    #expect(String(decoding: message.json, as: UTF8.self) == json)
    #expect(message.notification.badge == 1)
    #expect(message.payload["n"]?.number?.literal == "1.10")
  }

  @Test("what looks like a path is a value like others")
  func pathsAreValues() throws {
    let path = "../../../etc/" + String(repeating: "x", count: 1500)
    let content = try shown(
      #"{"aps":{"alert":"b","sound":"\#(path)","category":"\#(path)","thread-id":"\#(path)"}}"#)
    #expect(content.sound == .named(path))
    #expect([content.category, content.threadIdentifier] == [path, path])
    #expect(content.attachments.isEmpty)
  }

  @Test("unusual texts are shown as they are")
  func unusualTexts() throws {
    let text = "\u{202e}abc\u{200b}" + String(repeating: "e\u{301}", count: 500) + "👨‍👩‍👧‍👦"
    let json: JSONObject = ["aps": ["alert": ["title": .string(text), "body": "b"]]]
    let content = try shown(String(decoding: json.encoded(), as: UTF8.self))
    #expect(Array(content.title.utf8) == Array(text.utf8))
  }
}
