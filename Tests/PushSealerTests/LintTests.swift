import PushCore
import PushSealer
import Testing

/// What a sender hears of a payload before it goes out.
struct LintTests {
  /// Findings, in which an ellipsis in the JSON stands for an envelope's text.
  private func findings(_ json: String, _ pushType: PushType? = nil) throws -> [String] {
    let bytes = Array(json.replacing("…", with: SampleEnvelope.text).utf8)
    return Lint(try JSONObject(parsing: bytes.span), pushType: pushType).findings.map(\.line)
  }

  /// A notification's payload with more members in its alert, in `aps` and at the top.
  private func alert(_ alert: String = "", aps: String = "", top: String = "") -> String {
    #"{"aps":{"alert":{"title":"T","body":"(Encrypted)"\#(alert)},"mutable-content":1,"sound":"default"\#(aps)},"#
      + #""ENCRYPTED_DATA":"…"\#(top)}"#
  }

  /// A Live Activity's payload with more members in its `content-state`, in its alert and in `aps`.
  private func activity(_ state: String = "", alert: String = "", aps: String = "") -> String {
    #"{"aps":{"timestamp":1,"event":"update","alert":{"title":"T","body":"(Encrypted)"\#(alert)}\#(aps),"#
      + #""content-state":{"ENCRYPTED_DATA":"…"\#(state)}}}"#
  }

  @Test("what a sealer makes leaves nothing to say")
  func sealed() throws {
    #expect(try findings(alert()) == [])
    #expect(try findings(activity()) == [])
    #expect(try findings(#"{"aps":{"content-available":1},"ENCRYPTED_DATA":"…"}"#) == [])
    #expect(try findings(#"{"aps":{},"ENCRYPTED_DATA":"…"}"#) == [])
  }

  @Test("the body that the sender chose for all messages is none of theirs, and no other is")
  func chosenBody() throws {
    func findings(_ body: String, chosen: String) throws -> [String] {
      let json = #"{"aps":{"alert":\#(body),"mutable-content":1},"ENCRYPTED_DATA":"…"}"#
      let bytes = Array(json.replacing("…", with: SampleEnvelope.text).utf8)
      return Lint(try JSONObject(parsing: bytes.span), placeholderBody: chosen).findings.map(\.line)
    }
    #expect(try findings(#"{"title":"T","body":"Neu"}"#, chosen: "Neu") == [])
    #expect(try findings(#""Neu""#, chosen: "Neu") == [])
    #expect(try findings(#"{"title":"T","body":"Neu!"}"#, chosen: "Neu") == ["aps.alert.body visible-text"])
    #expect(
      try findings(#"{"title":"T","body":"(Encrypted)"}"#, chosen: "Neu") == ["aps.alert.body visible-text"])
  }

  @Test(
    "a member of an alert that those on the way can read is named",
    arguments: [
      (#","subtitle":"S""#, ["subtitle visible-text"]),
      (#","subtitle":"""#, ["subtitle visible-text"]),
      (#","launch-image":"HIV_RESULT_POSITIVE""#, ["launch-image visible-launch-image"]),
      (#","title-loc-key":"HIV_RESULT_POSITIVE""#, ["title-loc-key visible-loc-key"]),
      (#","subtitle-loc-key":"HIV_RESULT_POSITIVE""#, ["subtitle-loc-key visible-loc-key"]),
      (#","loc-key":"HIV_RESULT_POSITIVE""#, ["loc-key visible-loc-key"]),
      (#","loc-key":"K","loc-args":["a"]"#, ["loc-key visible-loc-key", "loc-args visible-loc-args"]),
      (#","sound":"default""#, ["sound unknown-alert-key", "sound visible-sound"]),
      (#","Ada":[{"is":"here"}]"#, ["Ada unknown-alert-key", "Ada visible-member"]),
    ])
  func alertMembers(members: String, found: [String]) throws {
    #expect(try findings(alert(members)) == found.map { "aps.alert.\($0)" })
  }

  @Test(
    "so is a member of aps",
    arguments: [
      (#","badge":1"#, ["aps.badge visible-badge"]),
      (#","thread-id":"t""#, ["aps.thread-id visible-thread-id"]),
      (#","category":"c""#, ["aps.category visible-category"]),
      (#","target-content-id":"w""#, ["aps.target-content-id visible-target"]),
      (#","filter-criteria":"f""#, ["aps.filter-criteria visible-target"]),
      (#","interruption-level":"passive""#, ["aps.interruption-level visible-interruption-level"]),
      (#","relevance-score":1"#, ["aps.relevance-score visible-relevance-score"]),
      (#","chat":{"id":1}"#, ["aps.chat unknown-aps-key", "aps.chat visible-member"]),
    ])
  func members(members: String, found: [String]) throws {
    #expect(try findings(alert(aps: members)) == found)
  }

  @Test("and what is beside aps")
  func customMembers() throws {
    #expect(
      try findings(alert(top: #","chat":{"id":1},"badge":1"#))
        == ["badge misplaced-key", "chat visible-custom-key", "badge visible-custom-key"])
  }

  @Test(
    "a text in place of the placeholder is named",
    arguments: [
      (#""alert":"Hi""#, "aps.alert visible-text"),
      (#""alert":{"body":"Hi"}"#, "aps.alert.body visible-text"),
      (#""alert":"(Encrypted)","sound":"a.caf""#, "aps.sound visible-sound"),
    ])
  func texts(members: String, finding: String) throws {
    #expect(try findings(#"{"aps":{\#(members),"mutable-content":1},"ENCRYPTED_DATA":"…"}"#) == [finding])
  }

  @Test(
    "what stands beside a Live Activity's envelope is named",
    arguments: [
      (#","score":[3,1]"#, "", "", ["content-state.score visible-content-state"]),
      (
        #","a":1,"b":2"#, "", "",
        ["content-state.a visible-content-state", "content-state.b visible-content-state"]
      ),
      ("", #","sound":"hiv.caf""#, "", ["alert.sound visible-sound"]),
      ("", #","subtitle":"S""#, "", ["alert.subtitle visible-text"]),
      ("", "", #","attributes":{"home":"Ada"}"#, ["attributes.home visible-attributes"]),
      ("", "", #","badge":1"#, ["badge visible-badge"]),
      ("", "", #","sound":"default""#, ["sound visible-sound"]),
      (
        "", "", #","mutable-content":1"#,
        ["mutable-content extension-not-run", "mutable-content visible-member"]
      ),
    ])
  func activityMembers(state: String, alert: String, aps: String, found: [String]) throws {
    #expect(try findings(activity(state, alert: alert, aps: aps)) == found.map { "aps.\($0)" })
  }

  @Test("a Live Activity's envelope is not at the top")
  func envelopeAtTheTop() throws {
    #expect(
      try findings(#"{"aps":{"timestamp":1,"event":"end"},"ENCRYPTED_DATA":"…"}"#)
        == ["aps.content-state.ENCRYPTED_DATA not-sealed", "ENCRYPTED_DATA visible-custom-key"])
    #expect(
      try findings(#"{"aps":{"timestamp":1,"event":"end","content-state":{"ENCRYPTED_DATA":"…"}},"x":1}"#)
        == ["x visible-custom-key"])
  }

  @Test(
    "without an envelope nothing is sealed, whatever has its name",
    arguments: [
      ("3", "not-sealed"), ("true", "not-sealed"), ("{}", "not-sealed"), (#"["…"]"#, "not-sealed"),
      (#""""#, "not-an-envelope"), (#""Ada is HIV positive""#, "not-an-envelope"),
      (#""QWRhIGlzIEhJViBwb3NpdGl2ZQ""#, "not-an-envelope"), (#""… ""#, "not-an-envelope"),
    ])
  func noEnvelope(value: String, code: String) throws {
    let json = alert().replacing(#""…""#, with: value)
    #expect(try findings(json) == ["ENCRYPTED_DATA \(code)"])
    #expect(
      try findings(activity().replacing(#""…""#, with: value)) == ["aps.content-state.ENCRYPTED_DATA \(code)"]
    )
  }

  @Test("an extension that does not run is named")
  func extensionNotRun() throws {
    #expect(
      try findings(#"{"aps":{"alert":"(Encrypted)"},"ENCRYPTED_DATA":"…"}"#)
        == ["aps.mutable-content extension-not-run"])
  }

  @Test("what is not taken comes first, and is a fault")
  func fault() throws {
    #expect(
      try findings(alert(aps: #","relevance-score":1.1"#)).first
        == "!aps.relevance-score must-be-from-0-to-1")
  }

  @Test(
    "a payload of a known type has what a push of that type shows, and nothing of another type",
    arguments: [
      (.background, ["alert visible-text", "mutable-content visible-member", "sound visible-sound"]),
      (.voip, ["alert visible-text", "mutable-content visible-member", "sound visible-sound"]),
      (.alert, []),
    ] as [(PushType, [String])])
  func types(type: PushType, found: [String]) throws {
    #expect(try findings(alert(), type) == found.map { "aps.\($0)" })
  }

  @Test("an envelope under another key is found there, and its key is matched byte by byte")
  func envelopeKeys() throws {
    let key = try EnvelopeKey("KEY")
    let payload: JSONObject = ["aps": [:], "KEY": .string(SampleEnvelope.text), "\u{212A}EY": "Ada"]
    let codes = Lint(payload, envelopeKey: key).findings.map(\.code)
    #expect(codes == ["equivalent-key", "visible-custom-key"])
  }

  @Test(
    "APNs accepts so many bytes, and one more is a fault",
    arguments: [
      (nil, 4096), (.alert, 4096), (.background, 4096), (.voip, 5120), (.complication, 4096),
      (.pushToTalk, 4096), (.liveActivity, 4096),
    ] as [(PushType?, Int)])
  func size(type: PushType?, limit: Int) throws {
    let payload: JSONObject = ["aps": [:]]
    func faults(_ size: Int) -> [String] {
      Lint(payload, size: size, pushType: type).findings.filter(\.isFault).map(\.line)
    }
    #expect(faults(limit) == [])
    #expect(faults(limit + 1) == ["!payload too-large"])
  }

  @Test("without a size, that of the compact JSON counts")
  func compactSize() throws {
    func payload(_ size: Int) -> JSONObject {
      ["aps": [:], "x": .string(String(repeating: "x", count: size - 17))]
    }
    #expect(payload(4096).encoded().count == 4096)
    #expect(Lint(payload(4096)).findings.filter(\.isFault) == [])
    #expect(Lint(payload(4097)).findings.first?.line == "!payload too-large")
  }

  @Test("what userInfo cannot hold concerns a notification's content, and data is opened as JSON")
  func userInfo() throws {
    let content: JSONObject = ["aps": ["alert": "b"], "acme": ["list": [1, 2, .null]]]
    #expect(Lint(content: content).findings.map(\.line) == ["acme.list[2] null-dropped"])
    for type in PushType.allCases where type != .alert {
      #expect(Lint(content: content, pushType: type).findings == [])
    }
    #expect(Lint(content).findings.map(\.line).contains("acme.list[2] null-dropped"))
  }
}
