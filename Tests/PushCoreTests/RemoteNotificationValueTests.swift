import PushTesting
import PushCore
import Testing

@Suite("Notifications are values")
struct NotificationValueTests {

  @Test("every property counts for equality")
  func equality() {
    let variants = [
      RemoteNotification(), RemoteNotification(alert: NotificationAlert()), RemoteNotification(body: ""),
      RemoteNotification(title: "", body: ""),
      RemoteNotification(subtitle: "", body: ""),
      RemoteNotification(alert: NotificationAlert(other: ["a": 1])),
      RemoteNotification(badge: 0),
      RemoteNotification(sound: .default), RemoteNotification(sound: .critical(name: "default")),
      RemoteNotification(sound: .critical(name: "default", volume: 1)),
      RemoteNotification(otherSound: ["a": 1]),
      RemoteNotification(threadID: ""), RemoteNotification(category: ""),
      RemoteNotification(targetContentID: ""),
      RemoteNotification(interruptionLevel: .active), RemoteNotification(relevanceScore: 0),
      RemoteNotification(otherAPS: ["a": 1]), RemoteNotification(custom: ["a": 1]),
    ]
    for (index, variant) in variants.enumerated() {
      #expect(variants.firstIndex(of: variant) == index)
    }
  }

  @Test("what most notifications have is given in one call")
  func oneCall() {
    var longer = RemoteNotification(title: "Ada", body: "Noon?")
    longer.badge = 3
    longer.sound = .default
    longer.threadID = "lunch"
    longer.category = "INVITATION"
    longer.interruptionLevel = .timeSensitive
    longer.custom = ["id": 7]
    #expect(
      RemoteNotification(
        title: "Ada", body: "Noon?", badge: 3, sound: .default, threadID: "lunch", category: "INVITATION",
        interruptionLevel: .timeSensitive, custom: ["id": 7]) == longer)
  }

  @Test("text is compared by its bytes")
  func bytes() {
    let make: [@Sendable (String) -> RemoteNotification] = [
      { RemoteNotification(title: $0, body: "") }, { RemoteNotification(subtitle: $0, body: "") },
      { RemoteNotification(body: $0) },
      { RemoteNotification(sound: .named($0)) }, { RemoteNotification(sound: .critical(name: $0)) },
      { RemoteNotification(threadID: $0) }, { RemoteNotification(category: $0) },
      { RemoteNotification(targetContentID: $0) },
    ]
    for notification in make {
      #expect(notification("\u{E9}") == notification("\u{E9}"))
      #expect(notification("\u{E9}") != notification("e\u{301}"))
    }
  }

  @Test("text to show is a title or a body, literal or localized")
  func hasText() {
    let with = [
      NotificationAlert(title: "t"), NotificationAlert(body: "b"), NotificationAlert(title: "", body: "b"),
      NotificationAlert(other: ["loc-key": "k"]),
      NotificationAlert(other: ["title-loc-key": "k"]),
    ]
    let without = [
      NotificationAlert(), NotificationAlert(title: "", body: ""), NotificationAlert(subtitle: "s"),
      NotificationAlert(other: ["loc-key": ""]),
      NotificationAlert(other: ["loc-key": 1]), NotificationAlert(other: ["title-loc-key": .null]),
      NotificationAlert(other: ["loc-args": ["x"]]),
    ]
    for alert in with { #expect(RemoteNotification(alert: alert).hasText, "\(alert)") }
    for alert in without { #expect(!RemoteNotification(alert: alert).hasText, "\(alert)") }
    #expect(!RemoteNotification(badge: 1).hasText)
  }

  @Test("any mutated payload that is read can be written and read again as the same")
  func mutations() throws {
    let original = Array(sampleDocument.utf8)
    var generator = SeededGenerator(seed: 6)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = original
      let position = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[position] = UInt8.random(in: 0x20..<0x7F, using: &generator)
      guard let notification = try? RemoteNotification(parsing: bytes.span) else { continue }
      accepted += 1
      let written = try notification.payload().encoded()
      #expect(try RemoteNotification(parsing: written.span) == notification)
    }
    #expect(accepted > 1000)
  }

  @Test("the rules are kebab-case", arguments: PayloadRule.allCases)
  func rules(rule: PayloadRule) {
    #expect(
      rule.rawValue.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    )
  }
}
