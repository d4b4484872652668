import PushCore
import PushKeys

/// Makes signed key sets step by step, so that a vector can have one fault at any step.
struct SignedSetForge {
  static let topic = "com.example.app"
  static let moment: Int64 = 1_795_000_000
  /// 400 days later.
  static let end: Int64 = 1_829_560_000
  /// The backend.
  static let audience = "https://push.example.com"

  /// Who signs.
  var signer: SigningPair
  var header: RawObject
  var claims: RawObject
  /// The public keys in it, each a JWK.
  var keys: [RawObject] { didSet { claims["keys"] = RawObject.keySet(keys).text } }
  /// The keys' thumbprints, serial and time of a good set.
  var kids: [String] { keys.compactMap { $0["kid"].map { String($0.dropFirst().dropLast()) } } }
  var serial = SignedSetForge.moment { didSet { claims["serial"] = String(serial) } }
  var issuedAt = SignedSetForge.moment { didSet { claims["iat"] = String(issuedAt) } }
  /// When a sender's set ends.
  var expiresAt = SignedSetForge.end { didSet { claims["exp"] = String(expiresAt) } }

  var changeHeader: (RawObject) -> [UInt8] = { Array($0.text.utf8) }
  var changePayload: (RawObject) -> [UInt8] = { Array($0.text.utf8) }
  var changeSignature: ([UInt8]) -> [UInt8] = { $0 }
  /// What no signer makes, in place of the signature.
  var forged: SignatureForge?
  /// Changes header, payload and signature when they are base64url.
  var changeParts: ([String]) -> [String] = { $0 }
  var changeText: (String) -> String = { $0 }

  /// A sender's set by a root.
  init(sender keys: [RawObject], by root: SigningPair) {
    self.init(root, signer: ("kid", root.kid.quoted), keys, [("exp", String(Self.end))])
  }

  /// A device's set by its identity.
  init(device keys: [RawObject], by identity: SigningPair, token: String = SignedSetForge.token) {
    self.init(
      identity, signer: ("jwk", identity.jwk.text), keys,
      [
        ("environment", "production".quoted), ("token", token.quoted), ("audience", Self.audience.quoted),
      ])
  }

  private init(
    _ pair: SigningPair, signer: (name: String, json: String), _ keys: [RawObject],
    _ others: [(name: String, json: String)]
  ) {
    self.signer = pair
    self.keys = keys
    header = RawObject([("alg", "EdDSA".quoted), ("typ", "sealed-push-keys+jws".quoted), signer])
    claims = RawObject(
      [
        ("v", "1"), ("topic", Self.topic.quoted), ("serial", String(serial)), ("iat", String(issuedAt)),
      ] + others + [("keys", RawObject.keySet(keys).text)])
  }

  static let token = String(repeating: "0f", count: 32)

  /// The compact form.
  func text() throws -> String {
    let (header, payload) = (changeHeader(header), changePayload(claims))
    let parts = [Base64URL.encode(header.span), Base64URL.encode(payload.span)]
    let signature = changeSignature(try signer.sign(parts.joined(separator: "."), forged: forged))
    return changeText(changeParts(parts + [Base64URL.encode(signature.span)]).joined(separator: "."))
  }

  /// What is said of a good one beside its text.
  func facts(_ signerMember: String) -> JSONObject {
    [
      signerMember: .string(signer.kid), "serial": .number(JSONNumber(serial)),
      "kids": .array(kids.map(JSONValue.string)),
      "header": .string(String(decoding: changeHeader(header), as: UTF8.self)),
      "payload": .string(String(decoding: changePayload(claims), as: UTF8.self)),
    ]
  }
}

extension RawObject {
  /// A public JWK Set.
  static func keySet(_ keys: [RawObject]) -> RawObject {
    RawObject([("v", "1"), ("keys", "[" + keys.map(\.text).joined(separator: ",") + "]")])
  }
}
