#if canImport(CryptoKit)
  internal import CryptoKit

  /// Ed25519 from CryptoKit.
  ///
  /// ``Ed25519`` has checked lengths and encodings.
  enum CryptoKitEd25519 {
    private typealias PrivateKey = Curve25519.Signing.PrivateKey
    private typealias PublicKey = Curve25519.Signing.PublicKey

    /// False: CryptoKit documents "a different signature on every call, even for the same data and key".
    static var isDeterministic: Bool { false }

    static func publicKey(of privateKey: Span<UInt8>) -> [UInt8] {
      [UInt8](Self.privateKey(privateKey).publicKey.rawRepresentation)
    }

    /// Returns the signature.
    ///
    /// CryptoKit derives the public key itself.
    static func sign(
      _ message: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>
    ) -> [UInt8] {
      let key = Self.privateKey(privateKey)
      guard let signature = unsafe message.withUnsafeBytes({ unsafe try? key.signature(for: $0) }) else {
        preconditionFailure("a private key signs any message")
      }
      return [UInt8](signature)
    }

    static func isValid(
      _ signature: Span<UInt8>, on message: Span<UInt8>, publicKey: Span<UInt8>
    ) -> Bool {
      let key = unsafe publicKey.withUnsafeBytes { unsafe try? PublicKey(rawRepresentation: $0) }
      guard let key else { return false }
      return unsafe signature.withUnsafeBytes { signature in
        unsafe message.withUnsafeBytes { message in
          unsafe key.isValidSignature(signature, for: message)
        }
      }
    }

    private static func privateKey(_ bytes: Span<UInt8>) -> PrivateKey {
      let key = unsafe bytes.withUnsafeBytes { unsafe try? PrivateKey(rawRepresentation: $0) }
      guard let key else { preconditionFailure("any 32 bytes are a private key") }
      return key
    }
  }
#endif
