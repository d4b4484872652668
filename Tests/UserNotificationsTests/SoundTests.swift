import Foundation
import Testing
import UserNotifications

@Suite("sounds")
struct SoundTests {
  private static func all() -> [UNNotificationSound] {
    let name = UNNotificationSoundName("a.caf")
    return [
      .default, .defaultCritical, .defaultCriticalSound(withAudioVolume: 0.5),
      UNNotificationSound(named: name), .criticalSoundNamed(name),
      .criticalSoundNamed(name, withAudioVolume: 0.5), .defaultRingtone, .ringtoneSoundNamed(name),
    ]
  }

  @Test("sounds are equal if they sound alike, and only then")
  func equality() {
    #expect(Set(Self.all()).count == 8)
    #expect(Set(Self.all() + Self.all()).count == 8)
    for sound in Self.all() { #expect(sound.copy() as? UNNotificationSound === sound) }
  }

  @Test("a host sees what a sound is")
  func values() {
    let values = Self.all().map(\.values)
    #expect(values.map(\.name?.rawValue) == [nil, nil, nil, "a.caf", "a.caf", "a.caf", nil, "a.caf"])
    #expect(values.map(\.isCritical) == [false, true, true, false, true, true, false, false])
    #expect(values.map(\.volume) == [nil, nil, 0.5, nil, nil, 0.5, nil, nil])
    #expect(values.map(\.isRingtone) == [false, false, false, false, false, false, true, true])
  }
}
