import PushCore
import PushSealer
import Testing

/// The values that a sealed push shows have no room for a text.
struct LintValueTests {
  private static func lines(_ aps: JSONObject, _ pushType: PushType) -> [String] {
    var payload: JSONObject = ["aps": .object(aps)]
    if pushType != .liveActivity { payload["ENCRYPTED_DATA"] = .string(SampleEnvelope.text) }
    return Lint(payload, pushType: pushType).findings.filter { !$0.isFault }.map(\.line)
  }

  /// What is found beside faults in a start that has everything, if one of its members has another value.
  private static func activity(_ key: String, _ value: JSONValue) -> [String] {
    var aps: JSONObject = [
      "timestamp": 1_700_000_000, "event": "start", "stale-date": 0, "dismissal-date": 99_999_999_999,
      "relevance-score": 75.5, "attributes-type": "Match", "input-push-token": 1,
      "input-push-channel": "dHN0LXNyY2gtY2hubA==", "attributes": [:],
      "alert": ["title": "T", "body": "(Encrypted)", "sound": "default"],
      "content-state": ["ENCRYPTED_DATA": .string(SampleEnvelope.text)],
    ]
    aps[key] = value
    return lines(aps, .liveActivity)
  }

  @Test(
    "a Live Activity's values as the system needs them",
    arguments: [
      ("timestamp", 0), ("event", "end"), ("event", "update"), ("relevance-score", 0),
      ("relevance-score", 2.2250738585072014e-308), ("attributes-type", "App.Match_2"),
      ("attributes-type", "Partie"), ("attributes-type", "Übertragung"), ("alert", "(Encrypted)"),
    ] as [(String, JSONValue)])
  func usual(key: String, value: JSONValue) {
    #expect(Self.activity(key, value) == [])
  }

  @Test(
    "one that could carry a text is named",
    arguments: [
      ("timestamp", "1"), ("timestamp", 253_402_300_800), ("timestamp", -1), ("timestamp", 1.5),
      ("timestamp", .null), ("stale-date", [1]), ("dismissal-date", 9_223_372_036_854_775_807),
      ("dismissal-date", ["Ada": 1]), ("event", "Ada"), ("event", 1), ("attributes-type", ""),
      ("attributes-type", "Ada is HIV positive"), ("attributes-type", "Match."), ("attributes-type", "2"),
      ("attributes-type", .string(String(repeating: "a", count: 129))), ("attributes-type", 1),
      ("input-push-token", 2), ("input-push-token", "1"), ("input-push-token", ["Ada": 1]),
      ("input-push-channel", "Ada is HIV positive"), ("input-push-channel", ""), ("input-push-channel", 1),
      ("input-push-channel", .string(String(repeating: "a", count: 65))),
    ] as [(String, JSONValue)])
  func others(key: String, value: JSONValue) {
    #expect(Self.activity(key, value) == ["aps.\(key) visible-value"])
  }

  @Test(
    "a known leak has its code, whatever its value",
    arguments: [
      ("relevance-score", "Ada", "relevance-score visible-relevance-score"),
      ("relevance-score", -1, "relevance-score visible-relevance-score"),
      ("attributes", "Ada", "attributes visible-attributes"), ("alert", "Ada", "alert visible-text"),
      ("alert", ["title": ["Ada"], "body": "(Encrypted)"], "alert.title visible-text"),
      (
        "alert", ["title": "T", "body": "(Encrypted)", "sound": ["name": "default"]],
        "alert.sound visible-sound"
      ),
    ] as [(String, JSONValue, String)])
  func known(key: String, value: JSONValue, line: String) {
    #expect(Self.activity(key, value) == ["aps.\(line)"])
  }

  @Test("a rank has no more digits than a double")
  func longRank() throws {
    for digits in [23, 24] {
      let number = try #require(JSONNumber(literal: "1." + String(repeating: "7", count: digits - 2)))
      let isNamed = Self.activity("relevance-score", .number(number)).contains {
        $0.hasPrefix("aps.relevance")
      }
      #expect(isNamed == (digits == 24))
    }
  }

  @Test("a state that is no object is named, and there is no envelope in it")
  func state() {
    #expect(
      Self.activity("content-state", "Ada") == [
        "aps.content-state.ENCRYPTED_DATA not-sealed", "aps.content-state visible-content-state",
      ])
  }

  @Test(
    "so is a flag that is not 1",
    arguments: [2, 1.0, -1, true, .null, "Ada", ["Ada"], 12_345_678_901_234_567] as [JSONValue])
  func flags(value: JSONValue) {
    #expect(
      Self.lines(["alert": "(Encrypted)", "mutable-content": value], .alert)
        .contains("aps.mutable-content visible-value"))
    #expect(Self.lines(["content-available": value], .background) == ["aps.content-available visible-value"])
  }

  @Test("aps that is no object is named")
  func aps() {
    let payload: JSONObject = ["aps": "Ada", "ENCRYPTED_DATA": .string(SampleEnvelope.text)]
    #expect(Lint(payload).findings.map(\.line) == ["!aps must-be-object", "aps visible-value"])
  }

  @Test("a sealer warns of a content whose value it would have to show")
  func sealed() throws {
    let policy = SealingPolicy(pushType: .liveActivity)
    let push = try Backend().sealer(policy: policy).seal(
      json: #"{"aps":{"timestamp":1,"event":"end","attributes-type":"Ada is HIV positive"}}"#,
      to: Device(.x25519ChaChaPoly))
    #expect(Lint(push, policy: policy).findings.map(\.line) == ["aps.attributes-type visible-value"])
  }
}

/// An envelope that a device could open.
enum SampleEnvelope {
  static let text: String = {
    let push = try? Backend().sealer().seal(RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly))
    return (try? push?.json["ENCRYPTED_DATA"]?.string) ?? ""
  }()
}

extension Lint.Finding {
  /// Key and code, after an exclamation mark if it is a fault.
  var line: String { "\(isFault ? "!" : "")\(key) \(code)" }
}
