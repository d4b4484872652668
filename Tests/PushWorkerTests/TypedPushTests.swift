import PushCore
import PushEnrolment
import PushHost
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Messages that go to tokens of their own.
@Suite("Pushes of other types, through the queue", .hangGuard) struct TypedPushTests {
  private let scene: Scene
  private let phone: EnrolledPhone

  init() async throws {
    scene = try await Scene()
    phone = try await scene.phone()
  }

  /// Hands in tokens, as the phone's app does.
  private func handIn(_ tokens: [TokenUse: DeviceToken]) async throws {
    let signed = try #require(
      try phone.keys.sign(tokens, of: scene.topic, in: .sandbox, for: scene.audience))
    try await scene.store.accept(signed).get()
  }

  private func enqueue(
    _ type: PushType, _ payload: JSONObject = ["aps": [:], "call": 7], activity: String? = nil
  ) async throws {
    try await scene.store.enqueue([Job(payload, to: "ada", pushType: type, activity: activity)])
  }

  private static func type(of push: LoggedPush) -> String {
    push.headers.first { $0.name == "apns-push-type" }?.value ?? ""
  }

  private static func update(_ event: String) -> JSONObject {
    [
      "aps": [
        "event": .string(event), "timestamp": .number(JSONNumber(UnixTime.now.seconds)),
        "content-state": ["minutes": 7],
      ]
    ]
  }

  @Test(
    "each type goes to its own token, and an alert to the device token",
    arguments: [
      (PushType.voip, TokenUse.voip, PushStandIn.TokenKind.voip),
      (.complication, .complication, .complication),
      (.pushToTalk, .pushToTalk, .pushToTalk),
    ])
  func types(type: PushType, use: TokenUse, kind: PushStandIn.TokenKind) async throws {
    let token = phone.phone.token(of: kind)
    try await handIn([use: token])
    try await enqueue(type)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 2 }
    let pushes = scene.apns.pushes
    #expect(Set(pushes.map(Self.type)) == [type.rawValue, "alert"])
    #expect(scene.apns.accepted.count == 2)
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("an update goes to the token of its activity, and to no other one")
  func activity() async throws {
    let token = phone.phone.token(of: .liveActivity)
    try await handIn([.activity(named: "order 7"): token])
    try await enqueue(.liveActivity, Self.update("update"), activity: "order 7")
    try await enqueue(.liveActivity, Self.update("end"), activity: "order 8")
    try await scene.work { $0.acknowledged == 2 && $0.withoutDevices == 1 }
    #expect(scene.apns.pushes.map(Self.type) == ["liveactivity"])
    #expect(scene.apns.accepted.count == 1)
  }

  @Test("a person whose devices have no such token has no device for the message")
  func none() async throws {
    try await enqueue(.voip)
    try await scene.work { $0.acknowledged == 1 && $0.withoutDevices == 1 }
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("a token that APNs no longer accepts ends, and the device gets what else there is")
  func ended() async throws {
    let token = phone.phone.token(of: .voip)
    try await handIn([.voip: token])
    scene.apns.inject(.refusal(.unregistered), to: .next(1))
    try await enqueue(.voip)
    try await scene.work { $0.acknowledged == 1 && $0.withoutDevices == 1 }
    let device = try #require(try await scene.store.devices(of: ["ada"])[0].first)
    #expect(try await scene.store.tokens(of: [device]) == [[:]])
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("an app whose calls APNs refuses gets its alerts")
  func routes() async throws {
    try await handIn([.voip: phone.phone.token(of: .voip)])
    scene.apns.inject(.refusal(.invalidProviderToken), to: .next(1))
    try await enqueue(.voip)
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.retried == 1 }
    try await enqueue(.voip)
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.retried == 1 }
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("the worker takes tokens that an application hands in")
  func inbox() async throws {
    let signed = try #require(
      try phone.keys.sign(
        [.voip: phone.phone.token(of: .voip)], of: scene.topic, in: .sandbox, for: scene.audience))
    let id = try await scene.store.handIn(EnrolmentRequest(tokens: signed.encoded()))
    let audience = scene.audience
    try await scene.work({ $0.audience = audience }) { $0.registered == 1 }
    #expect(try await scene.store.handedIn([id]).map(\.answer) == [.taken(.updated)])
    let device = try #require(try await scene.store.devices(of: ["ada"])[0].first)
    #expect(try await scene.store.tokens(of: [device])[0].count == 1)
  }
}
