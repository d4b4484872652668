public import PushCore

/// How a relay from Web Push to APNs writes a message into a payload.
///
/// The relay writes the body. For the older `aesgcm`, it also writes the contents of two HTTP header fields: the
/// sender's public key and the salt. The app reads any other member that the relay writes, such as a hint of the
/// account, from the payload.
public struct WebPushCarriage: Sendable, Equatable {
  /// How bytes become text.
  private enum Encoding {
    case extendedZ85
    case base64URL
  }

  /// The member with the body.
  let body: String
  private let encoding: Encoding

  /// The member with the sender's public key, in `aesgcm`.
  static let publicKey = "k"
  /// The member with the salt, in `aesgcm`.
  static let salt = "s"

  /// Members `p`, `k` and `s` in Z85 for any number of bytes: the relays of several Mastodon clients.
  public static let z85 = WebPushCarriage(body: "p", encoding: .extendedZ85)

  /// Members `m`, `k` and `s` in base64url with or without padding: the relays of other clients.
  public static let base64URL = WebPushCarriage(body: "m", encoding: .base64URL)

  static let all = [z85, base64URL]

  /// The members that carry an `aes128gcm` body.
  public func members(of body: Span<UInt8>) -> JSONObject {
    let text =
      switch encoding {
      case .extendedZ85: String(decoding: ExtendedZ85.encode(body), as: UTF8.self)
      case .base64URL: Base64URL.encode(body)
      }
    return [self.body: .string(text)]
  }

  /// A member's bytes.
  ///
  /// - Throws: `EnvelopeFormatError`.
  func bytes(
    of member: String, in payload: JSONObject, atLeast count: Int = 0
  ) throws(EnvelopeFormatError) -> [UInt8] {
    let text = try EnvelopeText(member: member, of: payload)
    return switch encoding {
    case .extendedZ85: try text.decoded(atLeast: count, by: ExtendedZ85.decode)
    case .base64URL: try text.decoded(atLeast: count, by: Base64URL.decodePadded)
    }
  }

  /// Whether the payload has one of the members that only `aesgcm` has.
  func hasHeaderFields(in payload: JSONObject) -> Bool {
    payload[Self.publicKey] != nil || payload[Self.salt] != nil
  }
}
