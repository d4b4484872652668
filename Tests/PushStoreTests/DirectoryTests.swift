import PushSimulation
import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import PushStore
import TestSupport
import Testing

@Suite("A directory", .hangGuard)
struct DirectoryTests {
  @Test("has a device once it is proven", arguments: Engine.all)
  func registering(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var phone = Phone("phone", token: 1)
    let asked = try await store.accept(
      phone.enrolment(), as: "phone", person: "alice", mayBeNew: true
    ).get()
    #expect(asked.change == .pending)
    #expect(try await store.devices(of: ["alice"]) == [[]])
    #expect(try await store.devices(after: nil, atMost: 9).map(\.device.keys) == [nil])
    try await bench.advance(by: .seconds(7))
    let answer = try phone.answer(#require(asked.pending))
    let answered = try await store.accept(answer, as: "phone", mayBeNew: false).get()
    #expect(answered.change == .registered && answered.pending == nil)
    let device = try await store.devices(of: ["alice"])[0]
    let registration = try #require(try await store.registration(named: "phone")).registration
    #expect(device.map(\.device) == [EnrolledDevice(registration)] && device[0].device.keys != nil)
    #expect(device[0].identity == registration.identity && device[0].quarantinedAt == nil)
    #expect(device[0].tokenSetAt == start && registration.person == "alice")
    #expect(try await store.accept(answer, as: "phone", mayBeNew: false).get().change == .unchanged)
  }

  @Test("knows the apps of its registrations, proven or not", arguments: Engine.all)
  func topics(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    let topic = Phone.topic
    #expect(try await !store.hasRegistration(of: topic))
    _ = try await store.accept(phone.enrolment(), as: "phone", person: "alice", mayBeNew: true).get()
    #expect(try await store.hasRegistration(of: topic))
    #expect(try await !store.hasRegistration(of: Topic(topic.text + "x")))
  }

  @Test("knows whether a device has proven its token, or only its key", arguments: Engine.all)
  func tokens(engine: Engine) async throws {
    let store = try await engine.start().store
    for (index, possession) in [Possession.keyAlone, .keyAndToken].enumerated() {
      var phone = Phone("phone \(index)", token: UInt8(index + 1))
      let asked = try await store.accept(
        phone.enrolment(), as: phone.name, person: "alice", mayBeNew: true, proving: possession
      ).get()
      _ = try await store.accept(
        phone.answer(#require(asked.pending)), as: phone.name, mayBeNew: false, proving: possession
      ).get()
    }
    for devices in [
      try await store.devices(of: ["alice"])[0], try await store.devices(after: nil, atMost: 9),
    ] {
      #expect(
        Set(devices.map { "\($0.device.registration ?? "") \($0.hasToken)" }) == [
          "phone 0 false", "phone 1 true",
        ])
    }
  }

  @Test("gives the devices of a person, or the one of a registration, to a sealer", arguments: Engine.all)
  func recipients(engine: Engine) async throws {
    let store = try await engine.start().store
    for (number, person) in [(1, "alice"), (2, "alice"), (3, "bob"), (4, nil)] as [(UInt8, String?)] {
      var phone = Phone("phone \(number)", token: number)
      try await phone.register(at: store, of: person)
    }
    func names(_ addressee: Addressee) async throws -> [String?] {
      try await store.recipients(for: addressee).map(\.registration).sorted { $0 ?? "" < $1 ?? "" }
    }
    #expect(try await names(.person("alice")) == ["phone 1", "phone 2"])
    #expect(try await names(.registration("phone 1")) == ["phone 1"])
    #expect(try await names(.registration("phone 4")) == ["phone 4"])
    // The one's name is not the other's.
    #expect(try await names(.registration("alice")) == [])
    #expect(try await names(.person("phone 1")) == [])
  }

  @Test("gives no device to a sealer that has proven nothing, or is in quarantine", arguments: Engine.all)
  func notRecipients(engine: Engine) async throws {
    let store = try await engine.start().store
    var pending = Phone("pending", token: 1)
    _ = try await store.accept(pending.enrolment(), as: "pending", person: "alice", mayBeNew: true).get()
    var refused = Phone("refused", token: 2)
    try await refused.register(at: store, of: "alice")
    try await store.quarantine(refused.address)
    for addressee in [Addressee.person("alice"), .registration("pending"), .registration("refused")] {
      #expect(try await store.recipients(for: addressee).isEmpty)
    }
    #expect(try await store.device(named: "pending")?.device.keys == nil)
    #expect(try await store.device(named: "pending")?.device.registration == "pending")
    #expect(try await store.device(named: "refused")?.quarantinedAt != nil)
    #expect(try await store.device(named: "nobody") == nil)
  }

  @Test("looks up many persons at once, in their order", arguments: Engine.all)
  func persons(engine: Engine) async throws {
    let store = try await engine.start().store
    for (index, person) in ["alice", "bob", "alice", nil].enumerated() {
      var phone = Phone("phone \(index)", token: UInt8(index + 1))
      try await phone.register(at: store, of: person)
    }
    let found = try await store.devices(of: ["bob", "nobody", "alice", "bob"])
    let names = found.map { $0.compactMap(\.device.registration).sorted() }
    #expect(names == [["phone 1"], [], ["phone 0", "phone 2"], ["phone 1"]])
    #expect(try await store.devices(of: []).isEmpty)
    let pages = [
      try await store.devices(after: nil, atMost: 3), try await store.devices(after: "phone 2", atMost: 3),
    ]
    #expect(
      pages.map { $0.map(\.device.registration) } == [["phone 0", "phone 1", "phone 2"], ["phone 3"]])
  }

  @Test("tells persons and names apart by their bytes", arguments: Engine.all)
  func bytes(engine: Engine) async throws {
    let store = try await engine.start().store
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    for (index, name) in [composed, decomposed].enumerated() {
      var phone = Phone(name, token: UInt8(index + 1))
      try await phone.register(at: store, of: name)
    }
    let tokens = try await store.devices(of: [composed, decomposed]).map { $0.map(\.address.token) }
    #expect(tokens == [[Phone.address(1).token], [Phone.address(2).token]])
    #expect(try await store.registration(named: decomposed)?.registration.person?.utf8.count == 3)
    #expect(try await store.forget(person: composed) == 1)
    #expect(try await store.devices(of: [composed, decomposed]).map(\.count) == [0, 1])
  }

  @Test("makes no registration unless it may", arguments: Engine.all)
  func login(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    let result = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false)
    #expect(throws: SignedSetError.notRegistered) { try result.get() }
    #expect(try await store.registration(named: "phone") == nil)
  }

  @Test("has a proven identity, token and key once", arguments: Engine.all)
  func unique(engine: Engine) async throws {
    let store = try await engine.start().store
    var alice = Phone("alice", token: 1)
    try await alice.register(at: store)
    let identity = try alice.keys.enrol(address: Phone.address(2), for: Phone.audience, at: start)
    var token = Phone("bob", token: 1)
    var key = Phone("bob", token: 2)
    key.keys = try DeviceKeys(device: alice.keys.device, identity: key.keys.identity)
    let attempts = [identity, try token.enrolment(), try key.enrolment()]
    let errors: [SignedSetError] = [
      .identityInUse(registration: "alice"), .tokenInUse(registration: "alice"),
      .keyInUse(registration: "alice"),
    ]
    for (enrolment, error) in zip(attempts, errors) {
      let result = try await store.accept(enrolment, as: "bob", mayBeNew: true)
      #expect(throws: error) { try result.get() }
    }
    #expect(try await store.devices(after: nil, atMost: 9).count == 1)
  }

  @Test(
    "lets what is only pending block nobody, and takes it from who cannot prove it", arguments: Engine.all)
  func pending(engine: Engine) async throws {
    let store = try await engine.start().store
    var (thief, owner) = (Phone("thief", token: 1), Phone("owner", token: 1))
    #expect(
      try await store.accept(thief.enrolment(), as: "thief", mayBeNew: true).get().change == .pending)
    #expect(try await owner.register(at: store) == .registered)
    let left = try #require(try await store.registration(named: "thief")).registration
    #expect(left.pending == nil && left.proven == nil)
  }

  @Test("finds what an enrolment may be in conflict with, and nothing else", arguments: Engine.all)
  func neighbours(engine: Engine) async throws {
    let store = try await engine.start().store
    var phones = (1...5).map { Phone("\($0)", token: UInt8($0)) }
    for index in phones.indices { try await phones[index].register(at: store) }
    // The third has proven one token, and now has another.
    phones[2].address = Phone.address(9)
    #expect(
      try await store.accept(phones[2].enrolment(), as: "3", mayBeNew: false).get().change == .pending)
    let stranger = Phone("stranger", token: 99)
    func found(
      _ name: String, _ token: UInt8, key: Phone? = nil, identity: Phone? = nil, pending: Bool = true
    ) async throws -> [String] {
      var keys = try DeviceKeys(
        device: (key ?? stranger).keys.device, identity: (identity ?? stranger).keys.identity)
      let enrolment = try keys.enrol(address: Phone.address(token), for: Phone.audience, at: start)
      return try await store.neighbours(of: enrolment, named: name, pending: pending ? 9 : 0).map(
        \.registration.name)
    }
    #expect(try await found("stranger", 99) == [])
    #expect(try await found("1", 99) == ["1"])
    #expect(try await found("stranger", 2) == ["2"])
    #expect(try await found("stranger", 3) == ["3"])
    #expect(try await found("stranger", 9) == ["3"])
    #expect(try await found("stranger", 99, key: phones[3]) == ["4"])
    #expect(try await found("stranger", 99, identity: phones[4]) == ["5"])
    let all = ["1", "2", "4", "5"]
    #expect(try await found("1", 2, key: phones[3], identity: phones[4]) == all)
    // Without the pending ones, what is proven is found, and the name.
    #expect(try await found("1", 2, key: phones[3], identity: phones[4], pending: false) == all)
    #expect(try await found("stranger", 3, pending: false) == ["3"])
    #expect(try await found("stranger", 9, pending: false) == [])
    let (late, copy) = (Phone("late", token: 7), Phone("copy", token: 8))
    for phone in [late, copy] {
      var keys = try DeviceKeys(device: late.keys.device, identity: late.keys.identity)
      let enrolment = try keys.enrol(address: phone.address, for: Phone.audience, at: start)
      _ = try await store.accept(enrolment, as: phone.name, mayBeNew: true).get()
    }
    #expect(try await found("x", 7, key: late, identity: late, pending: true) == ["copy", "late"])
    #expect(try await found("x", 7, key: late, identity: late, pending: false) == [])
  }

  @Test("does not read what others have enrolled and not proven, however many they are", arguments: [1, 30])
  func flood(count: Int) async throws {
    let bench = try await SQLiteBench()
    let store = bench.store
    // One user's phone, under a name of its own each time that somebody logs in.
    var phone = Phone("phone", token: 1)
    let enrolment = try phone.enrolment()
    for number in 1...count {
      _ = try await store.accept(enrolment, as: "copy \(number)", mayBeNew: true).get()
    }
    // Whoever reads one of them finds that it is damaged.
    try bench.application().run("UPDATE sealpush.device SET registration = 'x'")
    #expect(try await store.accept(enrolment, as: "phone", mayBeNew: true).get().change == .pending)
    #expect(try await store.devices(after: nil, atMost: 99).count == count + 1)
  }

  @Test(
    "takes a token from any number of others, some at a time, once a device has proven it",
    arguments: Engine.all)
  func rivals(engine: Engine) async throws {
    let store = try await engine.start().store
    // Five have proven their keys, but not their token, and seven have proven nothing.
    var rivals = (0..<12).map { Phone("rival \($0 < 5 ? 2 : 1) \($0)", token: 1) }
    var asked: [PendingProof?] = []
    for index in rivals.indices {
      let pending = try await store.accept(
        rivals[index].enrolment(), as: rivals[index].name, mayBeNew: true,
        proving: index < 5 ? .keyAlone : .keyAndToken
      ).get().pending
      asked.append(pending)
      guard index < 5 else { continue }
      let answer = try rivals[index].answer(#require(pending))
      _ = try await store.accept(answer, as: rivals[index].name, mayBeNew: false, proving: .keyAlone).get()
    }
    var phone = Phone("phone", token: 1)
    let pending = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: true).get().pending
    let accepted = try await store.accepting(
      phone.answer(#require(pending)), as: "phone", person: nil, login: .none, proving: .keyAndToken,
      rivals: 2
    ) { (changes) async throws(StoreError) in
      // The last is the device's own, with what was left.
      #expect(changes.count <= 3)
      return try await store.apply(changes)
    }
    #expect(try #require(accepted).get().change == .registered)
    let devices = try await store.devices(after: nil, atMost: 99)
    #expect(devices.count == 13)
    #expect(devices.filter { $0.device.keys != nil }.map(\.device.registration) == ["phone"])
    // Whoever was asked before is asked anew.
    for index in 5..<12 {
      let answer = try rivals[index].answer(#require(asked[index]))
      #expect(
        try await store.accept(answer, as: rivals[index].name, mayBeNew: false).get().change == .pending)
    }
  }

  @Test("unregisters all that only claim a token, some at a time, and reads none that gets no messages")
  func removal() async throws {
    let bench = try await SQLiteBench()
    let store = bench.store
    for number in 1...103 {
      var phone = Phone("phone \(number)", token: 1)
      let pending = try await store.accept(
        phone.enrolment(), as: phone.name, mayBeNew: true, proving: .keyAlone
      ).get().pending
      guard number > 1 else { continue }
      _ = try await store.accept(
        phone.answer(#require(pending)), as: phone.name, mayBeNew: false, proving: .keyAlone
      ).get()
    }
    // Whoever reads what is not proven finds that it is damaged.
    try bench.application().run("UPDATE sealpush.device SET registration = 'x' WHERE keys IS NULL")
    let first = try await store.registrations(address: Phone.address(1), after: nil, atMost: 2)
    #expect(first.map(\.registration.name) == ["phone 10", "phone 100"])
    let names = try await store.unregister(#require(try await store.device(named: "phone 50")))
    #expect(names.count == 102)
    #expect(try await store.registrations(address: Phone.address(1), after: nil, atMost: 2).isEmpty)
  }

  @Test("makes all changes or none", arguments: Engine.all)
  func conditional(engine: Engine) async throws {
    let store = try await engine.start().store
    var (alice, bob) = (Phone("alice", token: 1), Phone("bob", token: 2))
    try await alice.register(at: store)
    try await bob.register(at: store)
    let old = try #require(try await store.registration(named: "alice"))
    var changed = old.registration
    try changed.assign(to: "carol")
    #expect(try await store.apply([.replace(old, changed)]))
    // What was read is no longer there, and so bob stays, too.
    let other = try #require(try await store.registration(named: "bob"))
    #expect(try await store.apply([.remove(other), .replace(old, old.registration)]) == false)
    #expect(try await store.apply([.remove(other), .remove(old)]) == false)
    #expect(try await store.apply([.remove(other), .add(changed)]) == false)
    #expect(try await store.registration(named: "alice")?.registration == changed)
    #expect(try await store.registration(named: "bob")?.version == other.version)
    // The same content is another version, and a registration that comes back, too.
    let new = try #require(try await store.registration(named: "alice"))
    #expect(try await store.apply([.remove(new)]))
    #expect(try await store.apply([.add(changed)]))
    #expect(try await store.apply([.remove(new)]) == false)
  }

  @Test("takes no second proof of an identity, token or key that came between", arguments: Engine.all)
  func race(engine: Engine) async throws {
    let store = try await engine.start().store
    var alice = Phone("alice", token: 1)
    try await alice.register(at: store)
    var (identity, token, key) = (Phone("bob", token: 2), Phone("bob", token: 1), Phone("bob", token: 2))
    identity.keys = try DeviceKeys(device: identity.keys.device, identity: alice.keys.identity)
    key.keys = try DeviceKeys(device: alice.keys.device, identity: key.keys.identity)
    for var phone in [identity, token, key] {
      // Proven where nobody knows of alice.
      let elsewhere = MemoryStore(clock: ManualClock(start))
      try await phone.register(at: elsewhere)
      let proven = try #require(await elsewhere.registration(named: "bob")).registration
      #expect(try await store.apply([.add(proven)]) == false)
    }
    #expect(try await store.devices(after: nil, atMost: 9).count == 1)
  }

  @Test("takes every one of many updates of one registration", arguments: Engine.all)
  func writers(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store)
    let enrolments = try (0..<20).map { _ in try phone.enrolment() }
    let changes = try await withThrowingTaskGroup { group in
      for enrolment in enrolments {
        group.addTask { try await store.accept(enrolment, as: "phone", mayBeNew: false) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // Who comes after a newer one is refused, and nothing is lost.
    let refused = changes.count { if case .failure(.olderSerial) = $0 { true } else { false } }
    let taken = changes.count { (try? $0.get().change) == .updated }
    #expect(taken >= 1 && taken + refused == 20)
    #expect(try await store.registration(named: "phone")?.registration.enrolment == enrolments.last)
  }

  @Test(
    "applies an update on top of one that came between its reading and its writing", arguments: Engine.all)
  func onTop(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store)
    let earlier = try phone.enrolment()
    let between = Interruption(store) {
      _ = try await store.accept(earlier, as: "phone", person: "bob", mayBeNew: false).get()
    }
    var later = phone
    for _ in 0..<3 { _ = try later.enrolment() }
    let last = try later.enrolment()
    #expect(try await between.accept(last, as: "phone", mayBeNew: false).get().change == .updated)
    let registration = try #require(try await store.registration(named: "phone")).registration
    #expect(registration.enrolment == last && registration.person == "bob")
    #expect(await between.attempts == 2)
  }
}
