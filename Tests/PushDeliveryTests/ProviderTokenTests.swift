import PushCrypto
import PushDelivery
import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

@Suite(.hangGuard) struct ProviderTokenTests {
  private static let start = UnixTime(clamping: 2400 * 1000)

  @Test("A token is a JSON Web Token in ES256, the same on every machine for 40 minutes")
  func slot() throws {
    let first = try Scene.token().authorization(at: Self.start)
    #expect(try Scene.token().authorization(at: Self.start.advanced(by: .seconds(2399))) == first)
    #expect(try Scene.token().authorization(at: Self.start.advanced(by: .seconds(2400))) != first)
    #expect(first.hasPrefix("bearer "))
    let parts = first.dropFirst("bearer ".utf8.count).split(separator: ".").map(String.init)
    #expect(try Base64URL.decode(parts[0]) == Array(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8))
    #expect(try Base64URL.decode(parts[1]) == Array(#"{"iss":"FGHIJ67890","iat":2400000}"#.utf8))
    let key = try DeviceToken("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721").bytes
    let signed = Array((parts[0] + "." + parts[1]).utf8)
    #expect(try Base64URL.decode(parts[2]) == ES256.sign(signed.span, with: key.span))
  }

  @Test("A refused token is replaced after 20 minutes, and not sooner")
  func renewal() throws {
    let token = try Scene.token()
    let first = token.authorization(at: Self.start)
    #expect(!token.renew(first, at: Self.start.advanced(by: .seconds(1199))))
    let later = Self.start.advanced(by: .seconds(1200))
    #expect(token.renew(first, at: later))
    let second = token.authorization(at: later)
    #expect(second != first)
    // Whoever was refused with the first one at the same time takes the second.
    #expect(token.renew(first, at: later))
    #expect(token.authorization(at: later.advanced(by: .seconds(60))) == second)
    #expect(!token.renew(second, at: later.advanced(by: .seconds(1))))
  }

  @Test(
    "A token that replaced a refused one stays until 20 minutes into the next slot, and when the clock goes back"
  )
  func renewedStays() throws {
    let token = try Scene.token()
    let renewedAt = Self.start.advanced(by: .seconds(2100))
    #expect(token.renew(token.authorization(at: renewedAt), at: renewedAt))
    let renewed = token.authorization(at: renewedAt)
    for seconds: Int64 in [-1, 301, 1499, -1000] {
      #expect(token.authorization(at: renewedAt.advanced(by: .seconds(seconds))) == renewed)
    }
    #expect(token.authorization(at: renewedAt.advanced(by: .seconds(1500))) != renewed)
  }

  @Test("Machines whose tokens are refused in the same 20 minutes renew alike, and change back together")
  func renewedAlike() throws {
    let machines = [try Scene.token(), try Scene.token()]
    let refused = machines[0].authorization(at: Self.start.advanced(by: .seconds(1200)))
    for (machine, seconds) in zip(machines, [1200, 2399] as [Int64]) {
      #expect(machine.renew(refused, at: Self.start.advanced(by: .seconds(seconds))))
    }
    for seconds: Int64 in [2399, 2400, 3599, 3600, 4800] {
      let now = Self.start.advanced(by: .seconds(seconds))
      let tokens = machines.map { $0.authorization(at: now) }
      let others = try Scene.token().authorization(at: now)
      #expect(tokens[0] == tokens[1] && tokens[0] != refused)
      let hasChangedBack = tokens[0] == others
      #expect(hasChangedBack == (seconds >= 3600))
    }
  }

  @Test(
    "Whatever is refused and when, a token stays for 20 minutes, and none is an hour old", arguments: 0..<10)
  func everyTime(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let token = try Scene.token()
    var now = Self.start.advanced(by: .seconds(Int64.random(in: 0..<2400, using: &random)))
    var current = token.authorization(at: now)
    var issuedAt = try Self.issue(current)
    var (since, renewals): (UnixTime?, Int) = (nil, 0)
    // A push every few seconds, for some thirty hours.
    for _ in 0..<8000 {
      now = now.advanced(by: .seconds(Int64.random(in: 0..<30, using: &random)))
      if Int.random(in: 0..<20, using: &random) == 0, token.renew(current, at: now) { renewals += 1 }
      let value = token.authorization(at: now)
      if value != current {
        issuedAt = try Self.issue(value)
        // Other machines may have sent the first one before. Any is used from the first push in its time on.
        if let since { #expect(now.seconds - since.seconds > 1200 - 30) }
        (current, since) = (value, now)
      }
      let age = now.seconds - issuedAt
      if !(0..<3600).contains(age) { Issue.record("a token is \(age) seconds old") }
    }
    #expect(renewals > 10)
  }

  /// When a token says that it was made.
  private static func issue(_ authorization: String) throws -> Int64 {
    let parts = authorization.split(separator: ".").map(String.init)
    let text = try Base64URL.decode(parts[1])
    let claims = try JSONObject(parsing: text.span)
    return try #require(claims["iat"]?.number?.integer)
  }

  @Test("A clock that goes back does not keep a token of the future")
  func clockGoesBack() throws {
    let token = try Scene.token()
    let late = token.authorization(at: Self.start.advanced(by: .seconds(7200)))
    #expect(token.authorization(at: Self.start) != late)
    #expect(try token.authorization(at: Self.start) == Scene.token().authorization(at: Self.start))
  }

  struct Wrong: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let error: ProviderTokenError
  }

  private static let wrong = [
    Wrong(testDescription: "no PEM", text: "ABCDE12345", error: .malformed),
    Wrong(testDescription: "empty", text: "", error: .malformed),
    Wrong(
      testDescription: "cut off", text: String(decoding: Scene.p8.prefix(120), as: UTF8.self),
      error: .malformed),
    Wrong(
      testDescription: "a certificate",
      text: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      error: .notPrivate),
    Wrong(
      testDescription: "encrypted",
      text: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
      error: .encrypted),
    Wrong(
      testDescription: "SEC 1", text: "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
      error: .notPKCS8),
    Wrong(
      testDescription: "twice", text: String(decoding: Scene.p8 + Scene.p8, as: UTF8.self), error: .notOneKey),
    Wrong(
      testDescription: "X25519",
      text: "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n"
        + "-----END PRIVATE KEY-----\n", error: .notP256),
  ]

  @Test("A text that is no .p8 is refused for what it is", arguments: wrong)
  func refused(_ wrong: Wrong) {
    #expect(throws: wrong.error) {
      try ProviderToken(p8: Array(wrong.text.utf8), keyID: "ABCDE12345", teamID: "FGHIJ67890")
    }
  }

  @Test(
    "IDs have 10 letters and digits",
    arguments: ["", "ABCDE1234", "abcde12345", "ABCDE1234\n", "ABCDE123456"])
  func ids(id: String) {
    #expect(throws: ProviderTokenError.keyID) {
      try ProviderToken(p8: Scene.p8, keyID: id, teamID: "FGHIJ67890")
    }
    #expect(throws: ProviderTokenError.teamID) {
      try ProviderToken(p8: Scene.p8, keyID: "ABCDE12345", teamID: id)
    }
  }

  @Test("Apple's file is read, and its name has the key's ID")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(decoding: Scene.p8, as: UTF8.self), to: "AuthKey_ABCDE12345.p8")
    let token = try ProviderToken(path: path, teamID: "FGHIJ67890")
    #expect(token.keyID == "ABCDE12345" && token.teamID == "FGHIJ67890")
    #expect(try token.authorization(at: Self.start) == Scene.token().authorization(at: Self.start))
    let named = try folder.write(String(decoding: Scene.p8, as: UTF8.self), to: "key.p8")
    #expect(try ProviderToken(path: named, keyID: "ABCDE12345", teamID: "FGHIJ67890").keyID == "ABCDE12345")
    #expect(throws: ProviderTokenError.keyID) { try ProviderToken(path: named, teamID: "FGHIJ67890") }
  }

  @Test("A file that cannot be read is named")
  func noFile() throws {
    let folder = try TemporaryFolder()
    let missing = folder.path(of: "AuthKey_ABCDE12345.p8")
    #expect(throws: ProviderTokenError.file(.missing, path: missing)) {
      try ProviderToken(path: missing, teamID: "FGHIJ67890")
    }
    let large = try folder.write(String(repeating: "a", count: (1 << 14) + 1), to: "large.p8")
    #expect(throws: ProviderTokenError.file(.tooLarge, path: large)) {
      try ProviderToken(path: large, teamID: "FGHIJ67890")
    }
    let empty = try folder.write("", to: "empty.p8")
    #expect(throws: ProviderTokenError.file(.busy, path: empty)) {
      try ProviderToken(path: empty, teamID: "FGHIJ67890")
    }
  }

  @Test("A token's secrets are not in what is printed of it")
  func mute() throws {
    let token = try Scene.token()
    let value = token.authorization(at: Self.start)
    var text = "\(token)"
    dump(token, to: &text)
    text += String(reflecting: token)
    #expect(text.contains("ABCDE12345"))
    for part in value.split(separator: ".") { #expect(!text.contains(part)) }
  }
}
