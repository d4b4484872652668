internal import PushCrypto
package import PushEnvelope

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
