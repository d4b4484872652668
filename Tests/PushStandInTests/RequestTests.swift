import PushCore
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// What APNs checks of a request, and what it answers.
@Suite(.hangGuard) struct RequestTests {
  private static let payload = #"{"aps":{"alert":"Lunch?"}}"#

  /// One fault in a request that is accepted without it.
  struct Fault: CustomTestStringConvertible, Sendable {
    let refusal: Refusal
    let name: String
    let change: @Sendable (inout APNsRequest) -> Void

    init(_ refusal: Refusal, _ name: String, _ change: @escaping @Sendable (inout APNsRequest) -> Void) {
      self.refusal = refusal
      self.name = name
      self.change = change
    }

    var testDescription: String { "\(refusal.reason): \(name)" }
  }

  static let faults: [Fault] = [
    Fault(.methodNotAllowed, "GET") { $0.method = "GET" },
    Fault(.badPath, "another version") { $0.path = $0.path.replacing("/3/", with: "/2/") },
    Fault(.missingDeviceToken, "nothing after the slash") { $0.path = "/3/device/" },
    Fault(.badDeviceToken, "no hexadecimal digits") { $0.path = "/3/device/nothing" },
    Fault(.badDeviceToken, "a line break") { $0.path += "\n" },
    Fault(.badDeviceToken, "of nobody") { $0.path = "/3/device/00ff" },
    Fault(.duplicateHeaders, "two topics") {
      $0.headers.append(.init(name: "apns-topic", value: "com.example.app"))
    },
    Fault(.missingProviderToken, "no header") { $0["authorization"] = nil },
    Fault(.missingProviderToken, "nothing after bearer") { $0["authorization"] = "bearer " },
    Fault(.missingProviderToken, "another scheme") { $0["authorization"] = "basic YTpi" },
    Fault(.invalidProviderToken, "not three parts") { $0["authorization"] = "bearer a.b" },
    Fault(.invalidProviderToken, "another signature") { request in
      request["authorization"] = request["authorization"].map { $0.dropLast(10) + "AAAAAAAAAA" }
    },
    Fault(.invalidPushType, "unknown") { $0["apns-push-type"] = "shout" },
    Fault(.badMessageID, "not a UUID") { $0["apns-id"] = "1234" },
    Fault(.badExpirationDate, "negative") { $0["apns-expiration"] = "-1" },
    Fault(.badExpirationDate, "empty") { $0["apns-expiration"] = "" },
    Fault(.badExpirationDate, "too large") { $0["apns-expiration"] = "99999999999999999999" },
    Fault(.badPriority, "7") { $0["apns-priority"] = "7" },
    Fault(.badPriority, "+10") { $0["apns-priority"] = "+10" },
    Fault(.badPriority, "10 for a background push") {
      $0["apns-push-type"] = "background"
      $0["apns-priority"] = "10"
    },
    Fault(.badCollapseID, "65 bytes") { $0["apns-collapse-id"] = String(repeating: "c", count: 65) },
    Fault(.badPriority, "none for a background push") { $0["apns-push-type"] = "background" },
    Fault(.missingTopic, "no header") { $0["apns-topic"] = nil },
    Fault(.badTopic, "a space") { $0["apns-topic"] = "com example" },
    Fault(.badTopic, "without the type's suffix") { $0["apns-push-type"] = "voip" },
    Fault(.badTopic, "with another type's suffix") { $0["apns-topic"] = "com.example.app.voip" },
    Fault(.deviceTokenNotForTopic, "another app") { $0["apns-topic"] = "com.example.other" },
    Fault(.payloadEmpty, "no bytes") { $0.body = [] },
    Fault(.payloadEmpty, "no JSON") { $0.body = Array("hello".utf8) },
    Fault(.payloadEmpty, "no members") { $0.body = Array("{}".utf8) },
    Fault(.payloadEmpty, "no aps") { $0.body = Array(#"{"a":1}"#.utf8) },
    Fault(.payloadTooLarge, "4097 bytes") {
      $0.body += [UInt8](repeating: 0x20, count: 4097 - $0.body.count)
    },
  ]

  @Test("a request with one fault is refused with its reason", arguments: faults)
  func refused(_ fault: Fault) async throws {
    let stand = try Stand()
    let phone = try stand.phone()
    var request = try stand.request(plain: Self.payload, to: phone.token)
    #expect(try await stand.send(request) == nil)
    fault.change(&request)
    #expect(try await stand.send(request) == fault.refusal)
  }

  /// A change of a good request that leaves it good.
  static let allowed: [(String, @Sendable (inout APNsRequest) -> Void)] = [
    ("4096 bytes", { $0.body += [UInt8](repeating: 0x20, count: 4096 - $0.body.count) }),
    ("a collapse ID of 64 bytes", { $0["apns-collapse-id"] = String(repeating: "c", count: 64) }),
    ("expiration 0", { $0["apns-expiration"] = "0" }),
    ("no push type", { $0["apns-push-type"] = nil }),
    ("the token in uppercase", { $0.path = "/3/device/" + $0.path.dropFirst(10).uppercased() }),
    ("priority 1", { $0["apns-priority"] = "1" }),
    (
      "a command of device management without aps",
      {
        $0["apns-push-type"] = "mdm"
        $0.body = Array(#"{"mdm":"magic"}"#.utf8)
      }
    ),
  ]

  @Test("what is at a limit is accepted", arguments: allowed.indices)
  func accepted(_ index: Int) async throws {
    let stand = try Stand()
    var request = try stand.request(plain: Self.payload, to: try stand.phone().token)
    Self.allowed[index].1(&request)
    #expect(try await stand.send(request) == nil, "\(Self.allowed[index].0)")
  }

  /// A push type with tokens of its own, and the suffix of its topic.
  static let ownTokens: [(type: String, kind: TokenKind, suffix: String, needsAPS: Bool)] = [
    ("complication", .complication, ".complication", false),
    ("controls", .controls, ".push-type.controls", true),
    ("fileprovider", .fileProvider, ".pushkit.fileprovider", false),
    ("liveactivity", .liveActivity, ".push-type.liveactivity", true),
    ("location", .location, ".location-query", false), ("pushtotalk", .pushToTalk, ".voip-ptt", false),
    ("voip", .voip, ".voip", false), ("widgets", .widgets, ".push-type.widgets", true),
  ]

  private func request(_ index: Int, in stand: Stand, to token: DeviceToken, _ payload: String) throws
    -> APNsRequest
  {
    let (type, _, suffix, _) = Self.ownTokens[index]
    let headers = ["apns-push-type": type, "apns-topic": "com.example.app\(suffix)"]
    return try stand.request(plain: payload, to: token, headers)
  }

  @Test(
    "a push of a type with tokens of its own goes to one of these, and nothing else does",
    arguments: ownTokens.indices)
  func ownToken(_ index: Int) async throws {
    let stand = try Stand()
    let phone = try stand.phone()
    let token = phone.token(of: Self.ownTokens[index].kind)
    #expect(phone.token(of: Self.ownTokens[index].kind) == token)
    #expect(try await stand.send(request(index, in: stand, to: token, Self.payload)) == nil)
    let toApp = try request(index, in: stand, to: phone.token, Self.payload)
    #expect(try await stand.send(toApp) == .deviceTokenNotForTopic)
    #expect(try await stand.send(stand.request(plain: Self.payload, to: token)) == .deviceTokenNotForTopic)
    let other = phone.token(of: Self.ownTokens[(index + 1) % Self.ownTokens.count].kind)
    #expect(
      try await stand.send(request(index, in: stand, to: other, Self.payload)) == .deviceTokenNotForTopic)
  }

  @Test("what an app or the system reads as data needs no aps", arguments: ownTokens.indices)
  func noAPS(_ index: Int) async throws {
    let stand = try Stand()
    let token = try stand.phone().token(of: Self.ownTokens[index].kind)
    let refusal = try await stand.send(request(index, in: stand, to: token, #"{"call":1}"#))
    #expect(refusal == (Self.ownTokens[index].needsAPS ? .payloadEmpty : nil))
  }

  @Test("a call may have 5120 bytes")
  func callSize() async throws {
    let stand = try Stand()
    let index = try #require(Self.ownTokens.firstIndex { $0.type == "voip" })
    var request = try request(index, in: stand, to: stand.phone().token(of: .voip), Self.payload)
    request.body += [UInt8](repeating: 0x20, count: 5120 - request.body.count)
    #expect(try await stand.send(request) == nil)
    request.body.append(0x20)
    #expect(try await stand.send(request) == .payloadTooLarge)
  }

  @Test("the tokens of a deleted app have ended, whatever their kind", arguments: [true, false])
  func deletedApp(_ isKnown: Bool) async throws {
    let stand = try Stand()
    let phone = try stand.phone()
    if isKnown { _ = phone.token(of: .voip) }
    phone.deleteApp()
    let index = try #require(Self.ownTokens.firstIndex { $0.type == "voip" })
    let request = try request(index, in: stand, to: phone.token(of: .voip), Self.payload)
    #expect(try await stand.send(request) == .unregistered)
    #expect(stand.apns.phones.isEmpty)
  }

  @Test("a refusal has the status of Apple's table")
  func statuses() {
    let table = [
      400: [
        "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
        "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
        "MissingTopic", "PayloadEmpty", "TopicDisallowed",
      ],
      403: [
        "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken", "ExpiredProviderToken",
        "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
      ],
      404: ["BadPath"], 405: ["MethodNotAllowed"], 410: ["ExpiredToken", "Unregistered"],
      413: ["PayloadTooLarge"], 429: ["TooManyProviderTokenUpdates", "TooManyRequests"],
      500: ["InternalServerError"], 503: ["ServiceUnavailable", "Shutdown"],
    ]
    let all = Dictionary(grouping: Refusal.all, by: \.status)
    #expect(all.mapValues { $0.map(\.reason).sorted() } == table)
  }

  @Test("of two faults, the first in the order of the checks is answered")
  func order() async throws {
    let stand = try Stand()
    var request = try stand.request(plain: "", to: try DeviceToken("00ff"))
    #expect(try await stand.send(request) == .payloadEmpty)
    request["authorization"] = nil
    #expect(try await stand.send(request) == .missingProviderToken)
    request.method = "PUT"
    #expect(try await stand.send(request) == .methodNotAllowed)
  }

  @Test("a token of the other environment is unknown")
  func environment() async throws {
    let stand = try Stand { settings, _ in settings.environment = .production }
    let address = DeviceAddress(topic: stand.topic, environment: .sandbox, token: .random())
    let phone = stand.apns.phone(address: address)
    #expect(try await stand.send(stand.request(plain: Self.payload, to: phone.token)) == .badDeviceToken)
  }

  @Test("a topic that is not the team's is refused")
  func topics() async throws {
    let other = try Topic("com.example.other")
    let stand = try Stand { settings, _ in settings.topics = [other] }
    let phone = try stand.phone()
    #expect(try await stand.send(stand.request(plain: Self.payload, to: phone.token)) == .topicDisallowed)
  }

  @Test("a token without a phone is accepted if that is wanted, and shown nowhere")
  func strangers() async throws {
    let stand = try Stand { settings, _ in settings.acceptsUnknownTokens = true }
    #expect(try await stand.send(stand.request(plain: Self.payload, to: .random())) == nil)
    #expect(stand.apns.pushes.map(\.fate) == [.discarded(.noPhone)])
    var request = try stand.request(plain: Self.payload, to: .random())
    request.path = "/3/device/nothing"
    #expect(try await stand.send(request) == .badDeviceToken)
  }

  @Test("the answer has the request's ID, or a new one, and says no more than the reason")
  func answers() async throws {
    let stand = try Stand()
    let phone = try stand.phone()
    let id = MessageID.random()
    var request = try stand.request(plain: Self.payload, to: phone.token, ["apns-id": id.text.uppercased()])
    let good = try #require(await stand.apns.handle(request, on: stand.connection).answer)
    #expect(good.body.isEmpty && good.headers.first == .init(name: "apns-id", value: id.text.uppercased()))
    #expect(good.headers.map(\.name).contains("apns-unique-id"))
    request["apns-id"] = nil
    request["apns-topic"] = nil
    let bad = try #require(await stand.apns.handle(request, on: stand.connection).answer)
    #expect(bad.body == Array(#"{"reason":"MissingTopic"}"#.utf8))
    #expect(try MessageID(try #require(bad.headers.first?.value)) != id)
    #expect(!bad.headers.map(\.name).contains("apns-unique-id"))
  }

  @Test("a request does not print its provider token")
  func mute() throws {
    let stand = try Stand()
    let request = try stand.request(plain: Self.payload, to: .random())
    let token = stand.signer.token(at: Stand.start)
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!"\(request) \(String(reflecting: request))\(dumped)".contains(token.suffix(20)))
  }
}
