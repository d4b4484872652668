public import Foundation

/// The sound that a notification plays.
///
/// Models Apple's page "UNNotificationSound": the sounds for alerts and critical alerts, with or without a file's name,
/// the volume of critical ones, and the ringtones. As on Apple's systems, a sound has no public properties, and two
/// sounds are equal if their values are. Not modelled: coding.
public class UNNotificationSound: NSObject, NSCopying {
  /// The sound's values, for a test host to show.
  package let values: SoundValues

  /// The system's sound for notifications.
  public static var `default`: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: false, volume: nil))
  }

  /// The system's sound for critical alerts.
  public static var defaultCritical: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: true, volume: nil))
  }

  /// The system's ringtone.
  public static var defaultRingtone: UNNotificationSound {
    UNNotificationSound(SoundValues(name: nil, isCritical: false, volume: nil, isRingtone: true))
  }

  /// The system's sound for critical alerts, at a volume from 0 to 1.
  public static func defaultCriticalSound(withAudioVolume volume: Float) -> Self {
    self.init(SoundValues(name: nil, isCritical: true, volume: volume))
  }

  /// A critical alert's sound from a file.
  public static func criticalSoundNamed(_ name: UNNotificationSoundName) -> Self {
    self.init(SoundValues(name: name, isCritical: true, volume: nil))
  }

  /// A critical alert's sound from a file, at a volume from 0 to 1.
  public static func criticalSoundNamed(
    _ name: UNNotificationSoundName, withAudioVolume volume: Float
  ) -> Self {
    self.init(SoundValues(name: name, isCritical: true, volume: volume))
  }

  /// A ringtone from a file.
  public static func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> Self {
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

  /// Returns the sound itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationSound)?.values == values
  }

  /// A hash value, which is the same for equal sounds.
  public override var hash: Int { values.hashValue }
}

/// The values of a sound.
package struct SoundValues: Hashable, Sendable {
  /// The file; `nil` for the system's sound.
  package let name: UNNotificationSoundName?

  /// Whether it plays even if the device is muted.
  package let isCritical: Bool

  /// The volume of a critical sound, from 0 to 1; `nil` if unspecified.
  package let volume: Float?

  /// Whether the sound is a ringtone.
  package var isRingtone = false
}

/// The name of a sound file.
///
/// Models Apple's page "UNNotificationSoundName".
public struct UNNotificationSoundName: Hashable, RawRepresentable, Sendable {
  /// The file's name.
  public var rawValue: String

  /// Names a file.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Names a file.
  public init(rawValue: String) { self.rawValue = rawValue }
}
