import PushCore
import Testing

@Suite("A payload is checked when it is written")
struct NotificationWritingTests {

  private func json(_ notification: RemoteNotification) throws -> String {
    String(decoding: try notification.payload().encoded(), as: UTF8.self)
  }

  @Test("aps comes first, then the custom members, each in order")
  func order() throws {
    let everything = RemoteNotification(
      alert: NotificationAlert(title: "t", subtitle: "s", body: "b", other: ["loc-key": "k"]), badge: 1,
      sound: .default,
      threadID: "th", category: "c", targetContentID: "w", interruptionLevel: .passive, relevanceScore: 0.5,
      otherAPS: ["mutable-content": 1, "filter-criteria": "f"], custom: ["z": 1, "a": .null])
    let expected = """
      {"aps":{"alert":{"title":"t","subtitle":"s","body":"b","loc-key":"k"},"badge":1,"sound":"default",\
      "thread-id":"th","category":"c","target-content-id":"w","interruption-level":"passive","relevance-score":0.5,\
      "mutable-content":1,"filter-criteria":"f"},"z":1,"a":null}
      """
    #expect(try json(everything) == expected)
    #expect(try notification(expected) == everything)
  }

  @Test("a few lines make a payload")
  func convenience() throws {
    var message = RemoteNotification(title: "Ada", body: "Lunch at noon?")
    message.sound = .default
    message.custom["chat"] = 42
    #expect(
      try json(message)
        == #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"},"sound":"default"},"chat":42}"#)
    #expect(try json(RemoteNotification()) == #"{"aps":{}}"#)
  }

  @Test("custom members of every type are exact")
  func custom() throws {
    let members = """
      "i":42,"big":12345678901234567890123,"d":1.10,"e":1E+2,"t":true,"f":false,"n":null,"s":"a/\\u0000é",\
      "a":[1,[2,{}]],"o":{"aps":{"badge":"x"}}
      """
    let text = #"{"aps":{},\#(members)}"#
    #expect(try json(try notification(text)) == text)
  }

  @Test("a value that a reader would refuse is not written")
  func values() {
    let refused: [(RemoteNotification, String, PayloadRule)] = [
      (RemoteNotification(badge: -1), "aps.badge", .mustNotBeNegative),
      (RemoteNotification(relevanceScore: 1.1), "aps.relevance-score", .mustBeFrom0To1),
      (RemoteNotification(relevanceScore: -0.1), "aps.relevance-score", .mustBeFrom0To1),
      (RemoteNotification(relevanceScore: .nan), "aps.relevance-score", .mustBeFrom0To1),
      (RemoteNotification(relevanceScore: .infinity), "aps.relevance-score", .mustBeFrom0To1),
      (RemoteNotification(title: "a\0", body: "b"), "aps.alert.title", .containsNUL),
      (RemoteNotification(subtitle: "\0", body: "b"), "aps.alert.subtitle", .containsNUL),
      (RemoteNotification(body: "\0b"), "aps.alert.body", .containsNUL),
      (RemoteNotification(sound: .named("\0")), "aps.sound", .containsNUL),
      (RemoteNotification(threadID: "\0"), "aps.thread-id", .containsNUL),
      (RemoteNotification(category: "\0"), "aps.category", .containsNUL),
      (RemoteNotification(targetContentID: "\0"), "aps.target-content-id", .containsNUL),
      (RemoteNotification(custom: ["a": 1, "aps": [:]]), "aps", .reservedKey),
      (RemoteNotification(alert: NotificationAlert(other: ["title": "x"])), "aps.alert.title", .reservedKey),
      (
        RemoteNotification(alert: NotificationAlert(other: ["subtitle": "x"])), "aps.alert.subtitle",
        .reservedKey
      ),
      (
        RemoteNotification(alert: NotificationAlert(body: "x", other: ["body": "x"])), "aps.alert.body",
        .reservedKey
      ),
    ]
    for (notification, key, rule) in refused {
      #expect(throws: PayloadError.invalid(key: key, rule: rule)) { try notification.payload() }
    }
  }

  @Test(
    "a key with a property of its own cannot be among the other members of aps",
    arguments: [
      "alert", "badge", "sound", "thread-id", "category", "target-content-id", "interruption-level",
      "relevance-score",
    ])
  func reservedKeys(key: String) {
    var message = RemoteNotification(body: "b")
    message.otherAPS[key] = 1
    #expect(throws: PayloadError.invalid(key: "aps.\(key)", rule: .reservedKey)) { try message.payload() }
  }

  @Test("a written payload can be read again, so it is at most 32 levels deep")
  func depth() throws {
    var value: JSONValue = 0
    for _ in 0..<31 { value = ["a": value] }
    let bytes = try RemoteNotification(custom: ["x": value]).payload().encoded()
    #expect(try RemoteNotification(parsing: bytes.span).custom["x"] == value)
    #expect(throws: PayloadError.invalid(key: "custom", rule: .tooDeep)) {
      try RemoteNotification(custom: ["x": [value]]).payload()
    }
    #expect(throws: PayloadError.invalid(key: "aps", rule: .tooDeep)) {
      try RemoteNotification(otherAPS: ["x": value]).payload()
    }
  }

  @Test("an error names the key and the rule")
  func descriptions() {
    #expect(
      PayloadError.invalid(key: "aps.badge", rule: .mustBeInteger).description == "aps.badge: must-be-integer"
    )
    #expect(PayloadError.json(JSONError(.tooDeep, at: 7)).description == "too-deep at byte 7")
  }
}
