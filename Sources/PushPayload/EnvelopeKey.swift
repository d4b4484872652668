/// The member under which a sealed payload carries its envelope: at the top level, or in a Live Activity's
/// `content-state`.
public struct EnvelopeKey: Hashable, Sendable {
  /// `ENCRYPTED_DATA`, as in Apple's sample.
  public static let `default` = EnvelopeKey(unchecked: "ENCRYPTED_DATA")

  /// The member's name.
  public let text: String

  /// Takes a name; null if it is empty, `aps`, or the format's own `sealed-push`.
  public init?(_ text: String) {
    guard !["", "aps", Self.reserved].contains(text) else { return nil }
    self.text = text
  }

  /// What a payload has under this key, at the top level or else in `aps.content-state`; null if nothing.
  public func value(in payload: JSONObject) -> JSONValue? {
    payload[text] ?? payload["aps"]?.object?["content-state"]?.object?[text]
  }

  private init(unchecked text: String) { self.text = text }

  /// The top-level member of a sealed content that the format keeps for itself.
  package static let reserved = "sealed-push"
}
