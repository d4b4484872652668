import Foundation
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// An app's extension, as an app writes it.
private final class FiveLineService: SealedNotificationService {
  static let phone = Phone()
  override func makeReceiver() throws -> Receiver {
    Receiver(
      topic: try Topic("com.example.app"), keys: Self.phone.device,
      senders: try Self.phone.backend.publicKeys,
      replay: Self.phone.replay, clock: Self.phone.clock)
  }
}

/// What was sealed is shown, and nothing else.
@Suite(.hangGuard)
struct OpeningTests {
  private let phone = Phone()
  private let screen = Screen()

  private func show(_ notification: RemoteNotification) async throws -> UNNotificationContent {
    let service = TestService { [phone] _ in phone.receiver() }
    return await screen.wait(for: service, try phone.request(notification))
  }

  @Test("five lines open a sealed notification with all its fields")
  func allFields() async throws {
    var notification = RemoteNotification(title: "Ada", subtitle: "Lunch", body: "At noon?")
    notification.badge = 3
    notification.sound = .named("bell.caf")
    notification.threadID = "chat-42"
    notification.category = "MESSAGE"
    notification.targetContentID = "window-1"
    notification.interruptionLevel = .timeSensitive
    notification.relevanceScore = 0.75
    notification.filterCriteria = "work"
    notification.alert?.launchImage = "Chat"
    notification.custom = [
      "chat": 42, "ratio": 1.5, "muted": false, "none": .null, "list": .array([1, "two", .null]),
      "object": .object(["a": true]),
    ]
    let content = await screen.wait(for: FiveLineService(), try FiveLineService.phone.request(notification))
    #expect(content.title == "Ada")
    #expect(content.subtitle == "Lunch")
    #expect(content.body == "At noon?")
    #expect(content.badge == 3)
    #expect(content.sound == UNNotificationSound(named: UNNotificationSoundName("bell.caf")))
    #expect(content.threadIdentifier == "chat-42")
    #expect(content.categoryIdentifier == "MESSAGE")
    #expect(content.targetContentIdentifier == "window-1")
    #expect(content.interruptionLevel == .timeSensitive)
    #expect(content.relevanceScore == 0.75)
    #expect(content.filterCriteria == "work")
    #if !os(macOS)
      #expect(content.launchImageName == "Chat")
    #endif
    #expect(Set(content.userInfo.keys) == ["aps", "chat", "ratio", "muted", "list", "object"])
    #expect(content.userInfo["chat"] as? Int == 42)
    #expect(content.userInfo["ratio"] as? Double == 1.5)
    #expect(content.userInfo["muted"] as? Bool == false)
    let list = content.userInfo["list"] as? [Any]
    #expect(list?.count == 2)
    #expect(list?.first as? Int == 1)
    #expect(list?.last as? String == "two")
    #expect((content.userInfo["object"] as? [String: Any])?["a"] as? Bool == true)
    let aps = content.userInfo["aps"] as? [String: Any]
    #expect((aps?["alert"] as? [String: Any])?["title"] as? String == "Ada")
  }

  @Test("a sound is the system's or a file's, critical or not")
  func sounds() async throws {
    let name = UNNotificationSoundName("a.caf")
    let pairs: [(Sound, UNNotificationSound)] = [
      (.default, .default), (.named("a.caf"), UNNotificationSound(named: name)),
      (.critical(name: "default"), .defaultCritical),
      (.critical(name: "default", volume: 0.5), .defaultCriticalSound(withAudioVolume: 0.5)),
      (.critical(name: "a.caf"), .criticalSoundNamed(name)),
      (.critical(name: "a.caf", volume: 0.25), .criticalSoundNamed(name, withAudioVolume: 0.25)),
    ]
    for (sealed, shown) in pairs {
      var notification = RemoteNotification(body: "b")
      notification.sound = sealed
      #expect(try await show(notification).sound == shown)
    }
  }

  @Test(
    "an interruption level is the same one",
    arguments: [
      (.passive, .passive), (.active, .active), (.timeSensitive, .timeSensitive), (.critical, .critical),
    ] as [(InterruptionLevel, UNNotificationInterruptionLevel)])
  func levels(sealed: InterruptionLevel, shown: UNNotificationInterruptionLevel) async throws {
    var notification = RemoteNotification(body: "b")
    notification.interruptionLevel = sealed
    #expect(try await show(notification).interruptionLevel == shown)
  }

  @Test("nothing of the visible content survives that the sealed one does not say")
  func nothingSurvives() async throws {
    let request = try phone.request(RemoteNotification(body: "secret")).dressedUp()
    let service = TestService { [phone] _ in phone.receiver() }
    let content = await screen.wait(for: service, request)
    #expect(content.body == "secret")
    #expect(Set(content.userInfo.keys) == ["aps"])
    content.expectBare()
    #expect(content.title.isEmpty)
    #expect(content.sound == nil)
  }

  @Test("the envelope's key is the receiver's")
  func envelopeKey() async throws {
    let key = try EnvelopeKey("E")
    let service = TestService { [phone] _ in phone.receiver(envelopeKey: key) }
    let content = await screen.wait(for: service, try phone.request(policy: SealingPolicy(envelopeKey: key)))
    #expect(content.body == "Lunch?")
  }

  @Test("a message that is delivered twice is shown again without sound")
  func duplicate() async throws {
    var notification = RemoteNotification(body: "b")
    notification.sound = .default
    let request = try phone.request(notification)
    let service = TestService { [phone] _ in phone.receiver() }
    let first = await screen.wait(for: service, request)
    #expect(first.sound == .default)
    let second = await screen.wait(for: service, request)
    #expect(second.body == "b")
    #expect(second.sound == nil)
  }
}

extension UNNotificationRequest {
  /// The same request with everything visible that a content can have.
  func dressedUp() throws -> UNNotificationRequest {
    let content = try #require(content.mutableCopy() as? UNMutableNotificationContent)
    content.title = "outer"
    content.subtitle = "outer"
    content.body = "outer"
    content.badge = 9
    content.sound = .criticalSoundNamed(UNNotificationSoundName("outer.caf"), withAudioVolume: 1)
    content.threadIdentifier = "outer"
    content.categoryIdentifier = "outer"
    content.userInfo["outer"] = "outer"
    content.targetContentIdentifier = "outer"
    content.interruptionLevel = .critical
    content.relevanceScore = 1
    content.filterCriteria = "outer"
    #if !os(macOS)
      content.launchImageName = "outer"
    #endif
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }
}

extension UNNotificationContent {
  /// Expects that there is nothing but title, body, sound and `userInfo`.
  func expectBare(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(subtitle.isEmpty, sourceLocation: sourceLocation)
    #expect(badge == nil, sourceLocation: sourceLocation)
    #expect(threadIdentifier.isEmpty, sourceLocation: sourceLocation)
    #expect(categoryIdentifier.isEmpty, sourceLocation: sourceLocation)
    #expect(targetContentIdentifier == nil, sourceLocation: sourceLocation)
    #expect(interruptionLevel == .active, sourceLocation: sourceLocation)
    #expect(relevanceScore == 0, sourceLocation: sourceLocation)
    #expect(filterCriteria == nil, sourceLocation: sourceLocation)
    #if !os(macOS)
      #expect(launchImageName.isEmpty, sourceLocation: sourceLocation)
    #endif
  }
}
