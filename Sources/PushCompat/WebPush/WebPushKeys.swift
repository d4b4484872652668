internal import PushCrypto
internal import PushEnvelope

/// The keys of a Web Push subscription, as its receiver holds them.
public struct WebPushKeys: Sendable {
  /// What a sender needs of them.
  public let subscription: WebPushSubscription

  private let privateKey: SharedSecret

  /// Takes the private key, 32 bytes, big endian, and the authentication secret, 16 bytes; null for any others.
  public init?(privateKey: Span<UInt8>, authenticationSecret: Span<UInt8>) {
    guard let publicKey = try? P256.publicKey(of: privateKey),
      let subscription = WebPushSubscription(
        publicKey: publicKey.span, authenticationSecret: authenticationSecret)
    else { return nil }
    self.subscription = subscription
    self.privateKey = SharedSecret(Secret(copying: privateKey, in: .guarded))
  }

  /// Takes the private key and `auth` in base64url without padding, which the caller wipes.
  package init?(privateKeyText: Span<UInt8>, auth: Span<UInt8>) {
    guard var privateKey = try? Base64URL.decode(privateKeyText) else { return nil }
    defer { privateKey.wipe() }
    guard var secret = try? Base64URL.decode(auth) else { return nil }
    defer { secret.wipe() }
    self.init(privateKey: privateKey.span, authenticationSecret: secret.span)
  }

  /// ECDH with a sender's public key, which must be a point.
  ///
  /// - Throws: ``CryptoError``.
  func sharedSecret(with publicKey: Span<UInt8>) throws(CryptoError) -> Secret {
    try P256.sharedSecret(privateKey: privateKey.exposedBytes, publicKey: publicKey)
  }
}
