internal import PushCrypto
internal import PushEnvelope

/// What a Web Push subscription tells a sender of its keys (RFC 8291, 3.1 and 3.2).
public struct WebPushSubscription: Sendable {
  /// The length of the authentication secret, in bytes.
  static let secretSize = 16

  /// The receiver's public key, 65 bytes: an uncompressed point of P-256.
  public let publicKey: [UInt8]

  /// The authentication secret, 16 bytes, which receiver and sender share.
  let secret: SharedSecret

  /// Takes `p256dh` and `auth` as bytes; null unless the one is a point and the other has 16 bytes.
  public init?(publicKey: Span<UInt8>, authenticationSecret: Span<UInt8>) {
    guard (try? P256.validate(publicKey: publicKey)) != nil, authenticationSecret.count == Self.secretSize
    else { return nil }
    self.publicKey = [UInt8](copying: publicKey)
    secret = SharedSecret(Secret(copying: authenticationSecret))
  }

  /// Takes the members `p256dh` and `auth` of a subscription's `keys`, in base64url with padding or without.
  public init?(p256dh: String, auth: String) {
    let publicKey = Array(p256dh.utf8)
    var secret = Array(auth.utf8)
    defer { secret.wipe() }
    self.init(p256dh: publicKey.span, auth: secret.span)
  }

  /// The same members as texts that the caller wipes.
  package init?(p256dh: Span<UInt8>, auth: Span<UInt8>) {
    guard let publicKey = Base64URL.secret(p256dh, count: P256.publicKeySize),
      let secret = Base64URL.secret(auth, count: Self.secretSize)
    else { return nil }
    self.init(publicKey: publicKey.exposedBytes, authenticationSecret: secret.exposedBytes)
  }
}
