import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport
import Testing

/// The proof requests that a store has for its workers to push, and how often a token may be asked.
@Suite("A proof request", .hangGuard) struct ProofOutboxTests {
  private let minute = Duration.seconds(60)

  /// A store with its time, and what is asked.
  private struct Outbox {
    let bench: any StoreBench
    var store: any Store { bench.store }

    /// Hands in an enrolment, which becomes pending, at `time`.
    @discardableResult
    func enrol(
      _ phone: inout Phone, as name: String? = nil, of person: String? = nil
    ) async throws -> PendingProof {
      let enrolment = try phone.enrolment()
      let outcome = try await store.accept(enrolment, as: name ?? phone.name, person: person, mayBeNew: true)
      return try #require(try outcome.get().pending)
    }

    /// Leases all requests that are due.
    func lease(_ store: (any Store)? = nil) async throws -> [RequestLease] {
      var (all, isComplete) = ([RequestLease](), false)
      while !isComplete {
        let leased = try await (store ?? bench.store).leaseRequests(atMost: 64, for: .seconds(30))
        all += leased.leases
        isComplete = leased.isComplete
      }
      return all
    }

    /// Pushes all requests that are due, and gives their names.
    func push() async throws -> [String] {
      let leases = try await lease()
      for lease in leases { try await store.finish(lease, as: .done) }
      return leases.map(\.registration).sorted()
    }

    /// Whether the next push is possible after so many minutes, and no second before.
    func pushes(inMinutes minutes: Int) async throws -> Bool {
      try await bench.advance(by: .seconds(minutes * 60 - 1))
      guard try await push().isEmpty else { return false }
      try await bench.advance(by: .seconds(1))
      return try await !push().isEmpty
    }
  }

  private func outbox(_ engine: Engine) async throws -> Outbox { Outbox(bench: try await engine.start()) }

  /// Phones of as many persons, which enrol with one token.
  private func claimants(_ count: Int, in outbox: Outbox) async throws {
    for number in 1...count {
      var phone = Phone("claim-\(number)", token: 1)
      try await outbox.enrol(&phone, of: "person-\(number)")
    }
  }

  @Test("is due at once, once, and says whom to ask", arguments: Engine.all)
  func first(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    try await outbox.enrol(&phone)
    let leased = try await outbox.store.leaseRequests(atMost: 9, for: .seconds(30))
    #expect(leased.leases.map(\.registration) == ["phone"] && leased.isComplete)
    #expect(leased.leases.map(\.address) == [phone.address] && leased.leases.map(\.isHolder) == [false])
    #expect(try await outbox.lease().isEmpty)
    #expect(try await outbox.store.finish(leased.leases[0], as: .done))
    #expect(try await outbox.store.finish(leased.leases[0], as: .done) == false)
    try await outbox.bench.advance(by: .seconds(86_400))
    #expect(try await outbox.lease().isEmpty)
  }

  @Test("is pushed once for sixty equal enrolments", arguments: Engine.all)
  func equal(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    let enrolment = try phone.enrolment()
    var pushes = 0
    for _ in 0..<60 {
      let outcome = try await outbox.store.accept(enrolment, as: "phone", mayBeNew: true).get()
      #expect(outcome.change == .pending)
      pushes += try await outbox.push().count
    }
    try await outbox.bench.advance(by: .seconds(86_400))
    pushes += try await outbox.push().count
    #expect(pushes == 1)
  }

  @Test("is due at once when a person signs in again who has answered the last one", arguments: Engine.all)
  func again(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone-1", token: 1)
    let pending = try await outbox.enrol(&phone, of: "ada")
    #expect(try await outbox.push() == ["phone-1"])
    _ = try await outbox.store.accept(phone.answer(pending), as: "phone-1", mayBeNew: false).get()
    try await outbox.store.remove(.registration("phone-1"))
    try await outbox.bench.advance(by: .seconds(2))
    var again = Phone("phone-2", token: 1)
    try await outbox.enrol(&again, of: "ada")
    #expect(try await outbox.push() == ["phone-2"])
  }

  @Test("is none with the key alone, nor for what is proven", arguments: Engine.all)
  func none(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var (alone, proven) = (Phone("alone", token: 1), Phone("proven", token: 2))
    _ = try await outbox.store.accept(alone.enrolment(), as: "alone", mayBeNew: true, proving: .keyAlone)
      .get()
    try await proven.register(at: outbox.store)
    #expect(try await outbox.lease().isEmpty)
  }

  @Test("to the holder waits longer each time, until an answer", arguments: Engine.all)
  func holder(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    try await phone.register(at: outbox.store)
    try phone.rotate()
    try await outbox.enrol(&phone)
    let first = try await outbox.lease()
    #expect(first.map(\.isHolder) == [true])
    try await outbox.store.finish(first[0], as: .done)
    var pending: PendingProof?
    for minutes in [1, 2, 5, 20, 60, 360, 360] {
      pending = try await outbox.enrol(&phone)
      #expect(try await outbox.pushes(inMinutes: minutes), "\(minutes) minutes")
    }
    let answer = try phone.answer(#require(pending))
    #expect(try await outbox.store.accept(answer, as: "phone", mayBeNew: false).get().change == .updated)
    try phone.rotate()
    try await outbox.enrol(&phone)
    #expect(try await outbox.push() == ["phone"])
    try await outbox.enrol(&phone)
    #expect(try await outbox.pushes(inMinutes: 1))
  }

  @Test("to others is one in twenty minutes, and never the holder's loss", arguments: Engine.all)
  func others(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var owner = Phone("owner", token: 1)
    try await owner.register(at: outbox.store)
    // What is proven is refused to others, so they have come before.
    try await outbox.store.unregister(#require(try await outbox.store.device(named: "owner")))
    var strangers: [String] = []
    try await claimants(5, in: outbox)
    strangers += try await outbox.push()
    #expect(strangers.count == 1)
    try await outbox.enrol(&owner)
    let own = try await outbox.lease()
    #expect(own.map(\.registration) == ["owner"] && own.map(\.isHolder) == [true])
  }

  @Test("to others comes in turns that chance decides", arguments: Engine.all)
  func turns(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var firsts: [String] = []
    for token in UInt8(1)...24 {
      for number in 1...4 {
        var phone = Phone("\(token)-\(number)", token: token)
        try await outbox.enrol(&phone, of: phone.name)
      }
    }
    firsts += try await outbox.push()
    #expect(firsts.count == 24)
    // That one rank has all the turns is as likely as 1 in 4^23.
    #expect(Set(firsts.map { $0.suffix(1) }).count > 1)
    try await outbox.bench.advance(by: minute * 19)
    #expect(try await outbox.push().isEmpty)
    try await outbox.bench.advance(by: minute)
    let seconds = try await outbox.push()
    #expect(seconds.count == 24 && Set(seconds).isDisjoint(with: firsts))
  }

  @Test("to a person for a token of others is one an hour, and ten a day for all", arguments: Engine.all)
  func person(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    // Two names, one person, one token.
    for name in ["a", "b"] {
      var phone = Phone(name, token: 100)
      try await outbox.enrol(&phone, of: "eve")
    }
    #expect(try await outbox.push().count == 1)
    #expect(try await outbox.pushes(inMinutes: 60))
    for token in UInt8(1)...20 {
      var phone = Phone("junk-\(token)", token: token)
      try await outbox.enrol(&phone, of: "eve")
    }
    #expect(try await outbox.push().count == 8)
    // Ada is another.
    var ada = Phone("ada", token: 99)
    try await outbox.enrol(&ada, of: "ada")
    #expect(try await outbox.push() == ["ada"])
    #expect(try await outbox.pushes(inMinutes: 23 * 60))
  }

  /// Phones that claim, for one person, tokens that others have proven: of each, the claim's name.
  private func foreignClaims(_ count: Int, of person: String, in outbox: Outbox) async throws -> [Phone] {
    var phones: [Phone] = []
    for number in 1...count {
      var owner = Phone("owner-\(number)", token: UInt8(number))
      try await owner.register(at: outbox.store, of: owner.name)
      var phone = Phone("claim-\(number)", token: UInt8(100 + number))
      try await phone.register(at: outbox.store, of: person)
      // A registration claims a token without a login.
      phone.address = owner.address
      phones.append(phone)
    }
    return phones
  }

  @Test("is for three tokens of others at a time, for a person", arguments: Engine.all)
  func foreign(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phones = try await foreignClaims(5, of: "eve", in: outbox)
    var pending: [String: PendingProof] = [:]
    for index in phones.indices { pending[phones[index].name] = try await outbox.enrol(&phones[index]) }
    let asked = try await outbox.push()
    #expect(asked.count == 3)
    // A token that nobody has proven is no claim of another's.
    var new = Phone("new", token: 50)
    try await outbox.enrol(&new, of: "eve")
    #expect(try await outbox.push() == ["new"])
    try await outbox.bench.advance(by: minute * 40)
    #expect(try await outbox.push().isEmpty)
    // One is settled.
    let index = try #require(phones.firstIndex { $0.name == asked[0] })
    let answer = try phones[index].answer(#require(pending[asked[0]]))
    _ = try await outbox.store.accept(answer, as: asked[0], mayBeNew: false).get()
    try await outbox.bench.advance(by: minute * 20)
    let next = try await outbox.push()
    #expect(next.count == 1 && !asked.contains(next[0]))
  }

  @Test("is for other tokens of others when the first are a day old, asked for or not", arguments: Engine.all)
  func foreignDay(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phones = try await foreignClaims(4, of: "eve", in: outbox)
    for index in 0..<3 { try await outbox.enrol(&phones[index]) }
    #expect(try await outbox.push() == ["claim-1", "claim-2", "claim-3"])
    try await outbox.enrol(&phones[3])
    for _ in 1...3 {
      try await outbox.bench.advance(by: minute * 60 * 8 - .seconds(1))
      #expect(try await !outbox.push().contains("claim-4"))
      for index in 0..<3 { try await outbox.enrol(&phones[index]) }
    }
    try await outbox.bench.advance(by: minute * 20 + .seconds(3))
    #expect(try await outbox.push().contains("claim-4"))
  }

  @Test("to a dead token is one a day, for a later enrolment", arguments: Engine.all)
  func dead(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var (owner, other) = (Phone("owner", token: 1), Phone("other", token: 1))
    try await outbox.enrol(&other, of: "other")
    try await outbox.enrol(&owner, of: "owner")
    let lease = try await outbox.lease()
    #expect(lease.count == 1)
    try await outbox.store.finish(lease[0], as: .gone)
    // Both requests are gone.
    try await outbox.bench.advance(by: minute * 60 * 48)
    #expect(try await outbox.push().isEmpty)
    try await outbox.enrol(&owner)
    #expect(try await outbox.push() == ["owner"])
    try await outbox.enrol(&owner)
    #expect(try await outbox.pushes(inMinutes: 24 * 60))
    // Its answer revives it.
    let pending = try await outbox.enrol(&owner)
    _ = try await outbox.store.accept(owner.answer(pending), as: "owner", mayBeNew: false).get()
    try owner.rotate()
    try await outbox.enrol(&owner)
    #expect(try await outbox.push() == ["owner"])
    try await outbox.enrol(&owner)
    #expect(try await outbox.pushes(inMinutes: 1))
  }

  @Test("that was refused says nothing of a token that has answered since", arguments: Engine.all)
  func answeredSince(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    let pending = try await outbox.enrol(&phone)
    let lease = try await outbox.lease()[0]
    _ = try await outbox.store.accept(phone.answer(pending), as: "phone", mayBeNew: false).get()
    #expect(try await outbox.store.finish(lease, as: .gone) == false)
    try phone.rotate()
    for wait in [0, 1] {
      try await outbox.enrol(&phone)
      try await outbox.bench.advance(by: minute * wait)
      #expect(try await outbox.push() == ["phone"])
    }
  }

  @Test(
    "to a token that a message's 410 has ended goes, and the device that had it is its holder",
    arguments: Engine.all)
  func unregistered(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    try await phone.register(at: outbox.store)
    try phone.rotate()
    try await outbox.enrol(&phone)
    try await outbox.store.unregister(#require(try await outbox.store.device(named: "phone")))
    #expect(try await outbox.push().isEmpty)
    try await outbox.enrol(&phone)
    let lease = try await outbox.lease()
    #expect(lease.map(\.isHolder) == [true])
    try await outbox.store.finish(lease[0], as: .done)
    try await outbox.enrol(&phone)
    #expect(try await outbox.pushes(inMinutes: 24 * 60))
  }

  @Test("of a worker that crashed is due when its token may be asked", arguments: Engine.all)
  func crash(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var (phone, owner) = (Phone("phone", token: 1), Phone("owner", token: 2))
    try await owner.register(at: outbox.store)
    try owner.rotate()
    try await outbox.enrol(&phone)
    try await outbox.enrol(&owner)
    #expect(try await outbox.lease().count == 2)
    try await outbox.bench.advance(by: .seconds(59))
    #expect(try await outbox.lease().isEmpty)
    try await outbox.bench.advance(by: .seconds(1))
    #expect(try await outbox.push() == ["owner"])
    // A person is asked once an hour, and this one is nobody's.
    #expect(try await outbox.pushes(inMinutes: 59))
  }

  @Test("that was not sent is due again after its delay, and counts as not asked", arguments: Engine.all)
  func givenBack(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var (phone, owner) = (Phone("phone", token: 1), Phone("owner", token: 2))
    try await owner.register(at: outbox.store)
    try owner.rotate()
    try await outbox.enrol(&phone)
    try await outbox.enrol(&owner)
    for lease in try await outbox.lease() {
      #expect(try await outbox.store.giveBack(lease, after: .seconds(10)))
      #expect(try await outbox.store.giveBack(lease, after: .seconds(10)) == false)
    }
    try await outbox.bench.advance(by: .seconds(9))
    #expect(try await outbox.lease().isEmpty)
    try await outbox.bench.advance(by: .seconds(1))
    #expect(try await outbox.push() == ["owner", "phone"])
    try await outbox.enrol(&owner)
    #expect(try await outbox.pushes(inMinutes: 1))
  }

  @Test("stays if its registration has enrolled since the lease", arguments: Engine.all)
  func changed(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var phone = Phone("phone", token: 1)
    try await outbox.enrol(&phone)
    let lease = try await outbox.lease()[0]
    phone.address = Phone.address(2)
    try await outbox.enrol(&phone)
    #expect(try await outbox.store.finish(lease, as: .done) == false)
    #expect(try await outbox.lease().map(\.address) == [phone.address])
  }

  @Test("waits for no time that lies ahead because the clock went back", arguments: Engine.all)
  func clockBack(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var owner = Phone("owner", token: 2)
    try await owner.register(at: outbox.store)
    try await outbox.bench.advance(by: .seconds(86_400 * 365))
    try owner.rotate()
    try await outbox.enrol(&owner)
    #expect(try await outbox.push() == ["owner"])
    try await outbox.enrol(&owner)
    try await claimants(2, in: outbox)
    #expect(try await outbox.push().count == 1)
    // One claimant and the owner wait. An hour less than they do makes no difference of an hour.
    try await outbox.bench.advance(by: .seconds(-3600))
    #expect(try await outbox.push().count == 2)
  }

  @Test("is leased by one of two workers", arguments: [Engine.sqlite, .postgres])
  func twoWorkers(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    let others = try await [outbox.bench.another(), outbox.bench.another()]
    for token in UInt8(1)...40 {
      for number in 1...3 {
        var phone = Phone("\(token)-\(number)", token: token)
        try await outbox.enrol(&phone, of: phone.name)
      }
    }
    let leases = try await withThrowingTaskGroup { group in
      for store in others { group.addTask { try await outbox.lease(store) } }
      return try await group.reduce(into: [RequestLease]()) { $0 += $1 }
    }
    #expect(leases.count == 40 && Set(leases.map(\.address)).count == 40)
  }

  @Test("goes with its registration, and so does what was counted of a person", arguments: Engine.all)
  func leaves(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    var (removed, forgotten) = (Phone("removed", token: 1), Phone("forgotten", token: 2))
    try await outbox.enrol(&removed)
    try await outbox.enrol(&forgotten, of: "ada")
    try await outbox.store.remove(.registration("removed"))
    try await outbox.store.forget(person: "ada")
    #expect(try await outbox.push().isEmpty)
    // The same names are new ones.
    try await outbox.enrol(&forgotten, of: "ada")
    #expect(try await outbox.push() == ["forgotten"])
    try await outbox.store.forget(person: "ada")
    try await outbox.bench.advance(by: minute * 20)
    try await outbox.enrol(&forgotten, of: "ada")
    #expect(try await outbox.push() == ["forgotten"])
  }

  @Test("leaves no trace for longer than it counts, and that goes in parts", arguments: Engine.all)
  func sweep(engine: Engine) async throws {
    let outbox = try await outbox(engine)
    for token in UInt8(1)...5 {
      var phone = Phone("\(token)", token: token)
      try await outbox.enrol(&phone)
    }
    #expect(try await outbox.push().count == 5)
    #expect(try await outbox.store.removeAsked(atMost: 9) == 0)
    // Five persons, then five tokens.
    try await outbox.bench.advance(by: .seconds(86_400))
    #expect(try await outbox.store.removeAsked(atMost: 3) == 3)
    #expect(try await outbox.store.removeAsked(atMost: 9) == 2)
    try await outbox.bench.advance(by: .seconds(29 * 86_400))
    #expect(try await outbox.store.removeAsked(atMost: 9) == 5)
    #expect(try await outbox.store.removeAsked(atMost: 9) == 0)
  }
}

extension Phone {
  /// Replaces the keys.
  fileprivate mutating func rotate() throws {
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(at: start) }
  }
}
