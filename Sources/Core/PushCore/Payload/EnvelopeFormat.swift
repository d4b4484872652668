/// Another system's envelope format, with the keys to open it.
///
/// No such format is as strong as this package's own envelope. Each type's documentation lists what its format lacks. A
/// format that authenticates nothing is only created by a call that says `unauthenticated`.
public protocol EnvelopeFormat: Sendable {
  /// The format's name in the tool and in the log, such as `openssl-salted`.
  static var name: String { get }

  /// Whether a payload looks like one of this format, whichever key opens it.
  static func isRecognized(_ payload: JSONObject) -> Bool

  /// Whether a payload looks like one that this value can open, for example because it has the configured member.
  func recognizes(_ payload: JSONObject) -> Bool

  /// Opens a payload's envelope, and returns the plaintext.
  ///
  /// - Throws: ``EnvelopeFormatError``.
  func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8]
}

extension EnvelopeFormat {
  /// Whether a payload looks like one of this format.
  public func recognizes(_ payload: JSONObject) -> Bool { Self.isRecognized(payload) }
}

/// Why another system's envelope could not be opened or sealed.
public enum EnvelopeFormatError: Error, Equatable, Sendable {
  /// The payload has no envelope of this format.
  case absent
  /// A member is missing, or does not follow the format.
  case malformed(member: String)
  /// The envelope's text is longer than 8192 characters, or the envelope would be larger than the format or a payload
  /// allows.
  case tooLarge
  /// The envelope was sealed under another key or password, or was altered. The two cannot be told apart.
  ///
  /// A format without authentication does not reliably detect either.
  case notAuthentic
  /// The envelope names a different key.
  case wrongKey
  /// The system's cryptographic library lacks the algorithm, for example because of its configuration, or is out of
  /// memory.
  case unavailable

  /// The stable name of the error, such as `not-authentic`.
  ///
  /// The name reveals nothing about the contents.
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

extension EnvelopeFormatError: CustomStringConvertible {
  /// The code, and what is wrong.
  public var description: String { "\(code): \(reason)" }

  /// What is wrong, without the code.
  package var reason: String {
    switch self {
    case .absent: "the payload has no envelope of this format"
    case .malformed(let member): "the member '\(member)' is missing or malformed"
    case .tooLarge: "it is longer than any payload"
    case .notAuthentic: "it does not open: the key or password is wrong, or it was altered"
    case .wrongKey: "it was sealed to another key than the one given"
    case .unavailable: "the system's library lacks the algorithm, or memory ran out"
    }
  }
}

/// How the plaintext of another system's envelope becomes the content of a notification.
///
/// The content has the form that this package seals: an APNs payload with a text in `aps.alert`, whose other members
/// belong to the app. A plaintext that yields no such content degrades to `malformed-content`.
public struct PlaintextReading: Sendable {
  package let content: @Sendable (_ plaintext: [UInt8], _ payload: JSONObject) -> JSONObject?

  /// Creates a reading from a closure that returns `nil` if there is nothing to show.
  ///
  /// The closure may also use the payload that carried the envelope. Nothing in that payload is protected.
  public init(_ content: @escaping @Sendable (_ plaintext: [UInt8], _ payload: JSONObject) -> JSONObject?) {
    self.content = content
  }

  /// The plaintext is a JSON object with `aps`.
  public static let payload = PlaintextReading { plaintext, _ in object(parsing: plaintext) }

  /// The plaintext is a JSON object with optional members `title`, `subtitle` and `body`.
  ///
  /// All other members except `aps` belong to the app.
  public static let alert = PlaintextReading { plaintext, _ in
    guard var members = object(parsing: plaintext) else { return nil }
    var alert = JSONObject()
    for name in ["title", "subtitle", "body"] {
      alert[name] = members[name]
      members[name] = nil
    }
    members["aps"] = ["alert": .object(alert)]
    return members
  }

  /// The plaintext is the notification's body, in UTF-8.
  public static let text = PlaintextReading { plaintext, _ in
    let text = String(decoding: plaintext, as: UTF8.self)
    // What is not UTF-8 was replaced.
    guard text.utf8.elementsEqual(plaintext) else { return nil }
    return ["aps": ["alert": ["body": .string(text)]]]
  }

  private static func object(parsing plaintext: [UInt8]) -> JSONObject? {
    try? JSONObject(parsing: plaintext.span)
  }
}
