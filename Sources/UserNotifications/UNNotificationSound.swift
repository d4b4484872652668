public import Foundation

/// The sound that a notification plays.
///
/// Models Apple's page "UNNotificationSound": the sounds for alerts and critical alerts, with a file's name or without,
/// the volume of critical ones, and the ringtones. As on Apple's systems a sound says nothing of itself, and two are
/// equal if they sound alike. Not modelled: coding.
public class UNNotificationSound: NSObject, NSCopying {
  /// What the sound is, for a test host to show.
  package let values: SoundValues

  /// The system's sound for notifications.
  public class var `default`: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: false, volume: nil))
  }

  /// The system's sound for critical alerts.
  public class var defaultCritical: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: true, volume: nil))
  }

  /// The system's ringtone.
  public class var defaultRingtone: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: false, volume: nil, isRingtone: true))
  }

  /// The system's sound for critical alerts, at a volume from 0 to 1.
  public class func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
    self.init(SoundValues(name: nil, isCritical: true, volume: volume))
  }

  /// A critical alert's sound from a file.
  public class func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
    self.init(SoundValues(name: name, isCritical: true, volume: nil))
  }

  /// A critical alert's sound from a file, at a volume from 0 to 1.
  public class func criticalSoundNamed(
    _ name: UNNotificationSoundName, withAudioVolume volume: Float
  ) -> Self {
    self.init(SoundValues(name: name, isCritical: true, volume: volume))
  }

  /// A ringtone from a file.
  public class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> Self {
    self.init(SoundValues(name: name, isCritical: false, volume: nil, isRingtone: true))
  }

  /// A sound from a file.
  public convenience init(named name: UNNotificationSoundName) {
    self.init(SoundValues(name: name, isCritical: false, volume: nil))
  }

  required init(_ values: SoundValues) {
    self.values = values
    super.init()
  }

  /// The sound itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both sound alike.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationSound)?.values == values
  }

  /// A number that is the same for sounds that are equal.
  public override var hash: Int { values.hashValue }
}

/// What a sound is.
package struct SoundValues: Hashable, Sendable {
  /// The file; null for the system's sound.
  package let name: UNNotificationSoundName?

  /// Whether it plays past the mute switch.
  package let isCritical: Bool

  /// The volume of a critical one, from 0 to 1; null if it is not said.
  package let volume: Float?

  /// Whether it is a ringtone.
  package var isRingtone = false
}
