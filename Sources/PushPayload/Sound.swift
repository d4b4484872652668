/// The sound that a notification plays (`aps.sound`).
public enum Sound: Sendable {
  /// A sound file in the app's bundle or its Library/Sounds folder, or `default`.
  case named(String)
  /// A critical alert's sound, which plays past the mute switch; needs Apple's entitlement. The volume is
  /// from 0, silent, to 1, full.
  case critical(name: String, volume: Double? = nil)

  /// The system's own sound.
  public static let `default` = Sound.named("default")

  /// The file's name, or `default`.
  public var name: String {
    switch self {
    case .named(let name), .critical(let name, _): name
    }
  }
}

extension Sound: Equatable {
  /// Whether both are of one kind, with the same bytes as name and the same volume.
  public static func == (left: Sound, right: Sound) -> Bool {
    switch (left, right) {
    case (.named(let left), .named(let right)): ExactString(left) == ExactString(right)
    case (.critical(let leftName, let leftVolume), .critical(let rightName, let rightVolume)):
      ExactString(leftName) == ExactString(rightName) && leftVolume == rightVolume
    default: false
    }
  }
}
