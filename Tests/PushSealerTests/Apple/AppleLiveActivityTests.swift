import Testing

/// "Starting and updating Live Activities with ActivityKit push notifications".
struct AppleLiveActivityTests {
  private static let begun =
    #""timestamp":1,"event":"start","content-state":{},"attributes-type":"Match","alert":{"title":"T"}"#

  @Test(
    "timestamp and event are required",
    arguments: [
      .aps("an update", #""timestamp":1,"event":"update","content-state":{}"#, .allowed),
      .aps("an end", #""timestamp":1,"event":"end""#, .allowed),
      .aps("no timestamp", #""event":"update","content-state":{}"#, .wrong("!aps.timestamp missing")),
      .aps("no event", #""timestamp":1,"content-state":{}"#, .wrong("!aps.event missing")),
      .aps(
        "no string", #""timestamp":"1","event":"end""#, .wrong("!aps.timestamp must-be-integer"),
        leaks: "aps.timestamp"),
      .aps(
        "no milliseconds; of fractions nothing", #""timestamp":1.5,"event":"end""#,
        .wrong("!aps.timestamp must-be-integer"), leaks: "aps.timestamp"),
      .aps(
        "no other event", #""timestamp":1,"event":"pause","content-state":{}"#,
        .wrong("!aps.event unknown-value"), leaks: "aps.event"),
    ] as [ApplePayload])
  func required(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "content-state: a dictionary, required unless the activity ends",
    arguments: [
      .aps(
        "the state's own JSON", #""timestamp":1,"event":"update","content-state":{"score":[3,1]}"#, .allowed,
        leaks: "aps.content-state.score"),
      .aps(
        "an end may have the last one", #""timestamp":1,"event":"end","content-state":{"score":[3,1]}"#,
        .allowed, leaks: "aps.content-state.score"),
      .aps("an update needs it", #""timestamp":1,"event":"update""#, .wrong("!aps.content-state missing")),
      .aps(
        "no string", #""timestamp":1,"event":"update","content-state":"3:1""#,
        .wrong("!aps.content-state must-be-object"), leaks: "aps.content-state"),
    ] as [ApplePayload])
  func contentState(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "a start has attributes, their type and an alert",
    arguments: [
      .aps("all of them", begun + #","attributes":{}"#, .allowed),
      .aps(
        "the attributes' own JSON", begun + #","attributes":{"home":"Ada"}"#, .allowed,
        leaks: "aps.attributes.home"),
      .aps("no attributes", begun, .wrong("!aps.attributes missing")),
      .aps(
        "no type", #""timestamp":1,"event":"start","content-state":{},"attributes":{},"alert":{"title":"T"}"#,
        .wrong("!aps.attributes-type missing")),
      .aps(
        "no alert",
        #""timestamp":1,"event":"start","content-state":{},"attributes":{},"attributes-type":"Match""#,
        .wrong("!aps.alert missing")),
      .aps(
        "no array", begun + #","attributes":[1]"#, .wrong("!aps.attributes must-be-object"),
        leaks: "aps.attributes"),
      .aps("a token for updates", begun + #","attributes":{},"input-push-token":1"#, .allowed),
      .aps(
        "a channel's id", begun + #","attributes":{},"input-push-channel":"dHN0LXNyY2gtY2hubA==""#, .allowed),
    ] as [ApplePayload])
  func start(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "stale-date, dismissal-date and relevance-score",
    arguments: [
      .aps("Unix seconds", #""timestamp":1,"event":"end","dismissal-date":9"#, .allowed),
      .aps("Unix seconds", #""timestamp":1,"event":"update","content-state":{},"stale-date":9"#, .allowed),
      .aps(
        "no milliseconds", #""timestamp":1,"event":"end","dismissal-date":1795822261000"#,
        .wrong("!aps.dismissal-date must-be-seconds"), leaks: "aps.dismissal-date"),
      .aps(
        "no string", #""timestamp":1,"event":"end","stale-date":"9""#,
        .wrong("!aps.stale-date must-be-integer"),
        leaks: "aps.stale-date"),
      .aps(
        "nothing of negative ones", #""timestamp":1,"event":"end","dismissal-date":-9"#,
        .unsaid("!aps.dismissal-date must-not-be-negative"), leaks: "aps.dismissal-date"),
      .aps("any score, such as 75", #""timestamp":1,"event":"end","relevance-score":75"#, .allowed),
      .aps(
        "nothing of negative ones", #""timestamp":1,"event":"end","relevance-score":-1"#,
        .unsaid("!aps.relevance-score must-not-be-negative"), leaks: "aps.relevance-score"),
    ] as [ApplePayload])
  func optional(payload: ApplePayload) throws { try payload.check() }

  @Test(
    "the alert has the sound",
    arguments: [
      .aps(
        "in the alert", #""timestamp":1,"event":"end","alert":{"title":"T","sound":"default"}"#, .allowed),
      .aps(
        "a file's name", #""timestamp":1,"event":"end","alert":{"title":"T","sound":"goal.caf"}"#, .allowed,
        leaks: "aps.alert.sound"),
      .aps(
        "the extension does not run", #""timestamp":1,"event":"end","mutable-content":1"#,
        .ignored("aps.mutable-content extension-not-run"), leaks: "aps.mutable-content"),
    ] as [ApplePayload])
  func alert(payload: ApplePayload) throws { try payload.check() }
}
