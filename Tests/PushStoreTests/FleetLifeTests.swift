import PushCore
import PushEnrolment
import PushKeys
import PushStore
import PushTesting

import TestSupport
import Testing

/// Ten weeks in which phones are launched, lost, erased, sold, and used by one person after another, at random.
@Suite("A fleet that comes, goes and moves", .hangGuard)
struct FleetLifeTests {
  @Test(
    "locks nobody out, and seals for nobody who has left",
    arguments: Volume.isWhole ? [.sqlite, .postgres] : Engine.all)
  func tenWeeks(engine: Engine) async throws {
    let bench = try await engine.start()
    var fleet = try Fleet(of: Volume.isWhole ? 10_000 : 8, seed: 7)
    // In the whole volume something happens to each phone once a week.
    let days = Volume.isWhole ? 7 : 1
    for day in stride(from: 0, to: 70, by: days) {
      try await fleet.live(at: bench.store, on: day)
      try await bench.advance(by: .seconds(days * 86_400))
    }
    print("\(engine.name): \(fleet.counts)")
    #expect(fleet.counts.count == Fleet.Event.allCases.count, "\(fleet.counts)")
  }
}

/// Phones and their owners.
private struct Fleet {
  enum Event: CaseIterable {
    case launch, newToken, newKeys, erased, anotherAccount, signedOut, left, joined, oneLeft, sold, refused,
      junk
  }

  private struct Owned {
    var phone: Phone
    /// The registration's name, and whose it is; nil if nobody is signed in.
    var registration: (name: String, persons: [String])?
    /// Whether the store has to have it as reachable.
    var isProven = false
  }

  private var phones: [Owned] = []
  private var random: SeededGenerator
  private var lastNumber = 0
  private var now = start
  private(set) var counts: [Event: Int] = [:]

  init(of count: Int, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    for _ in 0..<count { phones.append(Owned(phone: Phone("", token: 0))) }
    for index in phones.indices { phones[index].phone.address = newAddress() }
  }

  private mutating func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private mutating func newAddress() -> DeviceAddress {
    let number = UInt64(number())
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return DeviceAddress(topic: Phone.topic, environment: .production, token: DeviceToken(bytes)!)
  }

  /// One day: something happens to most phones, and what must hold then is checked.
  mutating func live(at store: any Store, on day: Int) async throws {
    now = start.advanced(by: .seconds(Int64(day) * 86_400))
    for index in phones.indices {
      let event = Event.allCases.randomElement(using: &random) ?? .launch
      counts[event, default: 0] += 1
      try await happen(event, to: index, at: store)
      try await check(index, at: store)
    }
  }

  private mutating func happen(_ event: Event, to index: Int, at store: any Store) async throws {
    switch event {
    case .launch: try await launch(index, at: store)
    case .newToken:
      phones[index].phone.address = newAddress()
      // Until the new token is proven, messages go to the old one.
      try await launch(index, at: store, isDelivered: true)
    case .newKeys:
      try phones[index].phone.keys.edit { [now] (editor) throws(KeySetError) in
        _ = try editor.rotate(grace: nil, at: now)
      }
      try await launch(index, at: store, isDelivered: true)
    case .erased:
      phones[index].phone.keys = DeviceKeys(of: .x25519ChaChaPoly, at: now)
      if Bool.random(using: &random) { phones[index].phone.address = newAddress() }
      let person = phones[index].registration?.persons.first ?? "person \(number())"
      try await logIn(index, as: person, at: store)
    case .anotherAccount: try await logIn(index, as: "person \(number())", at: store)
    case .signedOut:
      guard let registration = phones[index].registration else { return }
      try await store.remove(.registration(registration.name))
      for person in registration.persons {
        try await expectNothing(of: phones[index].phone, for: person, at: store)
      }
      (phones[index].registration, phones[index].isProven) = (nil, false)
    case .joined: try await join(index, at: store)
    case .oneLeft:
      guard let (name, persons) = phones[index].registration,
        let person = persons.randomElement(using: &random)
      else { return }
      try await store.remove(.person(person, registration: name))
      try await expectNothing(of: phones[index].phone, for: person, at: store)
      let rest = persons.filter { $0 != person }
      phones[index].registration = rest.isEmpty ? nil : (name, rest)
      if rest.isEmpty { phones[index].isProven = false }
    case .left:
      guard let registration = phones[index].registration else { return }
      let leave = try phones[index].phone.keys.leave(Phone.topic, for: Phone.audience, at: now)
      let before = phones[index].phone
      phones[index].phone.keys = DeviceKeys(of: .x25519ChaChaPoly, at: now)
      #expect(try await store.leave(leave).get() == [registration.name])
      for person in registration.persons { try await expectNothing(of: before, for: person, at: store) }
      (phones[index].registration, phones[index].isProven) = (nil, false)
    case .sold:
      let before = phones[index]
      phones[index].phone.keys = DeviceKeys(of: .x25519ChaChaPoly, at: now)
      try await logIn(index, as: "person \(number())", at: store)
      for person in before.registration?.persons ?? [] {
        try await expectNothing(of: before.phone, for: person, at: store)
      }
    case .refused:
      guard let name = phones[index].registration?.name, let device = try await store.device(named: name),
        device.device.keys != nil
      else { return }
      try await store.unregister(device)
      try await store.unregister(device)
      #expect(try await store.device(named: name)?.isReachable == false)
      try await launch(index, at: store, isDelivered: true)
    case .junk: try await junk(index, at: store)
    }
  }

  /// Enrols without a login, and answers the requests that are delivered.
  private mutating func launch(_ index: Int, at store: any Store, isDelivered: Bool? = nil) async throws {
    guard let name = phones[index].registration?.name else { return }
    let outcome = try await store.accept(
      phones[index].phone.enrolment(at: now), as: name, mayBeNew: false
    ).get()
    let isDelivered = isDelivered ?? Bool.random(using: &random)
    try await answer(isDelivered ? outcome.pending : nil, of: index, as: name, at: store)
  }

  /// Logs somebody in, with a challenge; one delivered request is enough for each key.
  private mutating func logIn(_ index: Int, as person: String, at store: any Store) async throws {
    let name = "phone \(number())"
    let before = phones[index]
    let enrolment = try phones[index].phone.keys.enrol(
      address: phones[index].phone.address, for: Phone.audience, challenge: .random(), at: now)
    let outcome = try await store.accept(enrolment, as: name, person: person, login: .challenged).get()
    phones[index].registration = (name, [person])
    try await answer(outcome.pending, of: index, as: name, at: store)
    phones[index].isProven = true
    let isSame =
      before.phone.keys.identity.records.map(\.id) == phones[index].phone.keys.identity.records.map(\.id)
    for old in before.registration?.persons ?? [] where isSame && old != person {
      try await expectNothing(of: before.phone, for: old, at: store)
    }
  }

  /// Lets somebody use the phone beside those who do.
  private mutating func join(_ index: Int, at store: any Store) async throws {
    guard let (name, persons) = phones[index].registration,
      persons.count < Registration.maximumPersons
    else { return }
    let person = "person \(number())"
    let enrolment = try phones[index].phone.keys.enrol(
      address: phones[index].phone.address, for: Phone.audience, challenge: .random(), at: now)
    let outcome = try await store.accept(enrolment, as: name, person: person, login: .joining).get()
    phones[index].registration = (name, persons + [person])
    try await answer(outcome.pending, of: index, as: name, at: store)
    phones[index].isProven = true
  }

  private mutating func answer(
    _ pending: PendingProof?, of index: Int, as name: String, at store: any Store
  ) async throws {
    var pending = pending
    while let asked = pending {
      pending = try await store.accept(
        phones[index].phone.answer(asked, at: now), as: name, mayBeNew: false
      ).get().pending
    }
  }

  /// A stranger enrols the phone's public key and token, under a name and a login of their own.
  private mutating func junk(_ index: Int, at store: any Store) async throws {
    let stranger = DeviceKeys(of: .x25519ChaChaPoly, at: now)
    var forged = try DeviceKeys(device: phones[index].phone.keys.device, identity: stranger.identity)
    let name = "junk \(number())"
    let enrolment = try forged.enrol(
      address: phones[index].phone.address, for: Phone.audience, challenge: .random(), at: now)
    let outcome = try await store.accept(enrolment, as: name, person: "mallory", login: .challenged).get()
    let asked = try #require(outcome.pending)
    let refusal = try phones[index].phone.keys.answer(
      asked.request, openedBy: asked.recipient.thumbprint, address: phones[index].phone.address,
      for: Phone.audience, at: now)
    #expect(refusal == .failure(.otherIdentity))
    #expect(try await store.devices(of: ["mallory"]) == [[]])
  }

  // MARK: What must hold

  private func check(_ index: Int, at store: any Store) async throws {
    guard phones[index].isProven, let (_, persons) = phones[index].registration else { return }
    let identity = phones[index].phone.keys.identity.records[0].id
    for found in try await store.devices(of: persons) {
      let devices = found.filter { $0.identity == identity }
      #expect(devices.count == 1 && devices.allSatisfy { $0.device.keys != nil })
    }
  }

  /// Nothing is sealed for a person to a phone that is somebody else's, or nobody's.
  private func expectNothing(of phone: Phone, for person: String, at store: any Store) async throws {
    let devices = try await store.devices(of: [person])[0]
    let keys = Set(phone.keys.device.records.map(\.id))
    #expect(
      devices.allSatisfy { device in
        device.identity != phone.keys.identity.records[0].id
          && device.device.keys?.records.allSatisfy { !keys.contains($0.id) } != false
      })
  }
}
