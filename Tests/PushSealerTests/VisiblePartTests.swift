import PushCore
import PushKeys
import PushSealer
import Testing

/// What Apple and every relay on the way see.
struct VisiblePartTests {
  private let backend = Backend()

  @Test("the default skeleton is the format's")
  func defaultSkeleton() throws {
    let push = try backend.sealer().seal(RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly))
    #expect(
      try push.skeleton()
        == #"{"aps":{"alert":{"title":"New notification","body":"(Encrypted)"},"mutable-content":1,"#
        + #""sound":"default"},"ENCRYPTED_DATA":""}"#)
  }

  @Test("the skeleton of voip is the format's")
  func voipSkeleton() throws {
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: .voip))
    let push = try sealer.seal(RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly))
    #expect(try push.skeleton() == #"{"aps":{},"ENCRYPTED_DATA":""}"#)
  }

  @Test("a silent policy leaves the sound out")
  func silent() throws {
    let sealer = try backend.sealer(policy: SealingPolicy(playsSound: false))
    let push = try sealer.seal(RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly))
    #expect(
      try push.skeleton()
        == #"{"aps":{"alert":{"title":"New notification","body":"(Encrypted)"},"mutable-content":1},"#
        + #""ENCRYPTED_DATA":""}"#)
  }

  @Test(
    "the placeholder has the title and the body that the policy chooses",
    arguments: [PushType.alert, .liveActivity])
  func chosen(pushType: PushType) throws {
    let policy = SealingPolicy(placeholderTitle: "Post", placeholderBody: "Nachricht", pushType: pushType)
    var content = RemoteNotification(title: "t", body: "b")
    if pushType == .liveActivity {
      content.otherAPS = ["timestamp": 1, "event": "update", "content-state": [:]]
    }
    let push = try backend.sealer(policy: policy).seal(content, to: Device(.x25519ChaChaPoly))
    #expect(try push.skeleton().contains(#""alert":{"title":"Post","body":"Nachricht""#))
    #expect(Lint(push, policy: policy).findings == [])
    #expect(Lint(push, policy: SealingPolicy(pushType: pushType)).findings.map(\.code) == ["visible-text"])
  }

  private static let contents: [RemoteNotification] = {
    var rich = RemoteNotification(title: "Ada", subtitle: "s", body: "Lunch?")
    rich.badge = 7
    rich.sound = .critical(name: "alarm.caf", volume: 1)
    rich.threadID = "thread"
    rich.category = "CATEGORY"
    rich.targetContentID = "window"
    rich.interruptionLevel = .critical
    rich.relevanceScore = 1
    rich.otherAPS["content-available"] = 1
    rich.custom["secret"] = "canary"
    return [
      RemoteNotification(body: "b"), rich,
      RemoteNotification(alert: NotificationAlert(other: ["loc-key": "K"])),
    ]
  }()

  @Test("nothing visible depends on the content", arguments: Suite.available, [true, false])
  func independent(suite: Suite, isSigned: Bool) throws {
    let device = Device(suite)
    let sealer = try backend.sealer(isSigned: isSigned)
    let pushes = try Self.contents.map { try sealer.seal($0, to: device) }
    #expect(Set(try pushes.map { try $0.skeleton() }).count == 1)
    let short = try pushes.filter { try $0.plaintextSize() == 256 }
    #expect(short.count >= 2)
    #expect(Set(short.map(\.payload.count)).count == 1)
  }

  @Test("with the maximum padding all messages have one length")
  func oneLength() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer(policy: SealingPolicy(padding: .maximum))
    let long = RemoteNotification(body: String(repeating: "b", count: 2500))
    let counts = try (Self.contents + [long]).map { try sealer.seal($0, to: device).payload.count }
    #expect(Set(counts).count == 1)
  }

  @Test("the headers are these, and nothing of the content is in them")
  func headers() throws {
    let messageID = try MessageID("10111213-1415-4617-8819-1A1B1C1D1E1F")
    let push = try backend.sealer().seal(
      Self.contents[1], to: Device(.x25519ChaChaPoly), messageID: messageID, lifetime: Lifetime(seconds: 60)!)
    let lines = push.headers.fields.map { "\($0.name): \($0.value)" }
    #expect(
      lines == [
        "apns-push-type: alert", "apns-topic: com.example.app", "apns-priority: 10",
        "apns-id: 10111213-1415-4617-8819-1a1b1c1d1e1f",
        "apns-collapse-id: 10111213-1415-4617-8819-1a1b1c1d1e1f", "apns-expiration: 1700000060",
      ])
  }

  @Test("a voip push has its type and its topic's suffix")
  func voipHeaders() throws {
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: .voip))
    let push = try sealer.seal(RemoteNotification(), to: Device(.x25519ChaChaPoly))
    #expect(push.headers.fields[0] == ("apns-push-type", "voip"))
    #expect(push.headers.fields[1] == ("apns-topic", "com.example.app.voip"))
  }

  @Test("a background push wakes the app, shows nothing, and may wait")
  func background() throws {
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: .background))
    let push = try sealer.seal(RemoteNotification(), to: Device(.x25519ChaChaPoly))
    #expect(Array(push.headers.fields.map(\.value).prefix(3)) == ["background", "com.example.app", "5"])
    let payload = try JSONObject(parsing: push.payload.span)
    #expect(payload["aps"] == ["content-available": 1])
    #expect(payload.count == 2)
  }

  @Test(
    "the expiration is the message's, and 0 for now or never",
    arguments: [(0, 0), (1, 1_700_000_001), (2_592_000, 1_702_592_000)] as [(Int64, Int64)])
  func expiration(lifetime: Int64, expiration: Int64) throws {
    let push = try backend.sealer().seal(
      RemoteNotification(body: "b"), to: Device(.x25519ChaChaPoly), lifetime: Lifetime(seconds: lifetime)!)
    #expect(push.headers.expiration.seconds == expiration)
  }

  @Test("the envelope stands under the key of the policy alone")
  func envelopeKey() throws {
    let device = Device(.x25519ChaChaPoly)
    let key = try EnvelopeKey("enc")
    let push = try backend.sealer(policy: SealingPolicy(envelopeKey: key))
      .seal(RemoteNotification(body: "b"), to: device)
    #expect(try push.json.keys == ["aps", "enc"])
    #expect(text(try device.open(push, key: key).content) == #"{"aps":{"alert":{"body":"b"}}}"#)
  }
}
