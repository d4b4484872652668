/// The sound that a notification plays (`aps.sound`).
public enum Sound: Sendable {
  /// A sound file in the app's bundle or its Library/Sounds folder, or `default`.
  case named(String)
  /// A critical alert's sound, which plays even if the phone is muted. Needs an entitlement from Apple. The volume is
  /// from 0 (silent) to 1 (full).
  case critical(name: String, volume: Double? = nil)

  /// The system's default sound.
  public static let `default` = Sound.named("default")

  /// The file's name, or `default`.
  public var name: String {
    switch self {
    case .named(let name), .critical(let name, _): name
    }
  }
}

extension Sound: Equatable {
  /// Whether both are the same case with the same volume and the same name, compared by its UTF-8 bytes.
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

  /// Reads either form, and returns the members of an object that no case models.
  ///
  /// iOS treats an object whose `critical` is 0 or absent as a named sound. The 0 and the volume, which has no effect
  /// then, are returned among the other members.
  ///
  /// An object without `name` throws `missing`. Apple's table of the sound's keys does not say what such an object
  /// plays, and the format refuses it (FORMAT.md, rule 6.3). The table's name for the system's sound is `default`.
  static func read(from value: JSONValue) throws(PayloadError) -> (sound: Sound, others: JSONObject) {
    switch value {
    case .string(let name):
      return (.named(try PayloadCheck.text(name, at: path)), [:])
    case .object(let object):
      return try read(from: object)
    case .null, .boolean, .number, .array:
      throw .invalid(key: path, rule: .mustBeStringOrObject)
    }
  }

  private static func read(from object: JSONObject) throws(PayloadError) -> (sound: Sound, others: JSONObject)
  {
    let members = MemberReader(of: object, path: path)
    guard let name = try members.text(at: SoundKey.name.rawValue) else {
      throw .invalid(key: SoundKey.name.path, rule: .missing)
    }
    let isCritical = try isCritical(in: object)
    let volume = try members.fraction(at: SoundKey.volume.rawValue)
    guard isCritical else { return (.named(name), object.without([SoundKey.name.rawValue])) }
    let others = object.without([SoundKey.name, .critical, .volume].map(\.rawValue))
    return (.critical(name: name, volume: volume), others)
  }

  private static func isCritical(in object: JSONObject) throws(PayloadError) -> Bool {
    switch object[SoundKey.critical.rawValue] {
    case nil: return false
    case .number(let number) where number.literal == "0": return false
    case .number(let number) where number.literal == "1": return true
    default: throw .invalid(key: SoundKey.critical.path, rule: .mustBe0Or1)
    }
  }

  /// The string form if it can express the sound, otherwise the object form.
  func payload(with others: JSONObject) throws(PayloadError) -> JSONValue {
    let name = try PayloadCheck.text(name, at: Self.path)
    if case .named = self, others.isEmpty { return .string(name) }
    var object: JSONObject = [SoundKey.name.rawValue: .string(name)]
    var reserved = [SoundKey.name.rawValue]
    if case .critical(_, let volume) = self {
      reserved += [SoundKey.critical.rawValue, SoundKey.volume.rawValue]
      object[SoundKey.critical.rawValue] = 1
      if let volume {
        object[SoundKey.volume.rawValue] = .number(
          try PayloadCheck.fraction(volume, at: SoundKey.volume.path))
      }
    }
    try PayloadCheck.add(others, to: &object, reserving: reserved, path: Self.path)
    // The written object must read back as this sound.
    guard try Self.read(from: object).sound == self else {
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
