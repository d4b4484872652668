internal import PushEnvelope

/// A public key as the members of a JWK (RFC 7518, 6.2; RFC 8037, 2).
struct KeyCoordinates: Equatable {
  /// `kty`.
  let type: String
  /// `crv`.
  let curve: String
  /// `x`, base64url.
  let x: String
  /// `y`, base64url; of P-256 alone.
  let y: String?

  init(_ curve: Curve, publicKey: [UInt8]) {
    switch curve {
    case .x25519, .ed25519: self.init(curve, x: publicKey[...], y: nil)
    case .p256: self.init(curve, x: publicKey[1..<33], y: publicKey[33...])
    }
  }

  private init(_ curve: Curve, x: ArraySlice<UInt8>, y: ArraySlice<UInt8>?) {
    type = curve.keyType
    self.curve = curve.rawValue
    self.x = Base64URL.encode(x.span)
    self.y = y.map { Base64URL.encode($0.span) }
  }
}
