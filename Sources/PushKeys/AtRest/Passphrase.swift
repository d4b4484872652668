internal import PushCrypto

/// What a person types to open a key file.
///
/// It prints nothing of itself, and is wiped when the last copy of it is let go.
public struct Passphrase: Sendable {
  /// The longest one, in bytes.
  public static let maximumSize = 1024

  let secret: SharedSecret

  /// Copies a passphrase's bytes; null unless there are 1 to 1024 of them.
  ///
  /// The caller wipes its own.
  public init?(copying bytes: Span<UInt8>) {
    guard (1...Self.maximumSize).contains(bytes.count) else { return nil }
    secret = SharedSecret(Secret(copying: bytes))
  }

  /// The key that it gives with a salt.
  func key(_ salt: Span<UInt8>, _ parameters: Argon2id.Parameters) throws(CryptoError) -> Secret {
    let secret = self.secret
    return try Argon2id.key(
      of: secret.exposedBytes, salt: salt, parameters, count: XChaCha20Poly1305.keySize)
  }
}

extension Passphrase: CustomReflectable {
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
