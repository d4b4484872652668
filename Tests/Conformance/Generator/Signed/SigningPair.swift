import PushCrypto
import PushCore
import PushKeys
import PushTesting
import TestSupport

/// The key pair of a root or of an identity.
struct SigningPair {
  let publicKey: PublicKey
  private let seed: [UInt8]

  init(_ label: String) throws {
    let seed = FixedRandomness.bytes(of: label)
    self.seed = seed
    publicKey = try PublicKey(algorithm: .ed25519, bytes: try Ed25519.publicKey(of: seed.span))
  }

  var kid: String { publicKey.thumbprint.text }

  var x: String { Self.text(publicKey.bytes) }

  /// The header's `jwk`.
  var jwk: RawObject {
    RawObject([("crv", "Ed25519".quoted), ("kty", "OKP".quoted), ("x", x.quoted)])
  }

  /// The private JWK, which is published.
  var privateJWK: JSONObject {
    [
      "kty": "OKP", "crv": "Ed25519", "x": .string(x), "d": .string(Self.text(seed)), "kid": .string(kid),
      "use": "sig", "alg": "EdDSA",
    ]
  }

  /// The public JWK of a pinned root.
  var publicJWK: JSONObject {
    ["kty": "OKP", "crv": "Ed25519", "x": .string(x), "kid": .string(kid), "use": "sig", "alg": "EdDSA"]
  }

  func sign(_ text: String, forged: SignatureForge? = nil) throws -> [UInt8] {
    let (text, key) = (Array(text.utf8), publicKey.bytes)
    if let forged { return try forged.signature(of: text, seed: seed) }
    return try Ed25519.sign(text.span, privateKey: seed.span, publicKey: key.span)
  }

  private static func text(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }
}

/// Who signs key sets in the vectors.
struct SigningPairs {
  let root: SigningPair
  let otherRoot: SigningPair
  /// A root that no reader has.
  let stranger: SigningPair
  let identity: SigningPair
  let otherIdentity: SigningPair
  let thirdIdentity: SigningPair

  init() throws {
    root = try SigningPair("root")
    otherRoot = try SigningPair("other root")
    stranger = try SigningPair("stranger root")
    identity = try SigningPair("identity")
    otherIdentity = try SigningPair("other identity")
    thirdIdentity = try SigningPair("third identity")
  }

  /// The public set of both roots.
  var roots: JSONObject { Self.roots([root, otherRoot]) }

  static func roots(_ pairs: [SigningPair]) -> JSONObject {
    ["v": 1, "role": "root", "keys": .array(pairs.map { .object($0.publicJWK) })]
  }

  var file: JSONObject {
    [
      "root": .object(root.privateJWK), "otherRoot": .object(otherRoot.privateJWK),
      "stranger": .object(stranger.privateJWK), "identity": .object(identity.privateJWK),
      "otherIdentity": .object(otherIdentity.privateJWK),
      "thirdIdentity": .object(thirdIdentity.privateJWK),
    ]
  }
}
