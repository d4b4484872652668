extension RemoteNotification {
  /// What a sender may want to look at: of the alert, of the sound, of the rest of `aps`, and beside it.
  ///
  /// None of it makes the payload invalid. The members that are warned of are kept and written all the same.
  public var warnings: [PayloadWarning] {
    alertWarnings + soundWarnings + apsWarnings + customWarnings
  }

  private var alertWarnings: [PayloadWarning] {
    guard let alert else { return [] }
    var other = alert.other
    // The alert of a Live Activity has its sound inside.
    if isLiveActivity { other[APSKey.sound.rawValue] = nil }
    var warnings = Self.unknownKeys(in: other, path: Alert.path, AlertKey.self, .unknownAlertKey)
    if alert.action != nil {
      warnings.append(PayloadWarning(.deprecatedKey, AlertKey.actionLocKey.path))
    }
    if !hasText {
      warnings.append(PayloadWarning(.alertWithoutText, APSKey.alert.path))
    }
    return warnings
  }

  private var soundWarnings: [PayloadWarning] {
    guard let sound else { return [] }
    var warnings = Self.unknownKeys(in: otherSound, path: Sound.path, SoundKey.self, .unknownSoundKey)
    if sound.name != Sound.default.name && !sound.name.utf8.contains(UInt8(ascii: ".")) {
      warnings.append(PayloadWarning(.soundWithoutExtension, Sound.path))
    }
    return warnings
  }

  private var apsWarnings: [PayloadWarning] {
    var warnings = Self.unknownKeys(in: otherAPS, path: Self.apsKey, APSKey.self, .unknownAPSKey)
    if mutableContent && (!hasText || isLiveActivity) {
      warnings.append(PayloadWarning(.extensionNotRun, APSKey.mutableContent.path))
    }
    return warnings
  }

  private var customWarnings: [PayloadWarning] {
    APSKey.misplaceable.filter { custom[$0] != nil }.map { PayloadWarning(.misplacedKey, $0.rawValue) }
  }

  private static func unknownKeys<Key: RawRepresentable<String>>(
    in object: JSONObject, path: String, _: Key.Type, _ code: PayloadWarning.Code
  ) -> [PayloadWarning] {
    object.keys.filter { Key(rawValue: $0) == nil }.map { PayloadWarning(code, "\(path).\($0)") }
  }
}
