internal import PushCrypto
public import PushEnvelope

/// A public key that was checked.
public struct PublicKey: Hashable, Sendable {
  /// What it is a point of.
  let curve: Curve

  /// The key as HPKE and Ed25519 serialize it: 32 bytes, or 65 for P-256.
  public let bytes: [UInt8]

  /// The JWK thumbprint (RFC 7638), SHA-256.
  public let thumbprint: Thumbprint

  /// What it is for.
  public var algorithm: KeyAlgorithm { curve.algorithm }

  /// Checks a key.
  ///
  /// - Throws: ``PublicKeyError/refused`` for a wrong length, a point that is not on the curve or not
  ///   uncompressed, a small-order or non-canonical one, and always for a shared key, which has no public half.
  public init(_ algorithm: KeyAlgorithm, bytes: [UInt8]) throws(PublicKeyError) {
    guard let curve = algorithm.curve else { throw .refused }
    try self.init(on: curve, bytes: bytes)
  }

  /// Checks a key, as ``init(_:bytes:)``.
  init(on curve: Curve, bytes: [UInt8]) throws(PublicKeyError) {
    do throws(CryptoError) {
      try curve.validate(publicKey: bytes.span)
    } catch {
      throw .refused
    }
    self.curve = curve
    self.bytes = bytes
    thumbprint = Self.thumbprint(curve, bytes)
  }

  /// RFC 7638, 3: SHA-256 over the required members in lexicographic order, without white space.
  private static func thumbprint(_ curve: Curve, _ bytes: [UInt8]) -> Thumbprint {
    let coordinates = KeyCoordinates(curve, publicKey: bytes)
    let json =
      switch coordinates.y {
      case nil: #"{"crv":"\#(coordinates.curve)","kty":"\#(coordinates.type)","x":"\#(coordinates.x)"}"#
      case let y?:
        #"{"crv":"\#(coordinates.curve)","kty":"\#(coordinates.type)","x":"\#(coordinates.x)","y":"\#(y)"}"#
      }
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
