/// The key under which the outer payload carries the envelope: at the top level, or in a Live Activity's
/// `content-state`.
public struct EnvelopeKey: Hashable, Sendable {
  /// `ENCRYPTED_DATA`, as in Apple's sample.
  public static let `default` = EnvelopeKey(unchecked: "ENCRYPTED_DATA")

  /// The key.
  public let text: String

  /// Takes a key, which must not be empty, nor `aps` or `sealed-push`, which the format reserves.
  ///
  /// - Throws: ``EnvelopeKeyError``.
  public init(_ text: String) throws(EnvelopeKeyError) {
    guard !text.isEmpty else { throw .empty }
    guard !["aps", Self.reserved].contains(text) else { throw .reserved }
    self.text = text
  }

  /// The value of this key in a payload, at the top level or else in `aps.content-state`; nil if there is none.
  public func value(in payload: JSONObject) -> JSONValue? {
    payload[text] ?? payload["aps"]?.object?["content-state"]?.object?[text]
  }

  private init(unchecked text: String) { self.text = text }

  /// The top-level key of the sealed content that the format reserves.
  package static let reserved = "sealed-push"
}

/// Why a text cannot be an envelope's key.
public enum EnvelopeKeyError: Error, Equatable, Sendable {
  /// It is empty.
  case empty
  /// It is `aps` or `sealed-push`.
  case reserved
}

extension EnvelopeKeyError: CustomStringConvertible {
  /// What is wrong with the key.
  public var description: String {
    switch self {
    case .empty: "the key of an envelope must not be empty"
    case .reserved: "the key of an envelope must not be 'aps' or 'sealed-push', which are reserved"
    }
  }
}

/// The text that is shown in place of sealed text, as in Apple's sample.
public enum Placeholder {
  /// `(Encrypted)`.
  public static let text = "(Encrypted)"
}

/// The maximum size of a payload that APNs accepts.
///
/// It applies to the final JSON in UTF-8. Source: Apple, "Generating a remote notification".
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
