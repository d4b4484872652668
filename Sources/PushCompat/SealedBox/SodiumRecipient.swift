internal import PushCrypto

/// Whom a sealed box is for: an X25519 public key.
public struct SodiumRecipient: Sendable, Equatable {
  /// The public key, 32 bytes.
  public let publicKey: [UInt8]

  /// Takes a public key; null unless it has 32 bytes and is not of small order, which anyone could open.
  public init?(publicKey: Span<UInt8>) {
    guard (try? X25519.validate(publicKey: publicKey)) != nil else { return nil }
    self.publicKey = [UInt8](copying: publicKey)
  }

  /// Takes a public key in base64.
  package init?(publicKeyText: Span<UInt8>) {
    guard let publicKey = StandardBase64.decode(publicKeyText) else { return nil }
    self.init(publicKey: publicKey.span)
  }
}
