import PushCore
import Testing

@Suite("Typed views of the other members")
struct TypedMemberTests {
  typealias TextView = any WritableKeyPath<NotificationAlert, LocalizedText?> & Sendable

  static let textViews: [(prefix: String, view: TextView)] = [
    ("title-", \.localizedTitle), ("subtitle-", \.localizedSubtitle), ("", \.localizedBody),
  ]

  private func alert(_ json: String) throws -> NotificationAlert {
    try #require(try notification(#"{"aps":{"alert":\#(json)}}"#).alert)
  }

  private func json(_ alert: NotificationAlert) throws -> String {
    print(try #require(try RemoteNotification(alert: alert).payload()["aps"]?.object?["alert"]))
  }

  @Test("a localized text has a key, and optional arguments", arguments: textViews)
  func localizedTexts(prefix: String, view: TextView) throws {
    let key = "\(prefix)loc-key"
    let arguments = "\(prefix)loc-args"
    let with = #"{"\#(key)":"K","\#(arguments)":["a","b"]}"#
    let without = #"{"\#(key)":"K"}"#
    for (text, value) in [
      (with, LocalizedText(key: "K", arguments: ["a", "b"])), (without, LocalizedText(key: "K")),
    ] {
      #expect(try alert(text)[keyPath: view] == value)
      var made = NotificationAlert()
      made[keyPath: view] = value
      #expect(try json(made) == text)
      made[keyPath: view] = nil
      #expect(made == NotificationAlert())
    }
    #expect(try alert(#"{"\#(key)":"K","\#(arguments)":[]}"#)[keyPath: view] == LocalizedText(key: "K"))
  }

  @Test("setting fewer arguments removes the old ones", arguments: textViews)
  func replacing(prefix: String, view: TextView) throws {
    var alert = NotificationAlert(other: ["launch-image": "x"])
    alert[keyPath: view] = LocalizedText(key: "K", arguments: ["a"])
    alert[keyPath: view] = LocalizedText(key: "L")
    #expect(try json(alert) == #"{"launch-image":"x","\#(prefix)loc-key":"L"}"#)
  }

  @Test(
    "a localized text of the wrong type reads as nil, and is kept",
    arguments: [
      #""loc-key":1"#, #""loc-key":null"#, #""loc-args":["a"]"#, #""loc-key":"K","loc-args":"a""#,
      #""loc-key":"K","loc-args":["a",1]"#, #""loc-key":"K","loc-args":null"#,
    ])
  func brokenTexts(members: String) throws {
    let text = "{\(members)}"
    #expect(try alert(text).localizedBody == nil)
    #expect(try json(alert(text)) == text)
  }

  @Test("a launch image is a string")
  func launchImage() throws {
    #expect(try alert(#"{"launch-image":"Play.png"}"#).launchImage == "Play.png")
    #expect(try alert(#"{"launch-image":1}"#).launchImage == nil)
    var made = NotificationAlert(body: "b")
    made.launchImage = "Play.png"
    #expect(try json(made) == #"{"body":"b","launch-image":"Play.png"}"#)
    made.launchImage = nil
    #expect(made == NotificationAlert(body: "b"))
  }

  @Test(
    "an action is a key or null",
    arguments: [("\"PLAY\"", .localized(key: "PLAY")), ("null", .noButton)] as [(String, AlertAction)])
  func actions(value: String, action: AlertAction) throws {
    let text = #"{"action-loc-key":\#(value)}"#
    #expect(try alert(text).action == action)
    var made = NotificationAlert()
    made.action = action
    #expect(try json(made) == text)
    made.action = nil
    #expect(made == NotificationAlert())
    #expect(try alert(#"{"action-loc-key":1}"#).action == nil)
  }

  @Test("texts and actions are compared by their bytes")
  func equality() {
    #expect(LocalizedText(key: "\u{E9}") == LocalizedText(key: "\u{E9}"))
    #expect(LocalizedText(key: "\u{E9}") != LocalizedText(key: "e\u{301}"))
    #expect(
      LocalizedText(key: "K", arguments: ["\u{E9}"]) != LocalizedText(key: "K", arguments: ["e\u{301}"]))
    #expect(LocalizedText(key: "K", arguments: ["a"]) != LocalizedText(key: "K", arguments: ["a", "a"]))
    #expect(AlertAction.localized(key: "\u{E9}") != .localized(key: "e\u{301}"))
    #expect(AlertAction.localized(key: "") != .noButton)
  }

  typealias FlagView = any WritableKeyPath<RemoteNotification, Bool> & Sendable

  @Test(
    "a flag is the number 1",
    arguments: [("content-available", \.contentAvailable), ("mutable-content", \.mutableContent)]
      as [(String, FlagView)])
  func flags(key: String, view: FlagView) throws {
    var made = RemoteNotification()
    made[keyPath: view] = true
    #expect(try made.payload() == ["aps": [key: 1]])
    #expect(made[keyPath: view])
    made[keyPath: view] = false
    #expect(made == RemoteNotification())
    for value in ["0", "1.0", "true", "\"1\"", "null", "2"] {
      let text = #"{"aps":{"\#(key)":\#(value)}}"#
      #expect(try !notification(text)[keyPath: view])
      #expect(try print(.object(notification(text).payload())) == text)
    }
  }

  @Test("filter criteria are a string")
  func filterCriteria() throws {
    #expect(try notification(#"{"aps":{"filter-criteria":"work"}}"#).filterCriteria == "work")
    #expect(try notification(#"{"aps":{"filter-criteria":["work"]}}"#).filterCriteria == nil)
    var made = RemoteNotification()
    made.filterCriteria = "work"
    #expect(try made.payload() == ["aps": ["filter-criteria": "work"]])
    made.filterCriteria = nil
    #expect(made == RemoteNotification())
  }
}
