import Foundation
import Testing
import UserNotifications

@Suite("contents")
struct ContentTests {
  private final class Provider: NSObject, UNNotificationContentProviding {}

  private static func attachment() -> UNNotificationAttachment {
    UNNotificationAttachment(
      identifier: "a", url: URL(fileURLWithPath: "/a.png"), type: "public.png", options: [:])
  }

  /// One change a property.
  private static func changes() -> [(UNMutableNotificationContent) -> Void] {
    [
      { $0.title = "t" }, { $0.subtitle = "s" }, { $0.body = "b" }, { $0.badge = 1 },
      { $0.sound = .default }, { $0.attachments = [attachment()] }, { $0.launchImageName = "L" },
      { $0.threadIdentifier = "T" }, { $0.categoryIdentifier = "C" },
      { $0.userInfo = ["a": ["b": [1, true, "c"]]] }, { $0.targetContentIdentifier = "W" },
      { $0.interruptionLevel = .passive }, { $0.relevanceScore = 0.5 }, { $0.filterCriteria = "F" },
    ]
  }

  private static func full() -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    for change in changes() { change(content) }
    return content
  }

  private func expectEmpty(_ content: UNNotificationContent) {
    #expect(content.title.isEmpty)
    #expect(content.subtitle.isEmpty)
    #expect(content.body.isEmpty)
    #expect(content.badge == nil)
    #expect(content.sound == nil)
    #expect(content.attachments.isEmpty)
    #expect(content.launchImageName.isEmpty)
    #expect(content.threadIdentifier.isEmpty)
    #expect(content.categoryIdentifier.isEmpty)
    #expect(content.userInfo.isEmpty)
    #expect(content.targetContentIdentifier == nil)
    #expect(content.interruptionLevel == .active)
    #expect(content.relevanceScore == 0)
    #expect(content.filterCriteria == nil)
  }

  private func expectFull(_ content: UNNotificationContent) {
    #expect(content.title == "t")
    #expect(content.subtitle == "s")
    #expect(content.body == "b")
    #expect(content.badge == 1)
    #expect(content.sound == .default)
    #expect(content.attachments == [Self.attachment()])
    #expect(content.launchImageName == "L")
    #expect(content.threadIdentifier == "T")
    #expect(content.categoryIdentifier == "C")
    #expect((content.userInfo["a"] as? [String: [Any]])?["b"]?.count == 3)
    #expect(content.targetContentIdentifier == "W")
    #expect(content.interruptionLevel == .passive)
    #expect(content.relevanceScore == 0.5)
    #expect(content.filterCriteria == "F")
  }

  @Test("a new content is empty")
  func defaults() {
    expectEmpty(UNNotificationContent())
    expectEmpty(UNMutableNotificationContent())
  }

  @Test("a copy has every value, keeps it, and cannot be changed")
  func copies() throws {
    let content = Self.full()
    let copy = try #require(content.copy() as? UNNotificationContent)
    #expect(!(copy is UNMutableNotificationContent))
    content.title = "changed"
    content.userInfo["a"] = nil
    content.attachments = []
    expectFull(copy)
  }

  @Test("a mutable copy has every value and shares none")
  func mutableCopies() throws {
    for original in [Self.full(), try #require(Self.full().copy() as? UNNotificationContent)] {
      let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
      expectFull(copy)
      copy.title = "changed"
      copy.userInfo["a"] = nil
      copy.attachments = []
      expectFull(original)
    }
  }

  @Test("a request copies its content")
  func request() {
    let content = Self.full()
    let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
    content.title = "changed"
    expectFull(request.content)
    #expect(!(request.content is UNMutableNotificationContent))
    #expect(request.trigger == nil)
    #expect(request.copy() as? UNNotificationRequest === request)
  }

  @Test("contents of the same values are equal, whether they can be changed or not")
  func equality() throws {
    let (one, other) = (Self.full(), Self.full())
    #expect(one == other)
    #expect(one.hash == other.hash)
    let copy = try #require(one.copy() as? UNNotificationContent)
    #expect(copy == one)
    #expect(one == copy)
    #expect(copy.hash == one.hash)
    #expect(!one.isEqual("t"))
    #expect(!one.isEqual(nil))
  }

  @Test("contents that differ in one value are not equal", arguments: 0..<14)
  func difference(index: Int) {
    let changed = UNMutableNotificationContent()
    Self.changes()[index](changed)
    #expect(Self.changes().count == 14)
    #expect(changed != UNNotificationContent())
    #expect(UNNotificationContent() != changed)
  }

  @Test("an updated content is a copy")
  func updating() throws {
    let content = Self.full()
    let updated = try content.updating(from: Provider())
    content.title = "changed"
    expectFull(updated)
    #expect(!(updated is UNMutableNotificationContent))
  }

  @Test("a notification and its trigger are what they were made of")
  func notification() {
    let trigger = UNPushNotificationTrigger()
    let request = UNNotificationRequest(identifier: "1", content: Self.full(), trigger: trigger)
    let date = Date(timeIntervalSince1970: 5)
    let notification = UNNotification(date: date, request: request)
    #expect(notification.date == date)
    #expect(notification.request === request)
    #expect(request.trigger === trigger)
    #expect(!trigger.repeats)
    #expect(notification.copy() as? UNNotification === notification)
    #expect(trigger.copy() as? UNNotificationTrigger === trigger)
  }

  @Test("the levels have Apple's numbers")
  func levels() {
    let levels: [UNNotificationInterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
    #expect(levels.map(\.rawValue) == [0, 1, 2, 3])
  }
}
