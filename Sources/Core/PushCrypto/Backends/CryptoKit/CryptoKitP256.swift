#if canImport(CryptoKit)
  internal import CryptoKit

  /// P-256 from CryptoKit.
  ///
  /// ``P256`` has checked the lengths. `nil` means that a point or a scalar is invalid.
  enum CryptoKitP256 {
    private typealias PrivateKey = CryptoKit.P256.KeyAgreement.PrivateKey
    private typealias PublicKey = CryptoKit.P256.KeyAgreement.PublicKey

    static func isPoint(_ publicKey: Span<UInt8>) -> Bool { point(publicKey) != nil }

    static func publicKey(of privateKey: Span<UInt8>) -> [UInt8]? {
      guard let key = scalar(privateKey) else { return nil }
      return [UInt8](key.publicKey.x963Representation)
    }

    static func sharedSecret(privateKey: Span<UInt8>, publicKey: Span<UInt8>) -> Secret? {
      guard let key = scalar(privateKey), let other = point(publicKey),
        let secret = try? key.sharedSecretFromKeyAgreement(with: other)
      else { return nil }
      return Secret(copyingContents: secret, count: P256.privateKeySize)
    }

    private static func scalar(_ bytes: Span<UInt8>) -> PrivateKey? {
      unsafe bytes.withUnsafeBytes { unsafe try? PrivateKey(rawRepresentation: $0) }
    }

    private static func point(_ bytes: Span<UInt8>) -> PublicKey? {
      unsafe bytes.withUnsafeBytes { unsafe try? PublicKey(x963Representation: $0) }
    }
  }
#endif
