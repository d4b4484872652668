/// Why another system's envelope was not opened, or not made.
public enum EnvelopeFormatError: Error, Equatable, Sendable {
  /// The payload has no envelope of this format.
  case absent
  /// A member is not there, or does not have the format's form.
  case malformed(member: String)
  /// The envelope's text is longer than 8192 characters, or would be larger than the format or a payload allows.
  case tooLarge
  /// It does not open: it is under another key or password, or was altered, which is not told apart.
  ///
  /// A format without authentication notices neither for certain.
  case notAuthentic
  /// It names another key than the one that is here.
  case wrongKey
  /// The system's library has no such algorithm, as its configuration can bring about, or no memory left.
  case unavailable

  /// Its stable name, such as `not-authentic`, which says nothing of what was found.
  public var code: String {
    switch self {
    case .absent: "absent"
    case .malformed: "malformed"
    case .tooLarge: "too-large"
    case .notAuthentic: "not-authentic"
    case .wrongKey: "wrong-key"
    case .unavailable: "unavailable"
    }
  }
}
