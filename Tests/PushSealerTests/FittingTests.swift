import PushCore
import PushKeys
import PushSealer
import Testing

/// What becomes of a message that is too long.
struct FittingTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)

  private func seal(
    _ notification: RemoteNotification, _ fitting: Fitting, visible: Set<VisibleMember> = []
  ) throws -> SealedNotification {
    try backend.sealer(policy: SealingPolicy(visible: visible, fitting: fitting))
      .seal(notification, to: device)
  }

  private func opened(_ push: SealedNotification) throws -> RemoteNotification {
    let content = try device.open(push).content
    return try RemoteNotification(parsing: content.span)
  }

  @Test(
    "what fits is not touched", arguments: [Fitting.truncateBody, .drop(["chat"], thenTruncateBody: true)])
  func untouched(fitting: Fitting) throws {
    var notification = RemoteNotification(title: "Ada", body: "Lunch?")
    notification.custom["chat"] = 42
    let push = try seal(notification, fitting)
    #expect(push.cuts.isEmpty)
    #expect(try opened(push) == notification)
  }

  /// Characters as a reader sees them, of one scalar or of many, and what JSON escapes.
  private static let characters = [
    "a", "é", "e\u{301}", "한", "\u{1112}\u{1161}\u{11ab}", "😀", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "नि", "\"", "\\", "\u{1}",
    "\r\n",
    "Z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}",
  ]

  @Test(
    "the body ends between two characters, as late as the limit allows", arguments: Self.characters, 0...3)
  func ends(character: String, shift: Int) throws {
    #expect(character.count == 1)
    let body = String(repeating: "x", count: shift) + String(repeating: character, count: 5000)
    let push = try seal(RemoteNotification(title: "Ada", body: body), .truncateBody)
    let shown = try #require(try opened(push).alert?.body)
    #expect(shown.hasSuffix("…"))
    let kept = String(shown.dropLast())
    #expect(body.utf8.starts(with: kept.utf8))
    #expect(kept.dropFirst(shift).allSatisfy { String($0).utf8.elementsEqual(character.utf8) })
    #expect(push.cuts == [.truncatedBody(kept: kept.utf8.count, of: body.utf8.count)])
    #expect(push.payload.count <= 4096)
    // One more character would have been too many.
    let cost = JSONValue.string(character).encoded().count - 2
    #expect(push.budget.capacity - push.budget.needed < cost)
  }

  @Test("an ellipsis alone is no message")
  func nothingKept() throws {
    let body = "e" + String(repeating: "\u{301}", count: 5000)
    #expect(throws: SealError.self) { try seal(RemoteNotification(title: "Ada", body: body), .truncateBody) }
  }

  @Test("one character that does not fit is left out whole")
  func hugeCharacter() throws {
    let body = "Lunch " + "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(body.count == 7)
    let push = try seal(RemoteNotification(title: "Ada", body: body), .truncateBody)
    #expect(try opened(push).alert?.body == "Lunch …")
  }

  @Test("a body given as the alert itself is shortened in its place")
  func stringAlert() throws {
    let body = String(repeating: "b", count: 5000)
    let sealer = try backend.sealer(policy: SealingPolicy(fitting: .truncateBody))
    let push = try sealer.seal(json: #"{"aps":{"alert":"\#(body)"},"chat":42}"#, to: device)
    let content = try device.open(push).content
    let payload = try JSONObject(parsing: content.span)
    #expect(payload["aps"]?.object?["alert"]?.string?.hasSuffix("b…") == true)
    #expect(payload["chat"] == 42)
  }

  @Test(
    "where the rest alone is too long, shortening the body does not help, and the size is the whole one's")
  func hopeless() throws {
    var notification = RemoteNotification(body: "Lunch?")
    notification.custom["chat"] = .string(String(repeating: "c", count: 5000))
    let whole = try backend.sealer().budget(for: notification, suite: device.suite)
    for fitting in [Fitting.reject, .truncateBody, .drop(["other"], thenTruncateBody: true)] {
      #expect(throws: SealError.tooLarge(bytes: whole.neededPayload, limit: 4096)) {
        try seal(notification, fitting)
      }
    }
  }

  @Test("a body that is localized on the phone is not shortened")
  func localized() throws {
    let arguments = JSONValue.array([.string(String(repeating: "a", count: 5000))])
    let notification = RemoteNotification(
      alert: NotificationAlert(other: ["loc-key": "K", "loc-args": arguments]))
    #expect(throws: SealError.self) { try seal(notification, .truncateBody) }
  }

  private func bulky() -> RemoteNotification {
    var notification = RemoteNotification(title: "Ada", subtitle: "s", body: "Lunch?")
    notification.category = "MESSAGE"
    notification.custom["preview"] = .string(String(repeating: "p", count: 3000))
    notification.custom["history"] = .string(String(repeating: "h", count: 3000))
    notification.custom["chat"] = 42
    return notification
  }

  @Test("members are left out in order, and no more than it takes")
  func drops() throws {
    let push = try seal(bulky(), .drop(["none", "history", "preview", "chat"]))
    #expect(push.cuts == [.dropped("history"), .dropped("preview")])
    let opened = try opened(push)
    #expect(opened.custom.keys == ["chat"])
    #expect(opened.alert?.body == "Lunch?")
  }

  @Test(
    "a member is named by its path, and nothing else of that name is left out",
    arguments: [
      (
        "aps.alert.subtitle", #"{"aps":{"alert":{"body":"b"},"category":"c"},"alert":{"subtitle":"s"},"c":1}"#
      ),
      ("aps.category", #"{"aps":{"alert":{"subtitle":"s","body":"b"}},"alert":{"subtitle":"s"},"c":1}"#),
      ("c", #"{"aps":{"alert":{"subtitle":"s","body":"b"},"category":"c"},"alert":{"subtitle":"s"}}"#),
      ("alert", #"{"aps":{"alert":{"subtitle":"s","body":"b"},"category":"c"},"c":1}"#),
      (
        "alert.subtitle",
        #"{"aps":{"alert":{"subtitle":"s","body":"b"},"category":"c"},"alert":{"subtitle":"s"},"c":1}"#
      ),
    ])
  func paths(path: String, rest: String) throws {
    let long = String(repeating: "l", count: 4000)
    let json =
      #"{"aps":{"alert":{"subtitle":"s","body":"b"},"category":"c"},"alert":{"subtitle":"s"},"c":1,"#
      + #""long":"\#(long)"}"#
    let sealer = try backend.sealer(policy: SealingPolicy(fitting: .drop([path, "long"])))
    #expect(text(try device.open(try sealer.seal(json: json, to: device)).content) == rest)
  }

  @Test("what is left out may be enough, or the body is shortened after it")
  func dropThenTruncate() throws {
    var notification = bulky()
    notification.alert?.body = String(repeating: "b", count: 4000)
    let push = try seal(notification, .drop(["history", "preview"], thenTruncateBody: true))
    #expect(push.cuts.count == 3)
    #expect(try opened(push).alert?.body?.hasSuffix("b…") == true)
  }

  @Test("the title and the body cannot both be left out")
  func nothingLeft() throws {
    #expect(throws: SealError.nothingToShow) {
      try seal(bulky(), .drop(["aps.alert", "history", "preview"]))
    }
  }

  @Test("aps itself is never left out")
  func aps() throws {
    #expect(throws: SealError.self) { try seal(bulky(), .drop(["aps"])) }
  }

  @Test("a visible member that is left out is not visible either")
  func visible() throws {
    let push = try seal(bulky(), .drop(["history", "preview"]), visible: [.custom("history")])
    #expect(try push.json.keys == ["aps", "ENCRYPTED_DATA"])
  }
}
