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

  /// Takes the private key and `auth` in base64url, with padding or without, which the caller wipes.
  package init?(privateKeyText: Span<UInt8>, auth: Span<UInt8>) {
    guard let privateKey = Base64URL.secret(privateKeyText, count: P256.privateKeySize),
      let secret = Base64URL.secret(auth, count: WebPushSubscription.secretSize)
    else { return nil }
    self.init(privateKey: privateKey.exposedBytes, authenticationSecret: secret.exposedBytes)
  }

  /// ECDH with a sender's public key, which must be a point.
  ///
  /// - Throws: ``CryptoError``.
  func sharedSecret(with publicKey: Span<UInt8>) throws(CryptoError) -> Secret {
    try P256.sharedSecret(privateKey: privateKey.exposedBytes, publicKey: publicKey)
  }
}
