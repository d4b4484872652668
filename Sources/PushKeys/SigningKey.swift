package import PushCrypto
internal import PushEnvelope

/// A sender's private key, ready to sign with.
public struct SigningKey: Sendable {
  /// Its public key.
  public let publicKey: PublicKey

  private let secret: SharedSecret

  /// Takes a sender's key pair; null for a device's.
  package init?(_ publicKey: PublicKey, secret: SharedSecret) {
    guard publicKey.algorithm == .ed25519 else { return nil }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The Ed25519 signature of `message`, 64 bytes.
  package func sign(_ message: Span<UInt8>) -> [UInt8] {
    let bytes = publicKey.bytes
    let secret = self.secret
    guard
      let signature = try? Ed25519.sign(message, privateKey: secret.exposedBytes, publicKey: bytes.span)
    else { preconditionFailure("the key was checked when it was made") }
    return signature
  }
}
