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

/// What stands where sealed text cannot be shown, as in Apple's sample.
public enum Placeholder {
  /// `(Encrypted)`.
  public static let text = "(Encrypted)"
}

/// The most bytes that Apple's push service takes as one payload.
///
/// Counted on the final JSON in UTF-8. Source: Apple, "Generating a remote notification".
public struct PayloadLimit: Sendable, Equatable {
  /// The limit in bytes; a payload of exactly this size is still taken.
  public let bytes: Int

  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// 4096 bytes: every push type but VoIP.
  public static let notification = PayloadLimit(bytes: 4096)

  /// 5120 bytes: push type `voip`.
  public static let voip = PayloadLimit(bytes: 5120)
}
