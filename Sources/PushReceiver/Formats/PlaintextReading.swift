public import PushPayload

/// How a plaintext of another system becomes the content of a notification.
///
/// The content is what this package seals: an APNs payload, with a text in `aps.alert`, whose other members are the
/// app's. A plaintext of which nothing can be made degrades to `malformed-content`.
public struct PlaintextReading: Sendable {
  let content: @Sendable (_ plaintext: [UInt8], _ payload: JSONObject) -> JSONObject?

  /// Makes a reading, which may also look at the payload that brought the plaintext; null if it has nothing to show.
  ///
  /// Nothing in the payload is protected.
  public init(_ content: @escaping @Sendable (_ plaintext: [UInt8], _ payload: JSONObject) -> JSONObject?) {
    self.content = content
  }

  /// The plaintext is a JSON object with `aps`.
  public static let payload = PlaintextReading { plaintext, _ in object(plaintext) }

  /// The plaintext is a JSON object with `title`, `subtitle` and `body`, any of which may be missing.
  ///
  /// Its other members are the app's, but for `aps`.
  public static let alert = PlaintextReading { plaintext, _ in
    guard var members = object(plaintext) else { return nil }
    var alert = JSONObject()
    for name in ["title", "subtitle", "body"] {
      alert[name] = members[name]
      members[name] = nil
    }
    members["aps"] = ["alert": .object(alert)]
    return members
  }

  /// The plaintext is the body, in UTF-8.
  public static let text = PlaintextReading { plaintext, _ in
    guard let text = String(validating: plaintext, as: UTF8.self) else { return nil }
    return ["aps": ["alert": ["body": .string(text)]]]
  }

  private static func object(_ plaintext: [UInt8]) -> JSONObject? { try? JSONObject(parsing: plaintext.span) }
}
