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

extension Sound {
  static let path = "aps.sound"

  /// Reads either form, and gives the members of an object that the cases above do not hold.
  ///
  /// An object whose `critical` is 0 or absent is a named sound to the system; that 0 and the volume, which
  /// then means nothing, are among the others.
  static func read(_ value: JSONValue) throws(PayloadError) -> (sound: Sound, others: JSONObject) {
    switch value {
    case .string(let name):
      return (.named(try PayloadCheck.text(name, at: path)), [:])
    case .object(let object):
      return try read(object)
    case .null, .boolean, .number, .array:
      throw .invalid(key: path, rule: .mustBeStringOrObject)
    }
  }

  private static func read(_ object: JSONObject) throws(PayloadError) -> (sound: Sound, others: JSONObject) {
    var members = MemberReader(object, path: path)
    guard let name = try members.text(SoundKey.name.rawValue) else {
      throw .invalid(key: SoundKey.name.path, rule: .missing)
    }
    let isCritical = try isCritical(object)
    let volume = try members.fraction(SoundKey.volume.rawValue)
    guard !isCritical else {
      members.drop(SoundKey.critical.rawValue)
      return (.critical(name: name, volume: volume), members.rest)
    }
    var others = object
    others[SoundKey.name.rawValue] = nil
    return (.named(name), others)
  }

  private static func isCritical(_ object: JSONObject) throws(PayloadError) -> Bool {
    switch object[SoundKey.critical.rawValue] {
    case nil: return false
    case .number(let number) where number.literal == "0": return false
    case .number(let number) where number.literal == "1": return true
    default: throw .invalid(key: SoundKey.critical.path, rule: .mustBe0Or1)
    }
  }

  /// The string form where it says everything, else the object.
  func payload(with others: JSONObject) throws(PayloadError) -> JSONValue {
    var object: JSONObject = [SoundKey.name.rawValue: .string(try PayloadCheck.text(name, at: Self.path))]
    var reserved = [SoundKey.name.rawValue]
    if case .critical(_, let volume) = self {
      reserved += [SoundKey.critical.rawValue, SoundKey.volume.rawValue]
      object[SoundKey.critical.rawValue] = 1
      if let volume {
        object[SoundKey.volume.rawValue] = .number(
          try PayloadCheck.fraction(volume, at: SoundKey.volume.path))
      }
    } else if others.isEmpty {
      return .string(name)
    }
    try PayloadCheck.add(others, to: &object, reserving: reserved, path: Self.path)
    // What is written must read back as this sound.
    guard try Self.read(object).sound == self else {
      throw .invalid(key: SoundKey.critical.path, rule: .reservedKey)
    }
    return .object(object)
  }
}

/// The keys that Apple defines in a sound's object (`aps.sound`).
enum SoundKey: String {
  case name, critical, volume

  var path: String { "\(Sound.path).\(rawValue)" }
}
