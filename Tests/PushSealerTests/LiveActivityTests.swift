import PushCore
import PushKeys
import PushSealer
import Testing

/// Sealing what a Live Activity shows.
struct LiveActivityTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)

  private func seal(_ json: String, policy: SealingPolicy = SealingPolicy(pushType: .liveActivity)) throws
    -> SealedNotification
  {
    try backend.sealer(policy: policy).seal(json: json, to: device)
  }

  private static let update =
    #"{"aps":{"timestamp":1700000000,"event":"update","content-state":{"score":[3,1]},"#
    + #""stale-date":1700000600,"relevance-score":75,"alert":{"title":"Goal","body":"3:1"}},"secret":1}"#

  @Test("the state travels sealed in content-state, and what the system needs stays visible")
  func update() throws {
    let json = Self.update
    let push = try seal(json)
    #expect(
      try push.skeleton()
        == #"{"aps":{"timestamp":1700000000,"event":"update","stale-date":1700000600,"#
        + #""relevance-score":75,"alert":{"title":"New notification","body":"(Encrypted)","sound":"default"},"#
        + #""content-state":{"ENCRYPTED_DATA":""}}}"#)
    #expect(push.budget.skeleton == (try push.skeleton().utf8.count))
    let content = try device.open(push)
    #expect(content.type == .liveActivity)
    #expect(text(content.content) == json)
  }

  @Test("a start shows the name of its type, and empty attributes")
  func start() throws {
    let push = try seal(
      #"{"aps":{"timestamp":1,"event":"start","content-state":{"a":1},"attributes-type":"Match","#
        + #""attributes":{"home":"Ada"},"alert":{"title":"t","body":"b"}}}"#)
    let aps = try #require(try push.json["aps"]?.object)
    #expect(aps["attributes"] == [:])
    #expect(aps["attributes-type"] == "Match")
  }

  @Test("what the system answers a start with stays visible")
  func tokens() throws {
    let push = try seal(
      #"{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"M","attributes":{},"#
        + #""input-push-token":1,"input-push-channel":"c","alert":{"title":"t","body":"b"}}}"#)
    let aps = try #require(try push.json["aps"]?.object)
    #expect(aps["input-push-token"] == 1)
    #expect(aps["input-push-channel"] == "c")
  }

  @Test("what it needs is not left out to make it fit")
  func fitting() throws {
    let long = String(repeating: "s", count: 4000)
    let json = #"{"aps":{"timestamp":1,"event":"update","content-state":{}},"long":"\#(long)"}"#
    let policy = SealingPolicy(pushType: .liveActivity, fitting: .drop(["aps.event", "long"]))
    #expect(throws: SealError.payload(.invalid(key: "aps.event", rule: .missing))) {
      try seal(json, policy: policy)
    }
  }

  @Test("an end needs no state, and a silent policy makes no sound")
  func end() throws {
    let push = try seal(
      #"{"aps":{"timestamp":1,"event":"end","dismissal-date":9,"alert":{"title":"t","body":"b"}}}"#,
      policy: SealingPolicy(playsSound: false, pushType: .liveActivity))
    let aps = try #require(try push.json["aps"]?.object)
    #expect(aps.keys == ["timestamp", "event", "dismissal-date", "alert", "content-state"])
    #expect(aps["alert"]?.object?.keys == ["title", "body"])
  }

  @Test(
    "what the system could not use is refused",
    arguments: [
      (#"{"aps":{"alert":"b"}}"#, "aps.event", .missing),
      (#"{"aps":{"event":"update","content-state":{}}}"#, "aps.timestamp", .missing),
      (#"{"aps":{"event":"pause","timestamp":1,"content-state":{}}}"#, "aps.event", .unknownValue),
      (#"{"aps":{"event":"update","timestamp":1}}"#, "aps.content-state", .missing),
      (#"{"aps":{"event":"start","timestamp":1,"content-state":{}}}"#, "aps.attributes-type", .missing),
      (
        #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"M","attributes":{}}}"#,
        "aps.alert", .missing
      ),
      (
        #"{"aps":{"event":"update","timestamp":1,"content-state":{},"relevance-score":-1}}"#,
        "aps.relevance-score", .mustNotBeNegative
      ),
    ] as [(String, String, PayloadRule)])
  func refused(json: String, key: String, rule: PayloadRule) {
    #expect(throws: SealError.payload(.invalid(key: key, rule: rule))) { try seal(json) }
  }

  @Test("lint sees the envelope, and nothing to warn of")
  func lint() throws {
    let json = Self.update
    #expect(Lint(try seal(json), policy: SealingPolicy(pushType: .liveActivity)).findings.isEmpty)
  }

  @Test("its longest state fits its limit exactly")
  func capacity() throws {
    let policy = SealingPolicy(padding: .maximum, pushType: .liveActivity)
    #expect(
      (4095...4096).contains(try seal(Self.update, policy: policy).payload.count))
  }
}
