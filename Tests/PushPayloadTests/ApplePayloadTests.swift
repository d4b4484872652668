import PushPayload
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
        alert: Alert(title: "Game Request", subtitle: "Five Card Draw", body: "Bob wants to play poker"),
        category: "GAME_INVITATION", custom: ["gameID": "12345678"])),
    Listing(
      json: #"{"aps":{"badge":9,"sound":"bingbong.aiff"},"messageID":"ABCDEFGHIJ"}"#,
      notification: RemoteNotification(
        badge: 9, sound: .named("bingbong.aiff"), custom: ["messageID": "ABCDEFGHIJ"])),
    Listing(
      json: #"{"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Shelly","Rick"]}}}"#,
      notification: RemoteNotification(
        alert: Alert(other: ["loc-key": "GAME_PLAY_REQUEST_FORMAT", "loc-args": ["Shelly", "Rick"]]))),
    Listing(
      json: #"{"aps":{"category":"MEETING_INVITATION","alert":{"title":"Weekly Staff Meeting","#
        + #""body":"Every Tuesday at 2pm"}},"MEETING_ID":"123456789","USER_ID":"ABCD1234"}"#,
      notification: RemoteNotification(
        alert: Alert(title: "Weekly Staff Meeting", body: "Every Tuesday at 2pm"),
        category: "MEETING_INVITATION",
        custom: ["MEETING_ID": "123456789", "USER_ID": "ABCD1234"])),
    Listing(
      json: #"{"aps":{"content-available":1},"acme1":"bar","acme2":42}"#,
      notification: RemoteNotification(
        otherAPS: ["content-available": 1], custom: ["acme1": "bar", "acme2": 42])),
    Listing(
      json: #"{"aps":{"alert":"Message received from Bob"},"acme2":["bang","whiz"]}"#,
      notification: RemoteNotification(
        alert: Alert(body: "Message received from Bob"), custom: ["acme2": ["bang", "whiz"]])),
    Listing(
      json: #"{"aps":{"alert":{"body":"Bob wants to play poker","action-loc-key":"PLAY"},"badge":5},"#
        + #""acme1":"bar","acme2":["bang","whiz"]}"#,
      notification: RemoteNotification(
        alert: Alert(body: "Bob wants to play poker", other: ["action-loc-key": "PLAY"]), badge: 5,
        custom: ["acme1": "bar", "acme2": ["bang", "whiz"]])),
    Listing(json: #"{"aps":{},"acme2":[5,8]}"#, notification: RemoteNotification(custom: ["acme2": [5, 8]])),
    Listing(
      json: #"{"aps":{"category":"SECRET","mutable-content":1,"alert":{"title":"Secret Message!","#
        + #""body":"(Encrypted)"}},"ENCRYPTED_DATA":"…"}"#,
      notification: RemoteNotification(
        alert: Alert(title: "Secret Message!", body: "(Encrypted)"), category: "SECRET",
        otherAPS: ["mutable-content": 1], custom: ["ENCRYPTED_DATA": "…"])),
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

  @Test("Apple's limits")
  func limits() {
    #expect(PayloadLimit.notification.bytes == 4096)
    #expect(PayloadLimit.voip.bytes == 5120)
    #expect(PayloadLimit.notification != .voip)
  }
}
