import PushCore
import PushSealer
import Testing

/// What is asked of APNs beside the payload.
struct HeaderTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)

  /// The value of a header of a push that says as much as each type needs.
  private func headers(
    _ pushType: PushType, lifetime: Int64 = 60, _ options: HeaderOptions = HeaderOptions()
  ) throws -> [String: String] {
    let duration = try #require(Lifetime(seconds: lifetime))
    let push = try backend.sealer(policy: SealingPolicy(pushType: pushType)).seal(
      RemoteNotification.sample(for: pushType), to: device.recipient, at: Device.now,
      lifetime: duration, headers: options)
    return Dictionary(uniqueKeysWithValues: push.headers.fields)
  }

  @Test(
    "each type has its name, its topic's suffix and its priority",
    arguments: [
      (.alert, "alert", "", "10"), (.background, "background", "", "5"), (.voip, "voip", ".voip", "10"),
      (.complication, "complication", ".complication", "10"),
      (.pushToTalk, "pushtotalk", ".voip-ptt", "10"),
      (.liveActivity, "liveactivity", ".push-type.liveactivity", "10"),
    ] as [(PushType, String, String, String)])
  func types(type: PushType, name: String, suffix: String, priority: String) throws {
    let headers = try headers(type)
    #expect(headers["apns-push-type"] == name)
    #expect(headers["apns-topic"] == "com.example.app" + suffix)
    #expect(headers["apns-priority"] == priority)
    #expect(headers.count == 6)
  }

  @Test("headers are iterated as they are sent")
  func iterated() throws {
    let recipient = try Device(.x25519ChaChaPoly).recipient
    let push = try Backend().sealer().seal(RemoteNotification(body: "Noon?"), to: recipient)
    var lines: [String] = []
    for (name, value) in push.headers { lines.append("\(name): \(value)") }
    #expect(lines == push.headers.fields.map { "\($0): \($1)" } && lines.count == 6)
  }

  @Test("a topic is never one with a suffix", arguments: PushType.allCases)
  func suffixes(type: PushType) throws {
    let topic = try #require(try headers(type)["apns-topic"])
    guard topic != "com.example.app" else { return }
    #expect(throws: ValueError.self) { try Topic(topic) }
  }

  @Test(
    "the priorities that APNs takes are these, and others are refused",
    arguments: [
      (.alert, [.immediate, .considerate, .low]), (.background, [.considerate]),
      (.voip, [.immediate, .considerate, .low]), (.complication, [.immediate, .considerate, .low]),
      (.pushToTalk, [.immediate]), (.liveActivity, [.immediate, .considerate]),
    ] as [(PushType, [Priority])])
  func priorities(type: PushType, taken: [Priority]) throws {
    for priority in Priority.allCases {
      let options = HeaderOptions(priority: priority)
      if taken.contains(priority) {
        #expect(try headers(type, options)["apns-priority"] == String(priority.rawValue))
      } else {
        #expect(throws: SealError.headers(.priority(priority, type))) { try headers(type, options) }
      }
    }
  }

  @Test("a collapse id of one's own takes the message id's place, and no other's")
  func collapseID() throws {
    let headers = try headers(.alert, HeaderOptions(collapseID: "order-42"))
    #expect(headers["apns-collapse-id"] == "order-42")
    #expect(headers["apns-id"]?.count == 36)
  }

  @Test(
    "a collapse id that is no header's value, or too long, is refused",
    arguments: ["", "a b", "a\r\nx: y", "é", "\u{7f}", "\0", String(repeating: "a", count: 65)])
  func badCollapseID(text: String) {
    #expect(throws: SealError.headers(.collapseID)) { try headers(.alert, HeaderOptions(collapseID: text)) }
  }

  @Test("a collapse id of 64 bytes is the longest")
  func longestCollapseID() throws {
    let text = String(repeating: "a", count: 64)
    #expect(try headers(.alert, HeaderOptions(collapseID: text))["apns-collapse-id"] == text)
  }

  @Test(
    "an expiration is within the lifetime, or 0",
    arguments: [(0, "0"), (1_700_000_000, "1700000000"), (1_700_000_060, "1700000060")]
      as [(Int64, String)])
  func expiration(seconds: Int64, value: String) throws {
    let options = HeaderOptions(expiration: UnixTime(seconds: seconds))
    #expect(try headers(.alert, options)["apns-expiration"] == value)
  }

  @Test(
    "an expiration outside the lifetime is refused", arguments: [1, 1_699_999_999, 1_700_000_061] as [Int64])
  func expirationOutside(seconds: Int64) {
    let options = HeaderOptions(expiration: UnixTime(seconds: seconds))
    #expect(throws: SealError.headers(.expirationOutsideLifetime)) { try headers(.alert, options) }
  }

  @Test("push-to-talk is now or never")
  func nowOrNever() throws {
    #expect(try headers(.pushToTalk)["apns-expiration"] == "0")
    #expect(throws: SealError.headers(.mustBeNowOrNever(.pushToTalk))) {
      try headers(.pushToTalk, HeaderOptions(expiration: UnixTime(seconds: 1_700_000_030)))
    }
  }

  @Test(
    "a sealed payload is at most 5120 bytes for voip, and 4096 for all others", arguments: PushType.allCases)
  func limits(type: PushType) {
    #expect(type.limit.bytes == (type == .voip ? 5120 : 4096))
  }
}

extension RemoteNotification {
  /// The least that a push of a type needs.
  static func sample(for type: PushType) -> RemoteNotification {
    var notification = RemoteNotification(body: "b")
    guard type == .liveActivity else { return notification }
    notification.liveActivity = LiveActivity(
      .update, timestamp: UnixTime(clamping: 1_700_000_000), contentState: ["score": 3])
    return notification
  }
}
