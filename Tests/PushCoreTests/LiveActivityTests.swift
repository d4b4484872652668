import PushCore
import Testing

@Suite("Live Activities")
struct LiveActivityTests {

  private static let start = """
    {"aps":{"alert":{"body":"b"},"timestamp":1168364460,"event":"start","content-state":{"score":3},"stale-date":1168368060,\
    "attributes-type":"Game","attributes":{"home":"Frank"}}}
    """

  static let examples: [(json: String, activity: LiveActivity)] = [
    (
      start,
      LiveActivity(
        .start, timestamp: UnixTime(clamping: 1_168_364_460), contentState: ["score": 3],
        staleDate: UnixTime(clamping: 1_168_368_060),
        attributesType: "Game", attributes: ["home": "Frank"])
    ),
    (
      #"{"aps":{"timestamp":2,"event":"update","content-state":{}}}"#,
      LiveActivity(.update, timestamp: UnixTime(clamping: 2), contentState: [:])
    ),
    (
      #"{"aps":{"timestamp":0,"event":"end","dismissal-date":9}}"#,
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), dismissalDate: UnixTime(clamping: 9))
    ),
  ]

  @Test("each event is recognised, read, written and can be sent", arguments: examples)
  func roundTrip(json: String, activity: LiveActivity) throws {
    let read = try notification(json)
    #expect(read.isLiveActivity)
    #expect(read.liveActivity == activity)
    try read.checkForSending()
    #expect(read.warnings == [])
    var made = RemoteNotification(alert: read.alert)
    made.liveActivity = activity
    #expect(try print(.object(made.payload())) == json)
  }

  @Test("each part counts for equality")
  func equality() {
    let variants = [
      LiveActivity(.end, timestamp: UnixTime(clamping: 0)),
      LiveActivity(.update, timestamp: UnixTime(clamping: 0)),
      LiveActivity(.end, timestamp: UnixTime(clamping: 1)),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), contentState: [:]),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), staleDate: UnixTime(clamping: 1)),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), dismissalDate: UnixTime(clamping: 1)),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), attributesType: "\u{E9}"),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), attributesType: "e\u{301}"),
      LiveActivity(.end, timestamp: UnixTime(clamping: 0), attributes: [:]),
    ]
    for (index, variant) in variants.enumerated() {
      #expect(variants.firstIndex(of: variant) == index)
    }
  }

  @Test("setting it replaces all its members, and no others")
  func setting() throws {
    var notification = try notification(Self.start)
    notification.alert = nil
    notification.otherAPS["x"] = 1
    notification.liveActivity = LiveActivity(.end, timestamp: UnixTime(clamping: 5))
    #expect(
      try print(.object(notification.payload()))
        == #"{"aps":{"timestamp":5,"event":"end","x":1}}"#)
    notification.liveActivity = nil
    #expect(notification == RemoteNotification(otherAPS: ["x": 1]))
  }

  @Test("other notifications have none")
  func others() throws {
    let notification = RemoteNotification(
      alert: NotificationAlert(body: "b"), otherAPS: ["mutable-content": 1, "x": 1],
      custom: ["event": "start"])
    #expect(!notification.isLiveActivity)
    #expect(notification.liveActivity == nil)
  }

  @Test(
    "one member is enough to recognise it, even with the wrong type",
    arguments: [
      "timestamp", "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
    ])
  func recognised(key: String) {
    let notification = RemoteNotification(otherAPS: [key: .null])
    #expect(notification.isLiveActivity)
    #expect(notification.liveActivity == nil)
  }

  @Test(
    "a member that is missing or wrong is named, and the whole is kept",
    arguments: [
      ("event", nil, .missing), ("event", "pause", .unknownValue), ("event", 1, .mustBeString),
      ("timestamp", nil, .missing), ("timestamp", "1", .mustBeInteger), ("timestamp", 1.5, .mustBeInteger),
      ("timestamp", -1, .mustNotBeNegative), ("content-state", "x", .mustBeObject),
      ("content-state", nil, .missing), ("stale-date", "x", .mustBeInteger),
      ("stale-date", -1, .mustNotBeNegative), ("dismissal-date", true, .mustBeInteger),
      ("attributes-type", 1, .mustBeString), ("attributes-type", "a\0", .containsNUL),
      ("attributes-type", nil, .missing), ("attributes", [], .mustBeObject), ("attributes", nil, .missing),
    ] as [(String, JSONValue?, PayloadRule)])
  func faults(key: String, value: JSONValue?, rule: PayloadRule) throws {
    var notification = try notification(Self.start)
    notification.otherAPS[key] = value
    #expect(throws: PayloadError.invalid(key: "aps.\(key)", rule: rule)) {
      try notification.checkForSending()
    }
    #expect(try RemoteNotification(payload: notification.payload()) == notification)
  }

  @Test(
    "a time in milliseconds is refused, because it would hide every later one",
    arguments: ["timestamp", "stale-date", "dismissal-date"], [100_000_000_000, 1_795_822_261_000])
  func milliseconds(key: String, time: Int) throws {
    var notification = try notification(Self.start)
    notification.otherAPS[key] = .number(JSONNumber(time))
    let error = PayloadError.invalid(key: "aps.\(key)", rule: .mustBeSeconds)
    #expect(throws: error) { try notification.checkForSending() }
    #expect(
      error.description
        == "aps.\(key): must-be-seconds (it is in milliseconds, and APNs takes seconds since 1970)")
  }

  @Test("the last second that is not in milliseconds is a time", arguments: ["timestamp", "stale-date"])
  func lastSecond(key: String) throws {
    var notification = try notification(Self.start)
    notification.otherAPS[key] = 99_999_999_999
    try notification.checkForSending()
  }

  @Test(
    "a timestamp counted from 2001 is refused, because it would be ignored",
    arguments: [631_152_000, 817_515_061, 1_167_609_599])
  func since2001(time: Int) throws {
    var notification = try notification(Self.start)
    notification.otherAPS["timestamp"] = .number(JSONNumber(time))
    let error = PayloadError.invalid(key: "aps.timestamp", rule: .mustBeSince1970)
    #expect(throws: error) { try notification.checkForSending() }
    #expect(
      error.description
        == "aps.timestamp: must-be-since-1970 (it is counted from 2001, and APNs takes seconds since 1970)")
  }

  @Test("other early timestamps are times", arguments: [0, 631_151_999, 1_167_609_600])
  func early(time: Int) throws {
    var notification = try notification(Self.start)
    notification.otherAPS["timestamp"] = .number(JSONNumber(time))
    try notification.checkForSending()
  }

  @Test("another time may be in the past, so one counted from 2001 is a warning")
  func otherTimesSince2001() throws {
    var notification = try notification(Self.start)
    notification.otherAPS["stale-date"] = 817_515_061
    notification.otherAPS["dismissal-date"] = 817_515_062
    try notification.checkForSending()
    #expect(
      notification.warnings.map(\.description) == [
        "aps.stale-date: time-since-2001", "aps.dismissal-date: time-since-2001",
      ])
  }

  @Test("a start needs an alert")
  func alert() throws {
    var notification = try notification(Self.start)
    notification.alert = nil
    #expect(throws: PayloadError.invalid(key: "aps.alert", rule: .missing)) {
      try notification.checkForSending()
    }
  }

  @Test("the rank of a Live Activity is any number that is not negative", arguments: [0, 0.5, 75, 1e9])
  func rank(score: Double) throws {
    var notification = try notification(Self.start)
    notification.relevanceScore = score
    let payload = try notification.payload()
    #expect(try RemoteNotification(payload: payload).relevanceScore == score)
    notification.relevanceScore = -score - 1
    #expect(throws: PayloadError.invalid(key: "aps.relevance-score", rule: .mustNotBeNegative)) {
      try notification.payload()
    }
  }

  @Test("an update needs a state and an end does not")
  func states() throws {
    var notification = RemoteNotification()
    notification.liveActivity = LiveActivity(.end, timestamp: UnixTime(clamping: 1))
    try notification.checkForSending()
    notification.liveActivity = LiveActivity(.update, timestamp: UnixTime(clamping: 1))
    #expect(throws: PayloadError.invalid(key: "aps.content-state", rule: .missing)) {
      try notification.checkForSending()
    }
  }
}
