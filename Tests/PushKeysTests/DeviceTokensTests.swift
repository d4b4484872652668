import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// What a device says of its tokens for other pushes: FORMAT.md, [11.34] to [11.36].
@Suite("A device's other tokens")
struct DeviceTokensTests {
  private let ada = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  private static let all: [TokenUse: DeviceToken] = [
    .voip: token(1), .complication: token(2), .pushToTalk: token(3),
    .activityStart(attributes: "Order"): token(4), .activity(named: "order 7"): token(5),
  ]

  private static func token(_ byte: UInt8) -> DeviceToken {
    DeviceToken([UInt8](repeating: byte, count: 32))!
  }

  private func parsed(_ json: String) throws -> DeviceTokens {
    try DeviceTokens(parsing: Array(json.utf8).span, audience: Signed.audience)
  }

  /// Tokens with other claims than the library writes.
  private func signed(
    _ changes: [String: String?] = [:], type: String = "sealed-push-tokens+jws"
  ) -> String {
    let x = PushKeysTests.text(ada.identity).member("x")
    let claims = Signed.object(
      [
        "v": "1", "topic": #""com.example.app""#, "environment": #""sandbox""#, "serial": "7",
        "iat": "1700000000", "audience": #""https://push.example.com""#,
        "tokens": #"[{"use":"voip","token":"01"}]"#,
      ], changing: changes)
    let header = #"{"alg":"EdDSA","typ":"\#(type)","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}}"#
    let jws = Signed.jws(header: header, payload: claims, by: ada.identity)
    return #"{"v":1,"tokens":"\#(jws)"}"#
  }

  @Test("are read as they were signed, and each time spend a serial")
  func signed() throws {
    let store = InMemoryKeyStore(ada)
    let sign = { try store.sign(Self.all, of: Signed.topic, in: .sandbox, for: Signed.audience, at: start) }
    let (first, second) = (try #require(try sign()), try #require(try sign()))
    #expect(first.all == Self.all && first.issuedAt == start && first.environment == .sandbox)
    #expect(first.identity.thumbprint == ada.identity.records[0].id)
    #expect(second.serial == first.serial + 1)
    #expect(
      try DeviceTokens(parsing: first.encoded().span, for: Signed.topic, audience: Signed.audience) == first)
    #expect(!"\(first)".contains("0101") && !first.encoded().isEmpty)
  }

  @Test("without keys there are none")
  func keyless() throws {
    let store = InMemoryKeyStore()
    #expect(
      try store.sign(Self.all, of: Signed.topic, in: .sandbox, for: Signed.audience, at: start) == nil)
  }

  @Test("as many as a device may have, with the longest names and tokens, fit into one text")
  func most() throws {
    var keys = ada
    let name = String(repeating: "\"", count: TokenUse.maximumNameSize - 2)
    let all = (0..<DeviceTokens.maximumCount).map { number in
      (
        TokenUse.activity(named: name + (number < 10 ? "0\(number)" : "\(number)")),
        DeviceToken([UInt8](repeating: UInt8(number), count: 96))!
      )
    }
    let tokens = try keys.sign(
      Dictionary(uniqueKeysWithValues: all), of: Signed.topic, in: .production, for: Signed.audience,
      at: start)
    #expect(tokens.encoded().count <= DeviceTokens.maximumSize)
    #expect(try DeviceTokens(parsing: tokens.encoded().span, audience: Signed.audience).all.count == 32)
  }

  @Test("for another backend, or of another app, are refused")
  func others() throws {
    #expect(throws: SignedSetError.otherAudience) {
      try parsed(signed(["audience": #""https://other.example.com""#]))
    }
    #expect(throws: SignedSetError.otherTopic) {
      try DeviceTokens(
        parsing: Array(signed().utf8).span, for: Signed.otherTopic, audience: Signed.audience)
    }
  }

  @Test(
    "with other claims, or without one, are refused",
    arguments: [
      ["topic": nil], ["environment": nil], ["environment": #""test""#], ["serial": nil], ["serial": "0"],
      ["iat": nil], ["audience": nil], ["tokens": nil], ["tokens": "{}"], ["tokens": "[1]"],
      ["tokens": #"[{"token":"01"}]"#], ["tokens": #"[{"use":"voip"}]"#],
      ["tokens": #"[{"use":"voip","token":"0"}]"#], ["tokens": #"[{"use":"voip","token":"0F"}]"#],
      ["tokens": #"[{"use":"voip","name":"","token":"01"}]"#],
      ["tokens": #"[{"use":"voip","name":"a","token":"01"}]"#],
      ["tokens": #"[{"use":"activity","token":"01"}]"#],
      ["tokens": #"[{"use":"activity","name":"","token":"01"}]"#],
      ["tokens": #"[{"use":"activity","name":"a\u0000","token":"01"}]"#],
      ["tokens": #"[{"use":"activity","name":1,"token":"01"}]"#],
      ["tokens": #"[{"use":"voip","token":"01"},{"use":"voip","token":"02"}]"#],
      [
        "tokens":
          #"[{"use":"activity","name":"a","token":"01"},{"use":"start","name":"a","token":"01"}]"#
      ],
      [
        "tokens": "["
          + (0..<33).map { #"{"use":"activity","name":"\#($0)","token":"0\#($0 % 10)"}"# }.joined(
            separator: ",") + "]"
      ],
    ] as [[String: String?]])
  func malformed(changes: [String: String?]) throws {
    #expect(throws: SignedSetError.malformedClaims) { try parsed(signed(changes)) }
  }

  @Test("of a use that is not known are passed over, and so are members that are not")
  func unknown() throws {
    let json = signed([
      "more": "1",
      "tokens": #"[{"use":"widget","name":"a","token":"01"},{"use":"voip","token":"01","more":1}]"#,
    ])
    #expect(try parsed(json).all == [.voip: DeviceToken([1])!])
  }

  @Test("are nothing else that an identity signs")
  func types() throws {
    #expect(throws: SignedSetError.wrongType) { try parsed(signed(type: "sealed-push-leave+jws")) }
    #expect(throws: SignedSetError.malformedTokens) { try parsed(#"{"v":1,"leave":"a"}"#) }
    #expect(throws: SignedSetError.malformedTokens) { try parsed("[]") }
    #expect(throws: SignedSetError.unsupportedVersion) { try parsed(#"{"v":2,"tokens":"a"}"#) }
    #expect(throws: SignedSetError.tooLarge) {
      try parsed(String(repeating: " ", count: DeviceTokens.maximumSize + 1))
    }
  }
}
