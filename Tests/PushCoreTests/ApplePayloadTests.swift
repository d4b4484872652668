import PushCore
import Testing

@Suite("Apple's listings are read and written")
struct ApplePayloadTests {

  struct Listing: Sendable, CustomTestStringConvertible {
    let json: String
    let notification: RemoteNotification
    var testDescription: String { json }
  }

  static let listings = [
    Listing(
      json:
        #"{"aps":{"alert":{"title":"Game Request","subtitle":"Five Card Draw","body":"Bob wants to play poker"},"#
        + #""category":"GAME_INVITATION"},"gameID":"12345678"}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(
          title: "Game Request", subtitle: "Five Card Draw", body: "Bob wants to play poker"),
        category: "GAME_INVITATION", custom: ["gameID": "12345678"])),
    Listing(
      json: #"{"aps":{"badge":9,"sound":"bingbong.aiff"},"messageID":"ABCDEFGHIJ"}"#,
      notification: RemoteNotification(
        badge: 9, sound: .named("bingbong.aiff"), custom: ["messageID": "ABCDEFGHIJ"])),
    Listing(
      json: #"{"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Shelly","Rick"]}}}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(other: [
          "loc-key": "GAME_PLAY_REQUEST_FORMAT", "loc-args": ["Shelly", "Rick"],
        ]))),
    Listing(
      json: #"{"aps":{"category":"MEETING_INVITATION","alert":{"title":"Weekly Staff Meeting","#
        + #""body":"Every Tuesday at 2pm"}},"MEETING_ID":"123456789","USER_ID":"ABCD1234"}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(title: "Weekly Staff Meeting", body: "Every Tuesday at 2pm"),
        category: "MEETING_INVITATION",
        custom: ["MEETING_ID": "123456789", "USER_ID": "ABCD1234"])),
    Listing(
      json: #"{"aps":{"content-available":1},"acme1":"bar","acme2":42}"#,
      notification: RemoteNotification(
        otherAPS: ["content-available": 1], custom: ["acme1": "bar", "acme2": 42])),
    Listing(
      json: #"{"aps":{"alert":"Message received from Bob"},"acme2":["bang","whiz"]}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(body: "Message received from Bob"), custom: ["acme2": ["bang", "whiz"]])),
    Listing(
      json: #"{"aps":{"alert":{"body":"Bob wants to play poker","action-loc-key":"PLAY"},"badge":5},"#
        + #""acme1":"bar","acme2":["bang","whiz"]}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(body: "Bob wants to play poker", other: ["action-loc-key": "PLAY"]),
        badge: 5,
        custom: ["acme1": "bar", "acme2": ["bang", "whiz"]])),
    Listing(json: #"{"aps":{},"acme2":[5,8]}"#, notification: RemoteNotification(custom: ["acme2": [5, 8]])),
    Listing(
      json: #"{"aps":{"category":"SECRET","mutable-content":1,"alert":{"title":"Secret Message!","#
        + #""body":"(Encrypted)"}},"ENCRYPTED_DATA":"…"}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(title: "Secret Message!", body: "(Encrypted)"), category: "SECRET",
        otherAPS: ["mutable-content": 1], custom: ["ENCRYPTED_DATA": "…"])),
    Listing(
      json:
        #"{"aps":{"alert":"You got your emails.","badge":9,"sound":"bingbong.aiff"},"acme1":"bar","acme2":42}"#,
      notification: RemoteNotification(
        alert: NotificationAlert(body: "You got your emails."), badge: 9, sound: .named("bingbong.aiff"),
        custom: ["acme1": "bar", "acme2": 42])),
  ]

  @Test("a listing reads as its values", arguments: listings)
  func reading(listing: Listing) throws {
    #expect(try notification(listing.json) == listing.notification)
  }

  @Test("a listing's values are written and read again as the same", arguments: listings)
  func writing(listing: Listing) throws {
    let payload = try listing.notification.payload()
    #expect(payload.keys.first == "aps")
    let bytes = payload.encoded()
    #expect(try RemoteNotification(parsing: bytes.span) == listing.notification)
    #expect(try RemoteNotification(payload: payload) == listing.notification)
  }

  @Test("a listing's JSON comes back byte for byte", arguments: listings)
  func bytes(listing: Listing) throws {
    #expect(print(try parse(listing.json)) == listing.json)
  }

  @Test("a listing can be sent, and but one is free of warnings", arguments: listings)
  func sending(listing: Listing) throws {
    try listing.notification.checkForSending()
    let isOld = listing.json.contains("action-loc-key")
    let expected = isOld ? ["aps.alert.action-loc-key: deprecated-key"] : []
    #expect(listing.notification.warnings.map(\.description) == expected)
  }

  @Test("what has no stored property is read by its typed view")
  func views() throws {
    let values = Self.listings.map(\.notification)
    #expect(values.map(\.contentAvailable) == [4].flags(of: 10))
    #expect(values.map(\.mutableContent) == [8].flags(of: 10))
    #expect(values.map(\.isLiveActivity) == [].flags(of: 10))
    let texts = values.map { $0.alert?.localizedBody }
    #expect(texts[2] == LocalizedText(key: "GAME_PLAY_REQUEST_FORMAT", arguments: ["Shelly", "Rick"]))
    #expect(texts.map { $0 != nil } == [2].flags(of: 10))
    let actions = values.map { $0.alert?.action }
    #expect(actions[6] == .localized(key: "PLAY"))
    #expect(actions.map { $0 != nil } == [6].flags(of: 10))
  }

  @Test("the typed views write the listings' members")
  func writtenViews() throws {
    var localized = NotificationAlert()
    localized.localizedBody = LocalizedText(key: "GAME_PLAY_REQUEST_FORMAT", arguments: ["Shelly", "Rick"])
    #expect(RemoteNotification(alert: localized) == Self.listings[2].notification)
    var background = RemoteNotification(custom: ["acme1": "bar", "acme2": 42])
    background.contentAvailable = true
    #expect(background == Self.listings[4].notification)
    var old = NotificationAlert(body: "Bob wants to play poker")
    old.action = .localized(key: "PLAY")
    #expect(old == Self.listings[6].notification.alert)
    var secret = RemoteNotification(title: "Secret Message!", body: "(Encrypted)")
    secret.category = "SECRET"
    secret.mutableContent = true
    secret.custom["ENCRYPTED_DATA"] = "…"
    #expect(secret == Self.listings[8].notification)
  }

  @Test("Apple's limits")
  func limits() {
    #expect(PayloadLimit.notification.bytes == 4096)
    #expect(PayloadLimit.voip.bytes == 5120)
    #expect(PayloadLimit.notification != .voip)
  }
}

extension [Int] {
  /// Makes flags, of which those at these positions are set.
  fileprivate func flags(of count: Int) -> [Bool] {
    (0..<count).map(contains)
  }
}
