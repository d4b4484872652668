import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

extension Phone {
  /// A token for other pushes, all of whose bytes are this one.
  static func token(_ byte: UInt8) -> DeviceToken { DeviceToken([UInt8](repeating: byte, count: 32))! }

  /// Signs tokens, as its app does.
  mutating func sign(
    _ tokens: [TokenUse: UInt8], in environment: APNsEnvironment = .production, at time: UnixTime = start
  ) throws -> DeviceTokens {
    try keys.sign(
      tokens.mapValues(Self.token), of: address.topic, in: environment, for: Self.audience, at: time)
  }
}

@Suite("The tokens of a device for other pushes", .hangGuard)
struct TokenTests {
  /// The tokens of a registration's device, by their first byte.
  private func tokens(_ name: String, in bench: any StoreBench) async throws -> [TokenUse: UInt8] {
    let device = try #require(try await bench.store.device(named: name))
    return try await bench.store.tokens(of: [device])[0].mapValues { $0.bytes[0] }
  }

  private func refusal(of tokens: DeviceTokens, by bench: any StoreBench) async throws -> SignedSetError? {
    if case .failure(let error) = try await bench.store.accept(tokens) { error } else { nil }
  }

  @Test("are all that it has signed last: what is missing has ended", arguments: Engine.all)
  func replaced(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    #expect(try await tokens("ada", in: bench) == [:])
    let all: [TokenUse: UInt8] = [
      .voip: 2, .complication: 3, .pushToTalk: 4, .activityStart(attributes: "Order"): 5,
      .activity(named: "order 7"): 6,
    ]
    try await bench.store.accept(ada.sign(all)).get()
    #expect(try await tokens("ada", in: bench) == all)
    try await bench.store.accept(ada.sign([.voip: 7])).get()
    #expect(try await tokens("ada", in: bench) == [.voip: 7])
    try await bench.store.accept(ada.sign([:])).get()
    #expect(try await tokens("ada", in: bench) == [:])
  }

  @Test("are taken in the order in which they were signed", arguments: Engine.all)
  func order(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    var clone = ada
    let (older, newer) = (try ada.sign([.voip: 2]), try ada.sign([.voip: 3]))
    try await bench.store.accept(newer).get()
    #expect(try await refusal(of: older, by: bench) == .olderSerial(last: newer.serial))
    try await bench.store.accept(newer).get()
    _ = try clone.sign([:])
    #expect(try await refusal(of: clone.sign([.voip: 4]), by: bench) == .sameSerial)
    #expect(try await tokens("ada", in: bench) == [.voip: 3])
  }

  @Test("are nobody's without proven keys, or for another app or environment", arguments: Engine.all)
  func strangers(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, eve, bob) = (Phone("ada", token: 1), Phone("eve", token: 2), Phone("bob", token: 3))
    try await ada.register(at: bench.store, of: "ada")
    _ = try await bench.store.accept(bob.enrolment(), as: "bob", person: "bob", mayBeNew: true).get()
    #expect(try await refusal(of: eve.sign([.voip: 4]), by: bench) == .notRegistered)
    #expect(try await refusal(of: bob.sign([.voip: 4]), by: bench) == .notRegistered)
    #expect(
      try await refusal(of: ada.sign([.voip: 4], in: .sandbox), by: bench) == .mismatch(member: "environment")
    )
    let other = try ada.keys.sign(
      [.voip: Phone.token(4)], of: Topic("com.example.other"), in: .production, for: Phone.audience, at: start
    )
    #expect(try await refusal(of: other, by: bench) == .otherTopic)
  }

  @Test(
    "do not go from one phone to another, as long as the first one has proven keys", arguments: Engine.all)
  func rivals(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, eve) = (Phone("ada", token: 1), Phone("eve", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    try await eve.register(at: bench.store, of: "eve")
    try await bench.store.accept(ada.sign([.voip: 3])).get()
    let stolen = try eve.sign([.voip: 3])
    #expect(try await refusal(of: stolen, by: bench) == .tokenInUse(registration: "ada"))
    // The same bytes are another token of another kind.
    try await bench.store.accept(eve.sign([.complication: 3])).get()
    let device = try #require(try await bench.store.device(named: "ada"))
    #expect(try await bench.store.unregister(device) == ["ada"])
    try await bench.store.accept(eve.sign([.voip: 3])).get()
    #expect(try await tokens("eve", in: bench) == [.voip: 3])
    try await ada.register(at: bench.store, time: start.advanced(by: .seconds(9)))
    #expect(try await tokens("ada", in: bench) == [:])
  }

  @Test(
    "end one by one, and their device stays; one that is signed again is there again", arguments: Engine.all)
  func ended(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    let signed = try ada.sign([.voip: 2, .activity(named: "order 7"): 3])
    try await bench.store.accept(signed).get()
    #expect(try await bench.store.endToken(at: Phone.address(3), for: .liveActivity))
    #expect(try await !bench.store.endToken(at: Phone.address(3), for: .liveActivity))
    #expect(try await tokens("ada", in: bench) == [.voip: 2])
    try await bench.store.accept(signed).get()
    #expect(try await tokens("ada", in: bench) == [.voip: 2])
    #expect(try await bench.store.devices(of: ["ada"])[0].count == 1)
    try await bench.store.accept(ada.sign([.activity(named: "order 7"): 3])).get()
    #expect(try await tokens("ada", in: bench) == [.activity(named: "order 7"): 3])
  }

  @Test("go with the registration", arguments: Engine.all)
  func removed(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, eve) = (Phone("ada", token: 1), Phone("eve", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    try await bench.store.accept(ada.sign([.voip: 3])).get()
    try await bench.store.remove(.registration("ada"))
    try await eve.register(at: bench.store, of: "eve")
    try await bench.store.accept(eve.sign([.voip: 3])).get()
    #expect(try await tokens("eve", in: bench) == [.voip: 3])
  }

  @Test("do not follow an identity to another registration", arguments: Engine.all)
  func moved(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    try await bench.store.accept(ada.sign([.activity(named: "order 7"): 3])).get()
    let enrolment = try ada.keys.enrol(
      address: ada.address, for: Phone.audience, challenge: Challenge("bob's"),
      at: start.advanced(by: .seconds(9)))
    _ = try await bench.store.accept(enrolment, as: "bob", person: "bob", login: .challenged).get()
    #expect(try await bench.store.device(named: "ada") == nil)
    #expect(try await tokens("bob", in: bench) == [:])
  }

  @Test("are believed by the device's signature alone, not by a row")
  func forged() async throws {
    let bench = try await SQLiteBench()
    var (ada, eve) = (Phone("ada", token: 1), Phone("eve", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    try await bench.store.accept(ada.sign([.voip: 3])).get()
    let forged = try eve.sign([.voip: 3]).signed
    try bench.application().run("UPDATE token_set SET signed = ?1", forged)
    #expect(try await tokens("ada", in: bench) == [:])
  }

  @Test("come through the inbox as a body alone, as a leave does")
  func request() throws {
    var ada = Phone("ada", token: 1)
    let body = try ada.sign([.voip: 2]).encoded()
    let request = try EnrolmentRow(columns: [.body: body]).request()
    #expect(request.hasTokens && !request.isLeave && request.body == body)
  }
}

/// Jobs of types that the first workers do not know.
@Suite("Jobs for other pushes", .hangGuard)
struct TypedJobTests {
  private static func job(_ type: PushType, priority: JobPriority = .standard) throws -> Job {
    let payload: JSONObject = type == .alert ? .lunch : ["aps": [:], "call": 7]
    return try Job(payload, to: "ada", priority: priority, pushType: type, at: start)
  }

  @Test("are leased with the others, by priority", arguments: Engine.all)
  func leased(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([
      Self.job(.alert), Self.job(.voip, priority: .last), Self.job(.alert, priority: .first),
    ])
    #expect(try await bench.store.oldestReady() != nil)
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(try leased.map { try $0.job.get().pushType } == [.alert, .alert, .voip])
    #expect(try leased.map { try $0.job.get().priority } == [.first, .standard, .last])
  }

  @Test("make no others of their priority wait, nor wait for them", arguments: Engine.all)
  func fair(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue((0..<64).map { try Self.job($0 < 32 ? .alert : .voip) })
    var types: [PushType] = []
    for _ in 0..<32 {
      types += try await bench.store.lease(atMost: 1, for: .seconds(60), sender: nil).map {
        try $0.job.get().pushType
      }
    }
    // By chance all of them would be of one kind once in four thousand million times.
    if engine.name != "memory" { #expect(Set(types) == [.alert, .voip]) }
  }

  @Test(
    "are at levels at which workers of the first versions do not look", arguments: ["voip", "alert", nil])
  func level(type: String?) async throws {
    let (sqlite, postgres) = (try await SQLiteBench(), try await PostgresBench())
    let expected = type == "voip" ? "15" : "5"
    try sqlite.insert([.person: "ada", .payload: "{}", .pushType: type])
    #expect(try sqlite.application().run("SELECT level FROM job") == [[expected]])
    try postgres.insert([.person: "ada", .payload: "{}", .pushType: type])
    #expect(try postgres.application().run("SELECT level FROM sealpush.job") == [[expected]])
  }

  @Test("know the token that they go to")
  func uses() throws {
    func use(_ payload: String, _ type: PushType, _ activity: String? = nil) throws -> TokenUse? {
      try Job(
        JSONObject(parsing: Array(payload.utf8).span), to: "ada", pushType: type, activity: activity,
        at: start
      ).tokenUse
    }
    let state = #""timestamp":1,"content-state":{}"#
    #expect(try use(#"{"aps":{}}"#, .background) == nil)
    #expect(try use(#"{"aps":{}}"#, .voip) == .voip)
    #expect(
      try use(
        #"{"aps":{"event":"start",\#(state),"attributes-type":"Order","attributes":{}}}"#, .liveActivity)
        == .activityStart(attributes: "Order"))
    #expect(
      try use(#"{"aps":{"event":"end",\#(state)}}"#, .liveActivity, "order 7") == .activity(named: "order 7"))
  }
}
