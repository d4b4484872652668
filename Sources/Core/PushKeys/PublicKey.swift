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
  /// - Throws: ``PublicKeyError/refused`` for a wrong length; for a point that is off the curve, compressed, of small
  ///   order, or non-canonical; for a coefficient of ML-KEM-768 that is out of range; and always for
  ///   ``KeyAlgorithm/shared``, which has no public half.
  public init(algorithm: KeyAlgorithm, bytes: [UInt8]) throws(PublicKeyError) {
    do throws(CryptoError) {
      try algorithm.validate(publicKey: bytes.span)
    } catch {
      throw .refused
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

/// Why a public key is rejected.
public enum PublicKeyError: Error, Equatable, Sendable {
  /// The bytes are not a key of the algorithm, or the key is unsafe to use.
  case refused
}

extension PublicKeyError: CustomStringConvertible {
  /// What is wrong with the key.
  public var description: String {
    switch self {
    case .refused: "the public key is not a key of its algorithm, or is unsafe to use"
    }
  }
}
