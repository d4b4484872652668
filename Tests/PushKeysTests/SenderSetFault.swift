import PushCore
import PushEnrolment
import PushKeys
import Testing

/// A signed set of senders with one fault, and the expected error.
struct SenderSetFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: SignedSetError

  static let root = KeySet(generating: .root, at: start)
  static let senders = (try? KeySet(generating: .sender, at: start).publicKeys)!

  private static let kid = quoted(root.records[0].id.text)
  private static let otherKid = quoted(KeySet(generating: .root, at: start).records[0].id.text)
  private static let device = publicText(Kind.x25519.makeSet())

  init(_ name: String, _ text: String, _ error: SignedSetError) {
    testDescription = name.filter { !$0.isNewline }
    self.text = text
    self.error = error
  }

  /// A header with members changed.
  static func header(_ changes: [String: String?] = [:]) -> String {
    Signed.object(
      ["alg": #""EdDSA""#, "typ": #""sealed-push-keys+jws""#, "kid": kid], changing: changes)
  }

  /// Claims with members changed.
  static func claims(_ changes: [String: String?] = [:]) -> String {
    Signed.object(
      [
        "v": "1", "topic": #""com.example.app""#, "serial": "7", "iat": "1700000000",
        "exp": "1734560000", "keys": PushKeysTests.text(senders),
      ], changing: changes)
  }

  /// A set with a valid signature, whatever its contents.
  static func text(header: String = header(), claims: String = claims()) -> String {
    Signed.jws(header: header, payload: claims, by: root)
  }

  private static func header(_ name: String, _ value: String?, _ error: SignedSetError) -> Self {
    Self("\(name) \(value ?? "missing")", text(header: header([name: value])), error)
  }

  private static func claim(
    _ name: String, _ value: String?, _ error: SignedSetError = .malformedClaims
  ) -> Self {
    Self("\(name) \((value ?? "missing").prefix(60))", text(claims: claims([name: value])), error)
  }

  static let headers: [Self] = [
    header("alg", nil, .unsupportedAlgorithm), header("alg", #""none""#, .unsupportedAlgorithm),
    header("alg", #""HS256""#, .unsupportedAlgorithm), header("alg", #""eddsa""#, .unsupportedAlgorithm),
    header("alg", "1", .unsupportedAlgorithm),
    header("typ", nil, .wrongType), header("typ", #""JWT""#, .wrongType),
    header("typ", #""sealed-push-keys+JWS""#, .wrongType), header("typ", "null", .wrongType),
    header("kid", nil, .malformedHeader), header("crit", #"["b64"]"#, .malformedHeader),
    header("jwk", "{}", .malformedHeader),
    header("kid", otherKid, .unknownSigner), header("kid", "1", .unknownSigner),
    header("kid", #""""#, .unknownSigner), header("kid", "[\(kid)]", .unknownSigner),
    Self("a header that is an array", text(header: "[]"), .malformedHeader),
    Self("a header that is no JSON", text(header: "{"), .malformedHeader),
    Self(
      "a device's header",
      text(header: header(["kid": nil, "jwk": #"{"kty":"OKP","crv":"Ed25519","x":""}"#])),
      .malformedHeader),
  ]

  static let claims: [Self] = [
    Self("claims that are an array", text(claims: "[]"), .malformedClaims),
    Self("claims that are no JSON", text(claims: "{,}"), .malformedClaims),
    claim("v", nil, .unsupportedVersion), claim("v", "2", .unsupportedVersion),
    claim("v", #""1""#, .unsupportedVersion), claim("v", "1.0", .unsupportedVersion),
    claim("topic", nil), claim("topic", #""""#), claim("topic", #""com.example.app.voip""#),
    claim("topic", #""com.example.\u212A""#), claim("topic", "1"),
    claim("topic", #""com.example.other""#, .otherTopic), claim("topic", #""com.example.App""#, .otherTopic),
    claim("serial", nil), claim("serial", "0"), claim("serial", "-1"), claim("serial", "9007199254740992"),
    claim("serial", "7.0"), claim("serial", #""7""#),
    claim("iat", nil), claim("iat", "-1"), claim("iat", "9007199254740992"), claim("iat", "null"),
    claim("exp", nil), claim("exp", "-1"), claim("exp", "9007199254740992"), claim("exp", "1.0"),
    claim("exp", #""1""#), claim("exp", "null"),
    claim("keys", nil), claim("keys", #""{}""#), claim("keys", "[]"),
    claim("keys", "{}", .invalidKeys(.notAKeySet)), claim("keys", #"{"keys":[]}"#, .invalidKeys(.empty)),
    claim("keys", #"{"v":2,"keys":[]}"#, .invalidKeys(.unsupportedVersion)),
    claim(
      "keys", PushKeysTests.text(Kind.sender.makeSet()), .invalidKeys(.privateKeyInPublicSet(index: 0))),
    claim("keys", device, .wrongKeys), claim("keys", publicText(root), .wrongKeys),
    claim("keys", publicText(KeySet(generating: .identity, at: start)), .wrongKeys),
  ]
}
