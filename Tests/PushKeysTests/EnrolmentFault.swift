import PushCore
import PushEnrolment
import PushKeys
import Testing

/// An enrolment with one fault, and the expected error.
struct EnrolmentFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: SignedSetError

  static let identity = KeySet(generating: .identity, at: start)
  static let device = (try? Kind.x25519.makeSet().publicKeys)!

  private static let point = PushKeysTests.text(identity).member("x")
  private static let otherPoint = PushKeysTests.text(KeySet(generating: .identity, at: start)).member("x")

  init(_ name: String, _ text: String, _ error: SignedSetError) {
    testDescription = name.filter { !$0.isNewline }
    self.text = text
    self.error = error
  }

  /// The identity's public key with members changed.
  static func jwk(_ changes: [String: String?] = [:]) -> String {
    Signed.object(["kty": #""OKP""#, "crv": #""Ed25519""#, "x": quoted(point)], changing: changes)
  }

  /// A header with members changed.
  static func header(_ changes: [String: String?] = [:]) -> String {
    Signed.object(
      ["alg": #""EdDSA""#, "typ": #""sealed-push-keys+jws""#, "jwk": jwk()], changing: changes)
  }

  /// Claims with members changed.
  static func claims(_ changes: [String: String?] = [:]) -> String {
    Signed.object(
      [
        "v": "1", "topic": #""com.example.app""#, "serial": "7", "iat": "1700000000",
        "environment": #""production""#, "token": quoted(Signed.token.text),
        "audience": quoted(Signed.audience.text), "keys": PushKeysTests.text(device),
      ], changing: changes)
  }

  /// An enrolment with members changed, whose header and claims are signed as they are.
  static func text(
    _ changes: [String: String?] = [:], header: String = header(), claims: String = claims()
  ) -> String {
    Signed.object(
      [
        "v": "1", "topic": #""com.example.app""#, "environment": #""production""#,
        "token": quoted(Signed.token.text),
        "keys": quoted(Signed.jws(header: header, payload: claims, by: identity)),
      ], changing: changes)
  }

  private static func member(_ name: String, _ value: String?, _ error: SignedSetError) -> Self {
    Self("\(name) \((value ?? "missing").prefix(40))", text([name: value]), error)
  }

  private static func claim(
    _ name: String, _ value: String?, _ error: SignedSetError = .malformedClaims
  ) -> Self {
    Self("signed \(name) \((value ?? "missing").prefix(40))", text(claims: claims([name: value])), error)
  }

  private static func jwk(_ name: String, _ value: String?) -> Self {
    Self(
      "\(name) of jwk \(value ?? "missing")", text(header: header(["jwk": jwk([name: value])])),
      .malformedHeader)
  }

  static let members: [Self] = [
    Self("nothing", "", .malformedEnrolment), Self("an array", "[]", .malformedEnrolment),
    Self("two objects", "{}{}", .malformedEnrolment),
    Self("a member twice", text(["v": #"1,"v":1"#]), .malformedEnrolment),
    member("v", nil, .unsupportedVersion), member("v", "2", .unsupportedVersion),
    member("v", #""1""#, .unsupportedVersion), member("v", "1.0", .unsupportedVersion),
    member("keys", PushKeysTests.text(device), .unsigned), member("keys", "{}", .unsigned),
    member("keys", nil, .malformedEnrolment), member("keys", "1", .malformedEnrolment),
    member("keys", #""""#, .malformedJWS),
    member("topic", nil, .malformedEnrolment), member("topic", "1", .malformedEnrolment),
    member("environment", nil, .malformedEnrolment), member("token", nil, .malformedEnrolment),
    member("token", "null", .malformedEnrolment), member("name", #""x""#, .malformedEnrolment),
    member("registration", #""x""#, .malformedEnrolment), member("challenge", #""x""#, .malformedEnrolment),
    member("topic", #""com.example.other""#, .mismatch(member: "topic")),
    member("environment", #""sandbox""#, .mismatch(member: "environment")),
    member("token", quoted(Signed.otherToken.text), .mismatch(member: "token")),
    member("token", quoted(Signed.token.text.uppercased()), .mismatch(member: "token")),
  ]

  static let signed: [Self] = [
    claim("environment", nil), claim("environment", #""Production""#), claim("environment", "1"),
    claim("token", nil), claim("token", #""""#), claim("token", #""0""#), claim("token", #""0g""#),
    claim("token", quoted(Signed.token.text.uppercased())),
    claim("token", quoted(String(repeating: "00", count: 257))),
    claim("audience", nil, .otherAudience), claim("audience", #""https://push.example.net""#, .otherAudience),
    claim("audience", #""https://push.example.com/""#, .otherAudience),
    claim("audience", #""""#), claim("audience", "1"), claim("audience", "null"),
    claim("audience", #""a\u0000""#), claim("audience", #""a\u009f""#),
    claim("audience", quoted(String(repeating: "x", count: 256))),
    claim("proof", #""""#), claim("proof", "1"), claim("proof", "null"),
    claim("proof", quoted(String(repeating: "A", count: 20))),
    claim("proof", quoted(String(repeating: "A", count: 256))),
    claim("proof", quoted(String(repeating: "A", count: 22) + "=")),
    claim("proof", quoted(String(repeating: "A", count: 23) + "+")),
    claim("challenge", #""""#), claim("challenge", "1"), claim("challenge", "null"),
    claim("challenge", quoted(String(repeating: "x", count: 256))),
    claim("keys", publicText(Kind.sender.makeSet()), .wrongKeys),
    claim(
      "keys", PushKeysTests.text(device).setting("status", to: #""accepted""#), .invalidKeys(.noActiveKey)),
    jwk("kty", #""EC""#), jwk("crv", #""X25519""#), jwk("x", nil), jwk("x", #""""#),
    jwk("x", quoted(point + "A")), jwk("x", quoted("AQ" + String(repeating: "A", count: 41))),
    jwk("kid", #""x""#), jwk("d", #""x""#),
    Self("a kid", text(header: header(["kid": quoted("x")])), .malformedHeader),
    Self("a root's header", text(header: header(["jwk": nil, "kid": quoted("x")])), .malformedHeader),
    Self("jwk that is a string", text(header: header(["jwk": quoted("x")])), .malformedHeader),
    Self(
      "another's jwk", text(header: header(["jwk": jwk(["x": quoted(otherPoint)])])), .badSignature),
  ]
}
