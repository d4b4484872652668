package import PushCrypto
package import PushEnvelope

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

extension SigningKey: CustomReflectable {
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// A sender's public key, to check signatures with.
public struct SenderKey: Hashable, Sendable {
  /// The key.
  public let publicKey: PublicKey

  /// Takes a sender's public key; null for a device's.
  public init?(_ publicKey: PublicKey) {
    guard publicKey.algorithm == .ed25519 else { return nil }
    self.publicKey = publicKey
  }

  /// Whether a content's signature is this key's, for what the content is bound to.
  package func hasSigned(_ content: SealedContent, for binding: MessageBinding) -> Bool {
    guard let signature = content.signature else { return false }
    let input = content.signatureInput(for: binding, signer: signature.keyID)
    let key = publicKey.bytes
    return Ed25519.isValid(signature.bytes.span, on: input.span, publicKey: key.span)
  }
}
