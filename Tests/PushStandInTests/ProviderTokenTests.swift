import PushCore
import PushKeys
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// What APNs checks of a provider token, over time and on one connection.
@Suite(.hangGuard) struct ProviderTokenTests {
  private func request(_ stand: Stand, _ token: String) throws -> APNsRequest {
    try stand.request(
      plain: #"{"aps":{"alert":"Lunch?"}}"#, to: .random(), ["authorization": "bearer \(token)"])
  }

  private func stand(_ change: @escaping (inout APNsSettings, ProviderSigner) -> Void = { _, _ in }) throws
    -> Stand
  {
    try Stand { settings, signer in
      settings.acceptsUnknownTokens = true
      change(&settings, signer)
    }
  }

  @Test("a token is good for an hour")
  func age() async throws {
    let stand = try stand()
    let request = try request(stand, stand.signer.token(at: Stand.start))
    stand.apns.advance(by: .seconds(3600))
    #expect(try await stand.send(request) == nil)
    stand.apns.advance(by: .seconds(1))
    #expect(try await stand.send(request) == .expiredProviderToken)
  }

  @Test(
    "a token's time may have a fraction, and must be one that exists",
    arguments: [
      ("1800000000.75", nil), ("1.8e9", nil), ("1799990000.5", .expiredProviderToken),
      ("-0.5", .expiredProviderToken),
      ("1800009999.5", .invalidProviderToken), ("1e300", .invalidProviderToken),
      ("1e400", .invalidProviderToken),
    ] as [(String, Refusal?)])
  func fraction(_ text: String, refusal: Refusal?) async throws {
    let stand = try stand()
    let token = stand.signer.token(issuedAt: try #require(JSONNumber(literal: text)))
    #expect(try await stand.send(request(stand, token)) == refusal)
  }

  @Test("a token from the future is invalid, if it is more than a slow clock")
  func future() async throws {
    let stand = try stand()
    let slow = stand.signer.token(at: Stand.start.advanced(by: .seconds(300)))
    #expect(try await stand.send(request(stand, slow)) == nil)
    let wrong = stand.signer.token(at: Stand.start.advanced(by: .seconds(3600)))
    #expect(try await stand.send(request(stand, wrong)) == .invalidProviderToken)
  }

  @Test("a new token in 20 minutes is one too many, and the one before goes on")
  func updates() async throws {
    let stand = try stand()
    let first = try request(stand, stand.signer.token(at: Stand.start))
    #expect(try await stand.send(first) == nil)
    stand.apns.advance(by: .seconds(1199))
    let soon = try request(stand, stand.signer.token(at: stand.apns.clock.now))
    #expect(try await stand.send(soon) == .tooManyProviderTokenUpdates)
    #expect(try await stand.send(first) == nil)
    stand.apns.advance(by: .seconds(1))
    #expect(try await stand.send(soon) == nil)
  }

  @Test("a connection is one team's, with one key")
  func connection() async throws {
    let stand = try stand { settings, signer in
      let others = [("ABC123DEFG", "OTHER12345"), ("KEY2345678", "TEAM123456")]
      settings.providerKeys? += others.map {
        ProviderKey(keyID: $0.0, teamID: $0.1, point: signer.key.point)
      }
      settings.newTokensIn20Minutes = 2
    }
    #expect(!stand.connection.isTrusted)
    #expect(try await stand.send(request(stand, stand.signer.token(at: Stand.start))) == nil)
    #expect(stand.connection.isTrusted)
    let team = try request(stand, stand.signer.token(at: Stand.start, teamID: "OTHER12345"))
    #expect(try await stand.send(team) == .invalidProviderToken)
    let key = try request(stand, stand.signer.token(at: Stand.start, keyID: "KEY2345678"))
    #expect(try await stand.send(key) == .unrelatedKeyIDInToken)
    let another = APNsModel.Connection()
    #expect(try await stand.send(team, on: another) == nil)
    #expect(try await stand.send(key, on: APNsModel.Connection()) == nil)
  }

  @Test("the keys of valid tokens are kept, each with its app")
  func shownKeys() async throws {
    let stand = try stand { settings, _ in settings.newTokensIn20Minutes = 2 }
    let token = stand.signer.token(at: Stand.start)
    try await stand.send(request(stand, token))
    let strange = ProviderSigner().token(at: Stand.start, keyID: "KEY2345678")
    try await stand.send(request(stand, strange), on: APNsModel.Connection())
    let call = [
      "authorization": "bearer \(token)", "apns-topic": "com.example.two.voip", "apns-push-type": "voip",
    ]
    try await stand.send(stand.request(plain: "{}", to: .random(), call))
    let two = try Topic("com.example.two")
    #expect(
      stand.apns.shownKeys == [
        ShownKey(keyID: ProviderSigner.keyID, topic: stand.topic),
        ShownKey(keyID: ProviderSigner.keyID, topic: two),
      ])
  }

  @Test("a key of the other environment is refused")
  func environment() async throws {
    let stand = try stand { settings, signer in
      settings.providerKeys = [
        ProviderKey(
          keyID: ProviderSigner.keyID, teamID: ProviderSigner.teamID, environment: .production,
          point: signer.key.point)
      ]
    }
    let request = try request(stand, stand.signer.token(at: Stand.start))
    #expect(try await stand.send(request) == .badEnvironmentKeyIDInToken)
  }

  @Test("another key's signature is invalid, unless no keys are known")
  func signature() async throws {
    let token = ProviderSigner().token(at: Stand.start)
    let strict = try stand()
    #expect(try await strict.send(request(strict, token)) == .invalidProviderToken)
    let lenient = try stand { settings, _ in settings.providerKeys = nil }
    #expect(try await lenient.send(request(lenient, token)) == nil)
  }
}
