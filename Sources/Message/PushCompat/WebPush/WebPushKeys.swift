internal import PushCrypto
internal import PushCore

/// A Web Push subscription's keys, as a sender has them (RFC 8291, 3.1 and 3.2).
public struct WebPushSubscription: Sendable {
  /// The length of the authentication secret, in bytes.
  fileprivate static let secretSize = 16

  /// The receiver's public key, 65 bytes: an uncompressed point of P-256.
  public let publicKey: [UInt8]

  /// The authentication secret, 16 bytes, which receiver and sender share.
  let secret: SharedSecret

  /// Takes `p256dh` and `auth` as bytes; `nil` unless the first is a point and the second has 16 bytes.
  public init?(publicKey: Span<UInt8>, authenticationSecret: Span<UInt8>) {
    guard (try? P256.validate(publicKey: publicKey)) != nil, authenticationSecret.count == Self.secretSize
    else { return nil }
    self.publicKey = [UInt8](copying: publicKey)
    secret = SharedSecret(Secret(copying: authenticationSecret))
  }

  /// Takes the members `p256dh` and `auth` of a subscription's `keys`, in base64url with or without padding.
  public init?(p256dh: String, auth: String) {
    let publicKey = Array(p256dh.utf8)
    var secret = Array(auth.utf8)
    defer { secret.wipe() }
    self.init(p256dh: publicKey.span, auth: secret.span)
  }

  /// Takes the same members as ASCII, which the caller wipes.
  package init?(p256dh: Span<UInt8>, auth: Span<UInt8>) {
    guard let publicKey = Base64URL.secret(from: p256dh, count: P256.publicKeySize),
      let secret = Base64URL.secret(from: auth, count: Self.secretSize)
    else { return nil }
    self.init(publicKey: publicKey.exposedBytes, authenticationSecret: secret.exposedBytes)
  }
}

/// A Web Push subscription's keys, as its receiver has them.
public struct WebPushKeys: Sendable {
  /// The keys that a sender needs.
  public let subscription: WebPushSubscription

  private let privateKey: SharedSecret

  /// Takes the private key, 32 bytes in big-endian order, and the authentication secret, 16 bytes; `nil` if one of them
  /// is invalid.
  public init?(privateKey: Span<UInt8>, authenticationSecret: Span<UInt8>) {
    guard let publicKey = try? P256.publicKey(of: privateKey),
      let subscription = WebPushSubscription(
        publicKey: publicKey.span, authenticationSecret: authenticationSecret)
    else { return nil }
    self.subscription = subscription
    self.privateKey = SharedSecret(Secret(copying: privateKey, in: .guarded))
  }

  /// Takes the private key and `auth` in base64url with or without padding, which the caller wipes.
  package init?(privateKeyText: Span<UInt8>, auth: Span<UInt8>) {
    guard let privateKey = Base64URL.secret(from: privateKeyText, count: P256.privateKeySize),
      let secret = Base64URL.secret(from: auth, count: WebPushSubscription.secretSize)
    else { return nil }
    self.init(privateKey: privateKey.exposedBytes, authenticationSecret: secret.exposedBytes)
  }

  /// ECDH with a sender's public key.
  ///
  /// - Throws: `CryptoError`, `invalidPublicKey` if the key is not a point of the curve.
  func sharedSecret(with publicKey: Span<UInt8>) throws(CryptoError) -> Secret {
    try P256.sharedSecret(privateKey: privateKey.exposedBytes, publicKey: publicKey)
  }
}
