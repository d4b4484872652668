extension RemoteNotification {
  /// Checks what a sender must keep to, beyond what a receiver insists on.
  ///
  /// A notification that is opened is judged by ``init(payload:)`` alone, so that a mistake in a member that
  /// the system ignores does not cost the person the message. Throws `invalid`, with the key's path and the
  /// rule, for the first of these: what ``payload()`` refuses; a member with a typed view that is of another
  /// type; arguments without their localization key; an alert, badge or sound beside `content-available`; a
  /// Live Activity without what its event needs.
  public func checkForSending() throws(PayloadError) {
    _ = try payload()
    try alert?.checkForSending()
    for key in [APSKey.contentAvailable, .mutableContent] {
      guard otherAPS[key]?.isOne != false else { throw .invalid(key: key.path, rule: .mustBe1) }
    }
    if let value = otherAPS[APSKey.filterCriteria] {
      try PayloadCheck.string(value, at: APSKey.filterCriteria.path)
    }
    if contentAvailable {
      let isShown: [(APSKey, Bool)] = [
        (.alert, alert != nil), (.badge, badge != nil), (.sound, sound != nil),
      ]
      for case (let key, true) in isShown {
        throw .invalid(key: key.path, rule: .notBesideContentAvailable)
      }
    }
    if isLiveActivity {
      let activity = try LiveActivity(aps: otherAPS)
      try activity.checkForSending()
      guard activity.event != .start || alert != nil else {
        throw .invalid(key: APSKey.alert.path, rule: .missing)
      }
    }
  }

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

/// Something in a payload that may be sent, but hardly does what was meant.
public struct PayloadWarning: Sendable {
  /// What is odd.
  ///
  /// The raw values are stable.
  public enum Code: String, Sendable, CaseIterable {
    /// Apple defines no such key in `aps`, and the system ignores it; an app's own members stand beside `aps`.
    case unknownAPSKey = "unknown-aps-key"
    /// Apple defines no such key in `aps.alert`.
    case unknownAlertKey = "unknown-alert-key"
    /// Apple defines no such key in `aps.sound`.
    case unknownSoundKey = "unknown-sound-key"
    /// The key means something in `aps`, and nothing to the system beside it.
    case misplacedKey = "misplaced-key"
    /// The key is of the first systems and does nothing today.
    case deprecatedKey = "deprecated-key"
    /// There is an alert, but it has no title and no body, so nothing is shown.
    case alertWithoutText = "alert-without-text"
    /// The sound is neither `default` nor a file's name with its extension.
    case soundWithoutExtension = "sound-without-extension"
    /// The extension is asked for, but is not run without text to show, nor for a Live Activity.
    case extensionNotRun = "extension-not-run"
  }

  /// What is odd.
  public let code: Code

  /// The member's path, such as `aps.alert` or, beside `aps`, `badge`.
  ///
  /// It may have the app's own name of a key in it, exactly as it stands in the payload, but never a value.
  public let key: String

  init(_ code: Code, _ key: String) {
    self.code = code
    self.key = key
  }
}

extension PayloadWarning: Equatable {
  /// Whether both have one code and the same bytes as key.
  public static func == (left: PayloadWarning, right: PayloadWarning) -> Bool {
    left.code == right.code && ExactString(left.key) == ExactString(right.key)
  }
}

extension PayloadWarning: CustomStringConvertible {
  /// The key and the code, such as `aps.chat: unknown-aps-key`, in ASCII with anything else escaped.
  public var description: String {
    key.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + ": \(code.rawValue)"
  }
}
