#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation

  /// X-Wing from CryptoKit of iOS 26 and macOS 26.
  ///
  /// ``XWing`` has checked the lengths and the points. `nil` means that CryptoKit refuses an input or fails.
  enum CryptoKitXWing {
    static var isAvailable: Bool {
      if #available(iOS 26, macOS 26, visionOS 26, *) { true } else { false }
    }

    /// The algorithms that X-Wing needs and this system's CryptoKit lacks.
    static var missing: [String] { isAvailable ? [] : ["X-Wing"] }

    /// An expanded private key.
    final class PrivateKey: Sendable {
      /// CryptoKit's key, not stored under its own type, because older systems lack that type.
      private let key: any Sendable
      let publicKey: [UInt8]

      init?(seed: Span<UInt8>) {
        guard #available(iOS 26, macOS 26, visionOS 26, *) else { return nil }
        let key = unsafe seed.withUnsafeBytes {
          unsafe try? XWingMLKEM768X25519.PrivateKey(seedRepresentation: $0, publicKey: nil)
        }
        guard let key else { return nil }
        self.key = key
        publicKey = [UInt8](key.publicKey.rawRepresentation)
      }

      /// Recovers a shared secret: Decapsulate(ct, sk).
      func decapsulate(_ ct: Span<UInt8>) -> Secret? {
        guard #available(iOS 26, macOS 26, visionOS 26, *), let key = key as? XWingMLKEM768X25519.PrivateKey
        else {
          return nil
        }
        let secret = unsafe ct.withUnsafeBytes { unsafe try? key.decapsulate(Data($0)) }
        guard let secret, secret.bitCount == 8 * XWing.sharedSecretSize else { return nil }
        return Secret(copyingContents: secret, count: XWing.sharedSecretSize)
      }
    }

    /// The encapsulations of one batch; consecutive messages to one recipient share the reading of its key.
    final class Encapsulations {
      private let isRepeatable: Bool
      private var recipient: (publicKey: [UInt8], key: any Sendable)?

      /// Prepares encapsulations, which fail if their randomness is given: CryptoKit takes none from its caller.
      init(to recipients: [[UInt8]?], seeds: SharedSecret?) { isRepeatable = seeds != nil }

      /// Encapsulates a secret: Encapsulate(pk).
      func encapsulation(to publicKey: [UInt8], at position: Int) -> Encapsulation? {
        guard #available(iOS 26, macOS 26, visionOS 26, *), !isRepeatable, let key = key(of: publicKey),
          let result = try? key.encapsulate(), result.sharedSecret.bitCount == 8 * XWing.sharedSecretSize
        else { return nil }
        return Encapsulation(
          sharedSecret: Secret(copyingContents: result.sharedSecret, count: XWing.sharedSecretSize),
          encapsulatedKey: [UInt8](result.encapsulated))
      }

      @available(iOS 26, macOS 26, visionOS 26, *)
      private func key(of publicKey: [UInt8]) -> XWingMLKEM768X25519.PublicKey? {
        if let recipient, recipient.publicKey == publicKey {
          return recipient.key as? XWingMLKEM768X25519.PublicKey
        }
        guard let key = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: publicKey) else { return nil }
        recipient = (publicKey, key)
        return key
      }
    }
  }
#endif
