extension RemoteNotification {
  /// Checks the rules for senders, which are stricter than the rules for receivers.
  ///
  /// A receiver applies only the rules of ``init(payload:)``, so that no message is lost to a mistake in a member that
  /// iOS ignores. Throws `invalid`, with the key's path and the rule, for the first of these:
  ///
  /// - a value that ``payload()`` rejects;
  /// - a member with a typed view that has the wrong type;
  /// - arguments without a localization key;
  /// - an alert, badge or sound beside `content-available`;
  /// - a Live Activity without a member that its event requires;
  /// - a Live Activity's time in milliseconds, or its `timestamp` counted from 2001.
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

  /// Warnings about likely mistakes: in the alert, the sound, the rest of `aps`, and the custom members.
  ///
  /// The payload is valid nevertheless, and these members are kept and written. At most 16 warnings are about members
  /// that `userInfo` cannot hold.
  public var warnings: [PayloadWarning] {
    alertWarnings + soundWarnings + apsWarnings + customWarnings + UserInfoCheck(of: custom).warnings
  }

  private var alertWarnings: [PayloadWarning] {
    guard let alert else { return [] }
    var other = alert.other
    // A Live Activity has its sound in the alert.
    if isLiveActivity { other[APSKey.sound.rawValue] = nil }
    var warnings = Self.unknownKeys(
      in: other, path: NotificationAlert.path, of: AlertKey.self, code: .unknownAlertKey)
    if alert.action != nil {
      warnings.append(PayloadWarning(.deprecatedKey, at: AlertKey.actionLocKey.path))
    }
    if !hasText {
      warnings.append(PayloadWarning(.alertWithoutText, at: APSKey.alert.path))
    }
    return warnings
  }

  private var soundWarnings: [PayloadWarning] {
    guard let sound else { return [] }
    var warnings = Self.unknownKeys(
      in: otherSound, path: Sound.path, of: SoundKey.self, code: .unknownSoundKey)
    if sound.name != Sound.default.name && !sound.name.utf8.contains(UInt8(ascii: ".")) {
      warnings.append(PayloadWarning(.soundWithoutExtension, at: Sound.path))
    }
    return warnings
  }

  private var apsWarnings: [PayloadWarning] {
    var warnings = Self.unknownKeys(in: otherAPS, path: Self.apsKey, of: APSKey.self, code: .unknownAPSKey)
    if mutableContent && (!hasText || isLiveActivity) {
      warnings.append(PayloadWarning(.extensionNotRun, at: APSKey.mutableContent.path))
    }
    return warnings + (liveActivity?.timesSince2001 ?? []).map { PayloadWarning(.timeSince2001, at: $0.path) }
  }

  private var customWarnings: [PayloadWarning] {
    APSKey.misplaceable.filter { custom[$0] != nil }.map { PayloadWarning(.misplacedKey, at: $0.rawValue) }
  }

  private static func unknownKeys<Key: RawRepresentable<String>>(
    in object: JSONObject, path: String, of _: Key.Type, code: PayloadWarning.Code
  ) -> [PayloadWarning] {
    object.keys.filter { Key(rawValue: $0) == nil }.map { PayloadWarning(code, at: "\(path).\($0)") }
  }
}

/// A likely mistake in a payload that is valid nevertheless.
public struct PayloadWarning: Sendable {
  /// The kind of mistake.
  ///
  /// The raw values are stable.
  public enum Code: String, Sendable, CaseIterable {
    /// Apple defines no such key in `aps`, and iOS ignores it. An app's own members belong beside `aps`.
    case unknownAPSKey = "unknown-aps-key"
    /// Apple defines no such key in `aps.alert`.
    case unknownAlertKey = "unknown-alert-key"
    /// Apple defines no such key in `aps.sound`.
    case unknownSoundKey = "unknown-sound-key"
    /// The key belongs in `aps`; iOS ignores it elsewhere.
    case misplacedKey = "misplaced-key"
    /// The key is from early versions of iOS and has no effect today.
    case deprecatedKey = "deprecated-key"
    /// The alert has neither a title nor a body, literal or localized.
    ///
    /// Apple's table of the alert's keys does not forbid a subtitle alone. Receivers of this package refuse it
    /// (FORMAT.md, rule 6.4), because iOS may show the original payload if an extension returns content without title
    /// and body.
    case alertWithoutText = "alert-without-text"
    /// The sound is neither `default` nor a file's name with its extension.
    case soundWithoutExtension = "sound-without-extension"
    /// A Live Activity's `stale-date` or `dismissal-date` is from 1990 to 2006, so it is probably counted from 2001, and
    /// over at once.
    case timeSince2001 = "time-since-2001"
    /// The payload asks for the extension, which does not run for a Live Activity or without text to show.
    case extensionNotRun = "extension-not-run"
    /// `userInfo` cannot hold null, so the app does not get it. In an array, the elements after it move up.
    case nullDropped = "null-dropped"
    /// The app gets the number's text as a string, because `userInfo` can hold the number neither as a signed 64-bit
    /// integer nor as a double: `-0`, `1e400`, integers from 2^63.
    case numberAsText = "number-as-text"
    /// The app gets the nearest double, which is not exactly this number.
    case numberRounded = "number-rounded"
    /// The key is canonically equivalent to an earlier one in the object (Unicode), so `userInfo` has only the last of
    /// them.
    case equivalentKey = "equivalent-key"

    /// Whether the mistake makes `userInfo` differ from the payload.
    package var isAboutUserInfo: Bool {
      switch self {
      case .nullDropped, .numberAsText, .numberRounded, .equivalentKey: true
      default: false
      }
    }
  }

  /// The kind of mistake.
  public let code: Code

  /// The member's path, such as `aps.alert` or, beside `aps`, `badge` or `acme.list[2]`.
  ///
  /// The path may contain keys of the app, exactly as in the payload, but never a value. A path inside a custom member
  /// ends with an ellipsis after 100 Unicode scalars.
  public let key: String

  init(_ code: Code, at key: String) {
    self.code = code
    self.key = key
  }
}

extension PayloadWarning: Equatable {
  /// Whether both have the same code and the same key, compared by its UTF-8 bytes.
  public static func == (left: PayloadWarning, right: PayloadWarning) -> Bool {
    left.code == right.code && ExactString(left.key) == ExactString(right.key)
  }
}

extension PayloadWarning: CustomStringConvertible {
  /// The key and the code, such as `aps.chat: unknown-aps-key`, in ASCII; other characters are escaped.
  public var description: String {
    key.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + ": \(code.rawValue)"
  }
}
