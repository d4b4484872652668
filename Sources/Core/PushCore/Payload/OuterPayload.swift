/// The key under which the outer payload carries the envelope: at the top level, or in a Live Activity's
/// `content-state`.
public struct EnvelopeKey: Hashable, Sendable {
  /// `ENCRYPTED_DATA`, as in Apple's sample.
  public static let `default` = EnvelopeKey(unchecked: "ENCRYPTED_DATA")

  /// The key.
  public let text: String

  /// Takes any key but an empty one and the two that the format reserves, `aps` and `sealed-push`.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    guard !text.isEmpty, !["aps", Self.reserved].contains(text) else {
      throw ValueError(
        "key of an envelope", is: "not empty, and neither 'aps' nor 'sealed-push', which are reserved")
    }
    self.text = text
  }

  /// The value of this key in a payload: at the top level, otherwise in `aps.content-state`; nil if neither has it.
  public func value(in payload: JSONObject) -> JSONValue? {
    payload[text] ?? payload["aps"]?.object?["content-state"]?.object?[text]
  }

  private init(unchecked text: String) { self.text = text }

  /// The top-level key of the sealed content that the format reserves.
  package static let reserved = "sealed-push"
}

/// The visible text that stands for sealed text, as in Apple's sample.
package enum Placeholder {
  /// `(Encrypted)`.
  package static let text = "(Encrypted)"
}

/// The maximum size of a payload that APNs accepts.
///
/// It applies to the final JSON in UTF-8. FCM has the limit of ``notification``, for the names and values alone.
/// Source: Apple, "Generating a remote notification".
public struct PayloadLimit: Sendable, Equatable {
  /// The limit in bytes; a payload of exactly this size is accepted.
  public let bytes: Int

  package init(bytes: Int) {
    self.bytes = bytes
  }

  /// 4096 bytes: every push type except VoIP.
  public static let notification = PayloadLimit(bytes: 4096)

  /// 5120 bytes: push type `voip`.
  public static let voip = PayloadLimit(bytes: 5120)
}
