package import PushCrypto
public import PushCore

/// A sender's private key, which signs messages.
public struct SigningKey: Sendable {
  /// The public key.
  public let publicKey: PublicKey

  private let secret: SharedSecret

  /// Makes a key from a sender's key pair; nil for a device's key pair.
  package init?(publicKey: PublicKey, secret: SharedSecret) {
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

extension SigningKey {
  /// The Ed25519 signature of each message, 64 bytes; for several, it takes less time where the system allows it.
  package func sign(_ messages: [[UInt8]]) -> [[UInt8]] {
    let bytes = publicKey.bytes
    let secret = self.secret
    guard
      let signatures = try? Ed25519.sign(messages, privateKey: secret.exposedBytes, publicKey: bytes.span)
    else { preconditionFailure("the key was checked when it was made") }
    return signatures
  }
}

extension SigningKey: CustomReflectable {
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

/// A sender's public key, which verifies messages.
public struct SenderKey: Hashable, Sendable {
  /// The key.
  public let publicKey: PublicKey

  /// When the signed set that contains the key ends; nil if the key is not from a signed set.
  ///
  /// The key is trusted for messages that were issued at that time or before: FORMAT.md, [5.8].
  public private(set) var trustedUntil: UnixTime?

  /// Makes a key from a sender's public key; nil for a device's.
  public init?(_ publicKey: PublicKey) {
    guard publicKey.algorithm == .ed25519 else { return nil }
    self.publicKey = publicKey
  }

  /// The same key, from a signed set that ends at `end`.
  public func trusted(until end: UnixTime) -> SenderKey {
    var key = self
    key.trustedUntil = end
    return key
  }

  /// Whether the key is trusted for a message that was issued at `time`; the current time does not matter.
  package func isTrusted(forIssuedAt time: UnixTime) -> Bool { trustedUntil.map { time <= $0 } ?? true }

  /// Whether the content has a valid signature by this key for this binding.
  package func hasSigned(_ content: SealedContent, for binding: MessageBinding) -> Bool {
    guard let signature = content.signature else { return false }
    let input = content.signatureInput(for: binding, signer: signature.keyID)
    let key = publicKey.bytes
    return Ed25519.isValid(signature.bytes.span, on: input.span, publicKey: key.span)
  }
}
