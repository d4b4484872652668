#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation

  /// X-Wing from CryptoKit of iOS 26 and macOS 26.
  ///
  /// ``XWing`` has checked the lengths and the points. `nil` means that CryptoKit refuses an input or fails.
  enum CryptoKitXWing {
    static var isAvailable: Bool {
      if #available(iOS 26, macOS 26, *) { true } else { false }
    }

    /// The algorithms that X-Wing needs and this system's CryptoKit lacks.
    static var missing: [String] { isAvailable ? [] : ["X-Wing"] }

    /// An expanded private key.
    final class PrivateKey: Sendable {
      /// CryptoKit's key; a stored property cannot have its type, which older systems lack.
      private let key: any Sendable
      let publicKey: [UInt8]

      init?(seed: Span<UInt8>) {
        guard #available(iOS 26, macOS 26, *) else { return nil }
        let key = unsafe seed.withUnsafeBytes {
          unsafe try? XWingMLKEM768X25519.PrivateKey(seedRepresentation: $0, publicKey: nil)
        }
        guard let key else { return nil }
        self.key = key
        publicKey = [UInt8](key.publicKey.rawRepresentation)
      }

      /// Decapsulate(ct, sk).
      func decapsulate(_ ct: Span<UInt8>) -> Secret? {
        guard #available(iOS 26, macOS 26, *), let key = key as? XWingMLKEM768X25519.PrivateKey else {
          return nil
        }
        let secret = unsafe ct.withUnsafeBytes { unsafe try? key.decapsulate(Data($0)) }
        guard let secret, secret.bitCount == 8 * XWing.sharedSecretSize else { return nil }
        return Secret(copyingContents: secret, count: XWing.sharedSecretSize)
      }
    }

    /// A recipient's public key.
    final class PublicKey {
      let bytes: [UInt8]
      private let key: any Sendable

      init?(_ bytes: Span<UInt8>) {
        guard #available(iOS 26, macOS 26, *) else { return nil }
        let key = unsafe bytes.withUnsafeBytes {
          unsafe try? XWingMLKEM768X25519.PublicKey(rawRepresentation: $0)
        }
        guard let key else { return nil }
        self.key = key
        self.bytes = [UInt8](copying: bytes)
      }

      /// Encapsulate(pk).
      func encapsulate() -> Encapsulation? {
        guard #available(iOS 26, macOS 26, *), let key = key as? XWingMLKEM768X25519.PublicKey,
          let result = try? key.encapsulate(), result.sharedSecret.bitCount == 8 * XWing.sharedSecretSize
        else { return nil }
        return Encapsulation(
          sharedSecret: Secret(copyingContents: result.sharedSecret, count: XWing.sharedSecretSize),
          encapsulatedKey: [UInt8](result.encapsulated))
      }

      /// Returns nil: CryptoKit has no encapsulation with the caller's randomness.
      func encapsulate(seed: Span<UInt8>) -> Encapsulation? { nil }
    }
  }
#endif
