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
