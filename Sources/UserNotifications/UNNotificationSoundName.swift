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
