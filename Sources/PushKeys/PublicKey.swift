internal import PushCrypto
public import PushEnvelope

/// A public key that was checked.
public struct PublicKey: Hashable, Sendable {
  /// What it is for.
  public let algorithm: KeyAlgorithm

  /// The key as HPKE and Ed25519 serialize it: 32 bytes, or 65 for P-256.
  public let bytes: [UInt8]

  /// The JWK thumbprint (RFC 7638), SHA-256.
  public let thumbprint: Thumbprint

  /// Checks a key.
  ///
  /// - Throws: ``PublicKeyError/refused`` for a wrong length, a point that is not on the curve or not
  ///   uncompressed, a small-order or non-canonical one, and always for a shared key, which has no public half.
  public init(_ algorithm: KeyAlgorithm, bytes: [UInt8]) throws(PublicKeyError) {
    do throws(CryptoError) {
      try algorithm.validate(publicKey: bytes.span)
    } catch {
      throw .refused
    }
    self.algorithm = algorithm
    self.bytes = bytes
    thumbprint = Self.thumbprint(algorithm, bytes)
  }

  /// RFC 7638, 3: SHA-256 over the required members in lexicographic order, without white space.
  private static func thumbprint(_ algorithm: KeyAlgorithm, _ bytes: [UInt8]) -> Thumbprint {
    let members = algorithm.jwk.requiredMembers(of: bytes).map { #""\#($0)":"\#($1)""# }
    let json = "{" + members.joined(separator: ",") + "}"
    let text = Array(json.utf8)
    guard let thumbprint = Thumbprint(SHA256.digest(text.span)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return thumbprint
  }
}

/// A public key that no one may use.
public enum PublicKeyError: Error, Equatable, Sendable {
  /// It is not a key of its kind, or one with which nothing would be secret.
  case refused
}
