import Foundation
import Testing
import UserNotifications

/// Apple's classes as far as an extension relies on them; the tests hold on every platform.
struct AppleClassTests {
  private func content() -> UNMutableNotificationContent {
    let content = UNMutableNotificationContent()
    content.title = "t"
    content.subtitle = "s"
    content.body = "b"
    content.badge = 1
    content.sound = .default
    content.threadIdentifier = "T"
    content.categoryIdentifier = "C"
    content.userInfo = ["a": ["b": 1]]
    content.targetContentIdentifier = "W"
    content.interruptionLevel = .passive
    content.relevanceScore = 0.5
    return content
  }

  private func expectFull(_ content: UNNotificationContent) {
    #expect(content.title == "t")
    #expect(content.subtitle == "s")
    #expect(content.body == "b")
    #expect(content.badge == 1)
    #expect(content.sound == .default)
    #expect(content.threadIdentifier == "T")
    #expect(content.categoryIdentifier == "C")
    #expect((content.userInfo["a"] as? [String: Int])?["b"] == 1)
    #expect(content.targetContentIdentifier == "W")
    #expect(content.interruptionLevel == .passive)
    #expect(content.relevanceScore == 0.5)
  }

  private func clear(_ content: UNMutableNotificationContent) {
    content.title = ""
    content.subtitle = ""
    content.body = ""
    content.badge = nil
    content.sound = nil
    content.threadIdentifier = ""
    content.categoryIdentifier = ""
    content.userInfo["a"] = nil
    content.targetContentIdentifier = nil
    content.interruptionLevel = .active
    content.relevanceScore = 0
  }

  @Test("a new content is empty", arguments: [false, true])
  func defaults(isMutable: Bool) {
    let content = isMutable ? UNMutableNotificationContent() : UNNotificationContent()
    #expect(content.title.isEmpty)
    #expect(content.body.isEmpty)
    #expect(content.sound == nil)
    #expect(content.userInfo.isEmpty)
    content.expectBare()
  }

  @Test("a mutable copy shares nothing with its original")
  func mutableCopy() throws {
    let original = content()
    let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
    expectFull(copy)
    clear(original)
    expectFull(copy)
    let second = try #require(copy.mutableCopy() as? UNMutableNotificationContent)
    clear(second)
    expectFull(copy)
  }

  @Test("a copy cannot be changed, and does not follow its original")
  func copy() throws {
    let original = content()
    let copy = try #require(original.copy() as? UNNotificationContent)
    #expect(!(copy is UNMutableNotificationContent))
    clear(original)
    expectFull(copy)
    expectFull(try #require(copy.mutableCopy() as? UNMutableNotificationContent))
  }

  @Test("a request copies its content")
  func request() throws {
    let content = content()
    let request = UNNotificationRequest(identifier: "id", content: content, trigger: nil)
    clear(content)
    #expect(request.identifier == "id")
    #expect(request.trigger == nil)
    #expect(!(request.content is UNMutableNotificationContent))
    expectFull(request.content)
    expectFull(try #require(request.copy() as? UNNotificationRequest).content)
  }

  @Test("sounds are equal if they sound alike")
  func sounds() throws {
    let name = UNNotificationSoundName("a.caf")
    let sounds: [UNNotificationSound] = [
      .default, UNNotificationSound(named: name),
      UNNotificationSound(named: UNNotificationSoundName(rawValue: "b.caf")), .defaultCritical,
      .defaultCriticalSound(withAudioVolume: 0.5), .criticalSoundNamed(name),
      .criticalSoundNamed(name, withAudioVolume: 0.5), .criticalSoundNamed(name, withAudioVolume: 1),
    ]
    #expect(Set(sounds).count == sounds.count)
    #expect(UNNotificationSound.default == .default)
    #expect(UNNotificationSound(named: name) == UNNotificationSound(named: name))
    #expect(sounds[0].copy() as? UNNotificationSound == .default)
  }

  @Test("levels have Apple's numbers")
  func levels() {
    let levels = (0...3).compactMap { UNNotificationInterruptionLevel(rawValue: $0) }
    #expect(levels == [.passive, .active, .timeSensitive, .critical])
  }
}
