internal import PushCrypto
public import PushCore

/// A validated public key.
public struct PublicKey: Hashable, Sendable {
  /// The key's algorithm.
  public let algorithm: KeyAlgorithm

  /// The key as HPKE and Ed25519 serialize it: 32 bytes, 65 for P-256, or 1216 for X-Wing.
  public let bytes: [UInt8]

  /// The JWK thumbprint (RFC 7638), SHA-256.
  public let thumbprint: Thumbprint

  /// Validates a serialized key.
  ///
  /// - Throws: `ValueError` for a wrong length, a point that is off the curve, compressed, of small
  ///   order, or non-canonical, a coefficient of ML-KEM-768 that is out of range, and always for ``KeyAlgorithm/shared``, which has no public half.
  public init(algorithm: KeyAlgorithm, bytes: [UInt8]) throws(ValueError) {
    do throws(CryptoError) {
      try algorithm.validate(publicKey: bytes.span)
    } catch {
      throw ValueError("public key", is: "a key of its algorithm that is safe to use")
    }
    self.algorithm = algorithm
    self.bytes = bytes
    thumbprint = Self.thumbprint(algorithm: algorithm, bytes: bytes)
  }

  /// RFC 7638, 3: SHA-256 over the required members in lexicographic order, without white space.
  private static func thumbprint(algorithm: KeyAlgorithm, bytes: [UInt8]) -> Thumbprint {
    var json: [UInt8] = []
    json.reserveCapacity(2 * bytes.count + 64)
    // Hashing part by part is faster than building a string first.
    for (member, value) in algorithm.jwk.requiredMembers(of: bytes) {
      json += (json.isEmpty ? "{\"" : ",\"").utf8
      json += member.rawValue.utf8
      json += "\":\"".utf8
      json += value.utf8
      json.append(UInt8(ascii: "\""))
    }
    json.append(UInt8(ascii: "}"))
    guard let thumbprint = Thumbprint(SHA256.digest(json.span)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return thumbprint
  }
}
