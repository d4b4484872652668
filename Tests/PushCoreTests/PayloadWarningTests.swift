import PushCore
import Testing

@Suite("Warnings about a payload")
struct PayloadWarningTests {

  private func warnings(_ payload: String) throws -> [String] {
    try notification(payload).warnings.map(\.description)
  }

  @Test("a key that Apple does not define in aps is kept and reported")
  func unknownKeys() throws {
    let payload = """
      {"aps":{"alert":{"body":"b","colour":"red"},"sound":{"name":"a.caf","pitch":2},"chat":42,"title":"t"}}
      """
    #expect(
      try warnings(payload) == [
        "aps.alert.colour: unknown-alert-key", "aps.sound.pitch: unknown-sound-key",
        "aps.chat: unknown-aps-key", "aps.title: unknown-aps-key",
      ])
    #expect(try print(.object(notification(payload).payload())) == payload)
    try notification(payload).checkForSending()
  }

  @Test("every key that Apple defines is known")
  func knownKeys() throws {
    #expect(
      try warnings(
        """
        {"aps":{"alert":{"title":"t","subtitle":"s","body":"b","launch-image":"l","title-loc-key":"k",\
        "title-loc-args":[],"subtitle-loc-key":"k","subtitle-loc-args":[],"loc-key":"k","loc-args":[]},"badge":1,\
        "sound":{"name":"default","critical":0,"volume":1},"thread-id":"t","category":"c","content-available":1,\
        "mutable-content":1,"target-content-id":"w","interruption-level":"active","relevance-score":1,\
        "filter-criteria":"f"}}
        """) == [])
    let activity = """
      {"aps":{"timestamp":1,"event":"end","content-state":{},"stale-date":1,"dismissal-date":1,\
      "attributes-type":"T","attributes":{}}}
      """
    #expect(try warnings(activity) == [])
  }

  @Test(
    "a key of aps beside aps is reported",
    arguments: [
      "alert", "badge", "sound", "category", "thread-id", "content-available", "mutable-content",
      "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "content-state",
      "stale-date", "dismissal-date", "attributes-type",
    ])
  func misplaced(key: String) throws {
    let payload = #"{"aps":{},"\#(key)":1}"#
    #expect(try warnings(payload) == ["\(key): misplaced-key"])
    #expect(try print(.object(notification(payload).payload())) == payload)
  }

  @Test("an app's own keys are not taken for Apple's")
  func ownKeys() throws {
    #expect(
      try warnings(#"{"aps":{},"event":1,"timestamp":2,"attributes":3,"title":4,"x":{"badge":1}}"#) == [])
  }

  @Test(
    "a member without effect is reported",
    arguments: [
      (#"{"alert":{"body":"b","action-loc-key":null}}"#, "aps.alert.action-loc-key: deprecated-key"),
      (#"{"alert":{}}"#, "aps.alert: alert-without-text"),
      (#"{"alert":""}"#, "aps.alert: alert-without-text"),
      (#"{"alert":{"subtitle":"s"}}"#, "aps.alert: alert-without-text"),
      (#"{"sound":"bell"}"#, "aps.sound: sound-without-extension"),
      (#"{"sound":{"name":"bell","critical":1}}"#, "aps.sound: sound-without-extension"),
      (#"{"mutable-content":1}"#, "aps.mutable-content: extension-not-run"),
      (#"{"mutable-content":1,"badge":1,"sound":"a.caf"}"#, "aps.mutable-content: extension-not-run"),
      (
        #"{"mutable-content":1,"alert":"a","event":"end","timestamp":1}"#,
        "aps.mutable-content: extension-not-run"
      ),
    ])
  func idle(aps: String, warning: String) throws {
    #expect(try warnings(#"{"aps":\#(aps)}"#) == [warning])
  }

  @Test("a warning has its code and its key")
  func parts() throws {
    let warning = try #require(try notification(#"{"aps":{"chat":1}}"#).warnings.first)
    #expect(warning.code == .unknownAPSKey)
    #expect(warning.key == "aps.chat")
  }

  @Test("a key is told apart by its bytes, and printed without its control characters")
  func keys() throws {
    let first = try notification(#"{"aps":{"\u00e9\u001b[2J":1}}"#).warnings
    let second = try notification(#"{"aps":{"e\u0301\u001b[2J":1}}"#).warnings
    #expect(first != second)
    #expect(first.map(\.description) == [#"aps.\u{00E9}\u{1B}[2J: unknown-aps-key"#])
  }

  @Test("the codes are kebab-case", arguments: PayloadWarning.Code.allCases)
  func codes(code: PayloadWarning.Code) {
    #expect(code.rawValue.wholeMatch(of: #/[a-z]+(-[a-z0-9]+)*/#) != nil)
  }
}
