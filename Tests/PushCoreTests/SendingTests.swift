import PushCore
import Testing

@Suite("A payload is checked before it is sent")
struct SendingTests {

  @Test(
    "a payload that is read but should not be sent is refused with key and rule",
    arguments: [
      (#"{"content-available":1,"alert":"a"}"#, "aps.alert", .notBesideContentAvailable),
      (#"{"content-available":1,"alert":{}}"#, "aps.alert", .notBesideContentAvailable),
      (#"{"content-available":1,"badge":0}"#, "aps.badge", .notBesideContentAvailable),
      (#"{"content-available":1,"sound":"default"}"#, "aps.sound", .notBesideContentAvailable),
      (#"{"content-available":0}"#, "aps.content-available", .mustBe1),
      (#"{"content-available":true}"#, "aps.content-available", .mustBe1),
      (#"{"content-available":"1"}"#, "aps.content-available", .mustBe1),
      (#"{"mutable-content":1.0,"alert":"a"}"#, "aps.mutable-content", .mustBe1),
      (#"{"mutable-content":null,"alert":"a"}"#, "aps.mutable-content", .mustBe1),
      (#"{"filter-criteria":1}"#, "aps.filter-criteria", .mustBeString),
      (#"{"filter-criteria":"\u0000"}"#, "aps.filter-criteria", .containsNUL),
    ] as [(String, String, PayloadRule)])
  func faults(aps: String, key: String, rule: PayloadRule) throws {
    let read = try notification(#"{"aps":\#(aps)}"#)
    #expect(throws: PayloadError.invalid(key: key, rule: rule)) { try read.checkForSending() }
    #expect(try RemoteNotification(payload: read.payload()) == read)
  }

  @Test(
    "an alert's member that should not be sent is refused with key and rule",
    arguments: [
      (#"{"loc-args":["a"]}"#, "loc-args", .needsLocKey),
      (#"{"title-loc-args":["a"],"loc-key":"K"}"#, "title-loc-args", .needsLocKey),
      (#"{"subtitle-loc-args":[],"loc-key":"K"}"#, "subtitle-loc-args", .needsLocKey),
      (#"{"loc-key":"K","loc-args":"a"}"#, "loc-args", .mustBeArrayOfStrings),
      (#"{"loc-key":"K","loc-args":["a",1]}"#, "loc-args", .mustBeArrayOfStrings),
      (#"{"title-loc-key":"K","title-loc-args":null}"#, "title-loc-args", .mustBeArrayOfStrings),
      (#"{"subtitle-loc-key":"K","subtitle-loc-args":{}}"#, "subtitle-loc-args", .mustBeArrayOfStrings),
      (#"{"loc-key":"K","loc-args":["a","\u0000"]}"#, "loc-args", .containsNUL),
      (#"{"loc-key":1}"#, "loc-key", .mustBeString),
      (#"{"title-loc-key":null}"#, "title-loc-key", .mustBeString),
      (#"{"subtitle-loc-key":[]}"#, "subtitle-loc-key", .mustBeString),
      (#"{"loc-key":"\u0000"}"#, "loc-key", .containsNUL),
      (#"{"launch-image":1}"#, "launch-image", .mustBeString),
      (#"{"launch-image":"\u0000"}"#, "launch-image", .containsNUL),
      (#"{"action-loc-key":1}"#, "action-loc-key", .mustBeStringOrNull),
      (#"{"action-loc-key":"\u0000"}"#, "action-loc-key", .containsNUL),
    ] as [(String, String, PayloadRule)])
  func alertFaults(alert: String, key: String, rule: PayloadRule) throws {
    let read = try notification(#"{"aps":{"alert":\#(alert)}}"#)
    #expect(throws: PayloadError.invalid(key: "aps.alert.\(key)", rule: rule)) { try read.checkForSending() }
    #expect(try RemoteNotification(payload: read.payload()) == read)
  }

  @Test("a payload that cannot be written cannot be sent")
  func unwritable() {
    let refused: [(RemoteNotification, String, PayloadRule)] = [
      (RemoteNotification(relevanceScore: 1.1), "aps.relevance-score", .mustBeFrom0To1),
      (RemoteNotification(badge: -1), "aps.badge", .mustNotBeNegative),
      (RemoteNotification(otherAPS: ["badge": "3"]), "aps.badge", .reservedKey),
      (RemoteNotification(custom: ["aps": [:]]), "aps", .reservedKey),
    ]
    for (notification, key, rule) in refused {
      #expect(throws: PayloadError.invalid(key: key, rule: rule)) { try notification.checkForSending() }
    }
  }

  @Test(
    "everything that Apple allows can be sent",
    arguments: [
      "{}", #"{"content-available":1}"#, #"{"content-available":1,"category":"C","thread-id":"t"}"#,
      #"{"mutable-content":1,"alert":"a","badge":1,"sound":"default","filter-criteria":"f"}"#,
      #"{"alert":{"title-loc-key":"T","title-loc-args":[],"loc-key":"K","launch-image":"L"}}"#,
      #"{"alert":{"body":"b","action-loc-key":null}}"#, #"{"unknown":[1],"alert":{"unknown":2}}"#,
    ])
  func allowed(aps: String) throws {
    try notification(#"{"aps":\#(aps)}"#).checkForSending()
  }
}
