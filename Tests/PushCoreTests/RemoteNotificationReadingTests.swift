import PushCore
import Testing

@Suite("A payload is checked when it is read")
struct NotificationReadingTests {

  @Test("every property is read")
  func everything() throws {
    let json = """
      {"first":null,"aps":{"stale":[],"alert":{"launch-image":"x","body":"b","title":"t","subtitle":"s"},"badge":0,\
      "sound":"default","thread-id":"th","category":"c","target-content-id":"w","interruption-level":"time-sensitive",\
      "relevance-score":0.25,"timestamp":1e3},"last":true}
      """
    #expect(
      try notification(json)
        == RemoteNotification(
          alert: NotificationAlert(title: "t", subtitle: "s", body: "b", other: ["launch-image": "x"]),
          badge: 0,
          sound: .default, threadID: "th", category: "c", targetContentID: "w",
          interruptionLevel: .timeSensitive,
          relevanceScore: 0.25,
          otherAPS: ["stale": [], "timestamp": .number(try #require(JSONNumber(literal: "1e3")))],
          custom: ["first": .null, "last": true]))
  }

  @Test(
    "bytes that are not an object are refused",
    arguments: [("[]", JSONError.Reason.notAnObject), ("{", .unexpectedEnd)])
  func notJSON(text: String, reason: JSONError.Reason) {
    #expect(throws: PayloadError.json(JSONError(reason, at: reason == .notAnObject ? 0 : 1))) {
      try notification(text)
    }
  }

  @Test(
    "aps must be an object",
    arguments: [("{}", .missing), (#"{"aps":[]}"#, .mustBeObject), (#"{"aps":null}"#, .mustBeObject)]
      as [(String, PayloadRule)])
  func aps(text: String, rule: PayloadRule) {
    #expect(throws: PayloadError.invalid(key: "aps", rule: rule)) { try notification(text) }
  }

  static let textPaths = [
    "aps.alert.title", "aps.alert.subtitle", "aps.alert.body", "aps.thread-id", "aps.category",
    "aps.target-content-id", "aps.interruption-level",
  ]

  private func json(_ path: String, _ value: String) -> String {
    let keys = path.split(separator: ".")
    return keys.map { #"{"\#($0)":"# }.joined() + value + String(repeating: "}", count: keys.count)
  }

  @Test("a text is a string without U+0000", arguments: textPaths)
  func texts(path: String) throws {
    for value in ["null", "1", "true", "[]", "{}", #"["a"]"#] {
      #expect(throws: PayloadError.invalid(key: path, rule: .mustBeString)) {
        try notification(json(path, value))
      }
    }
    for value in [#""\u0000""#, #""a\u0000b""#] {
      #expect(throws: PayloadError.invalid(key: path, rule: .containsNUL)) {
        try notification(json(path, value))
      }
    }
  }

  @Test("alert and sound are a string or an object", arguments: ["aps.alert", "aps.sound"])
  func stringsOrObjects(path: String) {
    for value in ["null", "1", "true", "[]"] {
      #expect(throws: PayloadError.invalid(key: path, rule: .mustBeStringOrObject)) {
        try notification(json(path, value))
      }
    }
    #expect(throws: PayloadError.invalid(key: path, rule: .containsNUL)) {
      try notification(json(path, #""\u0000""#))
    }
  }

  @Test(
    "a badge is an integer from 0",
    arguments: [
      ("true", .mustBeInteger), (#""3""#, .mustBeInteger), ("3.0", .mustBeInteger), ("1e2", .mustBeInteger),
      ("null", .mustBeInteger), ("-0", .mustBeInteger), ("9223372036854775808", .mustBeInteger),
      ("[3]", .mustBeInteger), ("-1", .mustNotBeNegative), ("-9223372036854775808", .mustNotBeNegative),
    ] as [(String, PayloadRule)])
  func badges(value: String, rule: PayloadRule) {
    #expect(throws: PayloadError.invalid(key: "aps.badge", rule: rule)) {
      try notification(json("aps.badge", value))
    }
  }

  @Test("a badge may be as large as an integer", arguments: [0, 1, Int.max])
  func largestBadge(badge: Int) throws {
    #expect(try notification(json("aps.badge", String(badge))).badge == badge)
  }

  @Test(
    "a relevance score is a number from 0 to 1",
    arguments: [
      ("true", .mustBeNumber), (#""0.5""#, .mustBeNumber), ("null", .mustBeNumber), ("1e400", .mustBeNumber),
      ("1e-400", .mustBeNumber), ("1.1", .mustBeFrom0To1), ("-0.1", .mustBeFrom0To1), ("2", .mustBeFrom0To1),
      ("1.0000000000000003", .mustBeFrom0To1), ("-5e-324", .mustBeFrom0To1),
    ] as [(String, PayloadRule)])
  func relevanceScores(value: String, rule: PayloadRule) {
    #expect(throws: PayloadError.invalid(key: "aps.relevance-score", rule: rule)) {
      try notification(json("aps.relevance-score", value))
    }
  }

  @Test("both ends of the range are accepted", arguments: [("0", 0), ("1", 1), ("1.0", 1), ("5e-1", 0.5)])
  func relevanceScoreEnds(value: String, expected: Double) throws {
    #expect(try notification(json("aps.relevance-score", value)).relevanceScore == expected)
  }

  @Test(
    "an interruption level is one of four", arguments: ["Passive", "", "timeSensitive", "high", "active "])
  func unknownLevel(level: String) {
    #expect(throws: PayloadError.invalid(key: "aps.interruption-level", rule: .unknownValue)) {
      try notification(json("aps.interruption-level", "\"\(level)\""))
    }
  }

  @Test(
    "each interruption level is read",
    arguments: [
      ("passive", InterruptionLevel.passive), ("active", .active), ("time-sensitive", .timeSensitive),
      ("critical", .critical),
    ])
  func levels(name: String, level: InterruptionLevel) throws {
    #expect(try notification(json("aps.interruption-level", "\"\(name)\"")).interruptionLevel == level)
  }

  @Test("a payload may be 32 levels deep and no deeper, even one made in code")
  func depth() throws {
    var value: JSONValue = 0
    for _ in 0..<31 { value = [value] }
    #expect(try RemoteNotification(payload: ["aps": [:], "x": value]).custom["x"] == value)
    #expect(throws: PayloadError.invalid(key: "custom", rule: .tooDeep)) {
      try RemoteNotification(payload: ["aps": [:], "x": [value]])
    }
    #expect(throws: PayloadError.invalid(key: "aps", rule: .tooDeep)) {
      try RemoteNotification(payload: ["aps": ["x": value]])
    }
  }
}
