import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushStore
import PushTesting
import TestSupport
import Testing

/// A year in which both sides rotate, and phones are lost, restored, sold, signed over and shared.
@Suite("A year of owners", .hangGuard)
struct OwnersTests {
  @Test(
    "shows nobody's text on a phone where the person is not signed in, and locks nobody out",
    arguments: Volume.isWhole ? [1, 2, 3] : [1] as [UInt64])
  func year(seed: UInt64) async throws {
    let phones = Volume.isWhole ? 12 : 3
    var year = try Year(seed: seed, phones: phones)
    for _ in 0..<364 { try await year.day() }
    let tally = year.tally
    print("Seed \(seed), \(phones) phones: \(tally)")
    #expect(tally.lives.count == Year.Life.allCases.count && tally.lives.values.allSatisfy { $0 > 0 })
    #expect(tally.opened > 100 * phones && tally.rotations >= 7)
    // What APNs held for somebody who has left, and for keys that are gone.
    #expect(tally.degraded[.otherAccount, default: 0] > 0 && tally.degraded[.unknownKey, default: 0] > 0)
    #expect(Set(tally.degraded.keys) == [.otherAccount, .unknownKey], "\(tally.degraded)")
  }
}

private let oneDay: Int64 = 86_400

/// Phones, their owners, and a backend that knows them by a store.
private struct Year {
  enum Life: CaseIterable { case lost, restored, sold, signedOver, signedOut, joined, left, newToken }

  struct Tally {
    var lives: [Life: Int] = [:]
    var sealed = 0, opened = 0, rotations = 0, unregistered = 0
    var degraded: [DegradeReason: Int] = [:]
  }

  /// A phone as it lies in somebody's hands.
  private struct Device {
    var keys = InMemoryKeyStore()
    var address: DeviceAddress
    var registration: String?
    /// Who is signed in, and the tag that the backend gave for each.
    var accounts: [String: AccountTag] = [:]
    /// What APNs holds for the token.
    var held: [(since: UnixTime, person: String, life: Int, push: JSONObject)] = []
    /// How often its keys were destroyed.
    var lives = 0
  }

  private let clock = ManualClock(start)
  private let store: MemoryStore
  private var devices: [Device] = []
  private var senders = KeySetEditor(KeySet(generating: .sender, at: start))
  private var random: SeededGenerator
  private var lastNumber = 0
  private(set) var tally = Tally()

  private var now: UnixTime { clock.now }

  init(seed: UInt64, phones: Int) throws {
    random = SeededGenerator(seed: seed)
    store = MemoryStore(clock: clock)
    devices = (0..<phones).map { _ in
      Device(address: DeviceAddress(topic: Phone.topic, environment: .production, token: DeviceToken([1])!))
    }
    for index in devices.indices { devices[index].address = newAddress() }
  }

  private mutating func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private mutating func newAddress() -> DeviceAddress {
    let number = UInt64(number())
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return DeviceAddress(topic: Phone.topic, environment: .production, token: DeviceToken([1] + bytes)!)
  }

  /// A day: something happens to some phones, each app is started, and each person gets a message.
  mutating func day() async throws {
    clock.advance(by: .seconds(oneDay))
    senders.prune(at: now)
    if try !senders.rotate(ifOlderThan: .seconds(45 * oneDay), at: now).isEmpty { tally.rotations += 1 }
    for index in devices.indices {
      if Int.random(in: 0..<7, using: &random) == 0, let life = Life.allCases.randomElement(using: &random) {
        try await happen(life, to: index)
      }
      try await launch(index)
      try await seal(for: devices[index].accounts.keys.sorted())
      try deliver(to: index)
    }
  }

  private mutating func happen(_ life: Life, to index: Int) async throws {
    tally.lives[life, default: 0] += 1
    let persons = devices[index].accounts.keys.sorted()
    switch life {
    case .lost:
      // The operator removes it, and the persons get new phones, one after the other.
      if let name = devices[index].registration { await store.remove(.registration(name)) }
      devices[index] = Device(address: newAddress(), lives: devices[index].lives + 1)
      for person in persons { try await logIn(index, person, mode: .join) }
    case .restored:
      // The keys are gone, and the session is there.
      devices[index].keys = InMemoryKeyStore()
      devices[index].lives += 1
      devices[index].accounts = [:]
      if Bool.random(using: &random) { move(index) }
      try await logIn(index, persons.first ?? "person \(number())", mode: .replace)
    case .sold:
      // Nobody signed out. The next owner's app is new, and APNs may give it the old token.
      (devices[index].keys, devices[index].accounts) = (InMemoryKeyStore(), [:])
      devices[index].registration = nil
      devices[index].lives += 1
      try await logIn(index, "person \(number())", mode: .replace)
    case .signedOver:
      // The app destroys the keys of the persons before, and then enrols.
      devices[index].keys.remove()
      devices[index].lives += 1
      devices[index].accounts = [:]
      try await logIn(index, "person \(number())", mode: .replace)
    case .signedOut:
      devices[index].accounts = [:]
      devices[index].keys.remove()
      devices[index].lives += 1
      if let name = devices[index].registration { await store.remove(.registration(name)) }
      devices[index].registration = nil
    case .joined:
      guard persons.count < Registration.maximumPersons else { return }
      try await logIn(index, "person \(number())", mode: .join)
    case .left:
      guard let person = persons.randomElement(using: &random), let name = devices[index].registration
      else { return }
      devices[index].accounts[person] = nil
      try await store.remove(.person(person, registration: name))
      if devices[index].accounts.isEmpty { devices[index].registration = nil }
    case .newToken: move(index)
    }
  }

  /// APNs gives the app another token, and drops nothing.
  private mutating func move(_ index: Int) { devices[index].address = newAddress() }

  private mutating func logIn(_ index: Int, _ person: String, mode: ChallengePurpose.Mode) async throws {
    let known = mode == .join ? devices[index].registration : nil
    let name = known ?? "phone \(number())"
    let enrolment = try devices[index].keys.enrol(
      address: devices[index].address, for: Phone.audience, challenge: .random(), at: now)
    let outcome = try await store.accept(
      enrolment, as: name, person: person, login: mode == .join ? .joining : .challenged
    ).get()
    devices[index].registration = name
    let account: AccountTag = try #require(outcome.account)
    devices[index].accounts[person] = account
    try await answer(outcome.pending, of: index, as: name)
    // One request that arrives is enough.
    let found = try await store.devices(of: [person])[0]
    #expect(found.contains { $0.address == devices[index].address }, "\(person) is locked out")
  }

  /// The app is started: its keys are rotated, and it enrols.
  private mutating func launch(_ index: Int) async throws {
    guard let name = devices[index].registration else { return }
    _ = try devices[index].keys.rotate(ifOlderThan: .seconds(30 * oneDay), at: now)
    let enrolment = try devices[index].keys.enrol(
      address: devices[index].address, for: Phone.audience, at: now)
    let outcome = try await store.accept(enrolment, as: name, mayBeNew: false).get()
    try await answer(outcome.pending, of: index, as: name)
  }

  private mutating func answer(_ pending: PendingProof?, of index: Int, as name: String) async throws {
    var pending = pending
    while let asked = pending {
      let answer = try #require(
        try devices[index].keys.answer(
          asked.request, openedBy: asked.recipient.thumbprint, address: devices[index].address,
          for: Phone.audience,
          at: now))
      let enrolment = try answer.get()
      pending = try await store.accept(enrolment, as: name, mayBeNew: false).get().pending
      if pending == nil { try devices[index].keys.confirm(enrolment, at: now) }
    }
  }

  /// Each person gets a message on each of the person's devices.
  private mutating func seal(for persons: [String]) async throws {
    let sealer = Sealer(topic: Phone.topic, signingKey: try senders.keySet.signingKey(at: now))
    for person in persons {
      let pushes = try await sealer.seal(
        RemoteNotification(title: "For you", body: person), to: .person(person), in: store, at: now)
      for push in pushes {
        let sealed = try push.addressedPush.push
        let payload = try JSONObject(parsing: sealed.payload.span)
        tally.sealed += 1
        guard let index = devices.firstIndex(where: { $0.address == push.device.address.apns }) else {
          // 410: the app has another token since, and nobody has told the registration that had it.
          let device = try #require(
            try await store.devices(of: [person])[0].first {
              $0.device.registration == push.device.registration
            })
          await #expect(throws: Never.self) { try await store.unregister(device) }
          tally.unregistered += 1
          continue
        }
        devices[index].held.append((now, person, devices[index].lives, payload))
      }
    }
  }

  /// APNs hands over what it holds in any order, within 30 days.
  private mutating func deliver(to index: Int) throws {
    let held = devices[index].held
    devices[index].held = []
    var receiver = Receiver(
      topic: Phone.topic, keys: devices[index].keys, senders: try senders.keySet.publicKeys,
      replay: InMemoryReplayStore(), clock: clock)
    receiver.accounts = Set(devices[index].accounts.values)
    for item in held.shuffled(using: &random) {
      let age = now.seconds - item.since.seconds
      guard age >= 29 * oneDay || Int.random(in: 0..<6, using: &random) == 0 else {
        devices[index].held.append(item)
        continue
      }
      let isSignedIn = devices[index].accounts[item.person] != nil
      do throws(DegradeReason) {
        _ = try receiver.open(IncomingPush(payload: item.push))
        tally.opened += 1
        #expect(isSignedIn, "a text for \(item.person) is shown")
      } catch {
        tally.degraded[error, default: 0] += 1
        #expect(
          !isSignedIn || item.life != devices[index].lives, "\(item.person)'s text is not shown: \(error)")
      }
    }
  }
}
