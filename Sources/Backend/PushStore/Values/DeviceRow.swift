internal import PushCore
package import PushEnrolment
internal import PushKeys

/// A row of the table `device`, and those of `device_key` that belong to it.
package struct DeviceRow: Hashable, Sendable {
  /// The registration's name.
  package var name: String
  /// The person who alone has it.
  package var person: String?
  /// All who have it, if there are several: a JSON array.
  package var persons: String?
  /// All who have it, if there are several, for the table `device_share`.
  package var shares: [String]
  /// The app.
  package var topic: String
  package var environment: String
  /// The token that messages go to, in lowercase hexadecimal: the proven one, or the newest if none is proven.
  package var token: String
  /// The newest enrolment's token, if it is another.
  package var pendingToken: String?
  /// The identity's thumbprint.
  package var identity: String
  /// The newest enrolment's serial.
  package var serial: Int64
  /// Whether the token is proven.
  package var hasToken: Bool
  /// The proven keys, a public JWK Set; nil if none is.
  package var keys: String?
  /// The registration's line.
  package var registration: String
  /// What the device says of itself, in JSON; nil if it says nothing.
  package var report: String?
  /// The state that a conditional write asks for, together with the serial.
  package var version: Int64
  /// Changes with each answer to a proof request.
  package var proof: ProofNumber
  /// Whether the registration has lost what it had proven, and proven nothing since.
  package var isLost: Bool
  /// Whether it has something pending: jobs wait for what is lost and pending.
  package var isPending: Bool
  /// The IDs of the proven keys, and of the newest enrolment's.
  package var keyIDs: [String: Bool]

  /// Makes the row of a registration that replaces nothing.
  private init(_ registration: Registration) {
    let proven = registration.proven
    let address = (proven?.enrolment ?? registration.enrolment).address
    let newest = registration.enrolment.address.token.text
    name = registration.name
    person = registration.person
    shares = registration.persons.count > 1 ? registration.persons : []
    persons =
      shares.isEmpty
      ? nil : String(decoding: JSONValue.array(shares.map { .string($0) }).encoded(), as: UTF8.self)
    topic = address.topic.text
    environment = address.environment
    token = address.token.text
    pendingToken = newest == token ? nil : newest
    identity = registration.identity.text
    serial = registration.enrolment.serial
    hasToken = proven?.hasToken == true
    keys = proven.map { String(decoding: $0.keys.encoded(), as: UTF8.self) }
    self.registration = String(decoding: registration.encoded(), as: UTF8.self)
    report = registration.enrolment.report.map { String(decoding: $0.members.encoded(), as: UTF8.self) }
    version = .random(in: 1 ... .max)
    proof = .random()
    isLost = false
    isPending = registration.isPending
    keyIDs = [:]
    for key in registration.enrolment.keys.records { keyIDs[key.id.keyID.text] = false }
    for key in proven?.keys.records ?? [] { keyIDs[key.id.keyID.text] = true }
  }
}

extension DeviceRow {
  /// Makes the row of a registration that takes the place of `old`; nil if there was none.
  ///
  /// If only the newest enrolment is another one, and it says nothing new of where the device is and which keys it has, the
  /// version stays: what was read of the device holds.
  package init(_ registration: Registration, over old: VersionedRegistration?) {
    self.init(registration)
    guard let old else { return }
    if !registration.hasAnswered(old.registration) { proof = old.proof }
    isLost = keys == nil && (old.isLost || old.registration.proven != nil)
    var (before, after) = (DeviceRow(old.registration), self)
    (before.proof, before.isLost) = (old.proof, old.isLost)
    before.forgetEnrolment()
    after.forgetEnrolment()
    // A new serial, and not the version, tells such a state from the one before.
    if before == after, serial != old.registration.enrolment.serial { version = old.version }
  }

  /// Takes out what every enrolment changes.
  private mutating func forgetEnrolment() {
    (serial, registration, report, version) = (0, "", nil, 0)
  }
}

extension FleetDevice {
  /// Reads a row of the table `device` with proven keys; nil if something else has written it.
  package init?(
    name: String, topic: String, environment: String, keys: [UInt8], enrolledAt: Double, report: [UInt8]?
  ) {
    guard let topic = try? Topic(topic), let environment = APNsEnvironment(rawValue: environment),
      let keys = try? PublicKeySet(parsing: keys.span)
    else { return nil }
    var told: DeviceReport?
    if let report {
      guard let object = try? JSONObject(parsing: report.span) else { return nil }
      told = DeviceReport(members: object)
    }
    self.init(
      name: name, topic: topic, environment: environment,
      suites: Set(keys.records.compactMap(\.algorithm.suite)),
      enrolledAt: StoreTime.unixTime(seconds: enrolledAt), report: told)
  }
}

extension StoredDevice {
  /// Reads a row of the table `device`, without its quarantine; nil if something else has written it.
  package init?(
    name: String, person: String?, persons: [String], topic: String, environment: String, token: [UInt8],
    identity: [UInt8], keys: [UInt8]?, hasToken: Bool, tokenSetAt: Double, proof: Int64
  ) {
    guard let token = try? DeviceToken(parsing: token.span), let topic = try? Topic(topic),
      let environment = APNsEnvironment(rawValue: environment),
      let identity = try? Thumbprint(parsing: identity.span)
    else { return nil }
    var proven: PublicKeySet?
    if let keys {
      guard let set = try? PublicKeySet(parsing: keys.span) else { return nil }
      proven = set
    }
    let address = DeviceAddress(topic: topic, environment: environment, token: token)
    var device = EnrolledDevice(address: address, keys: proven, registration: name, person: person)
    device.identity = identity
    if person == nil { device.persons = persons }
    self.init(
      device: device, address: address, identity: identity, hasToken: hasToken,
      tokenSetAt: StoreTime.unixTime(seconds: tokenSetAt), proof: ProofNumber(proof), quarantinedAt: nil)
  }
}

/// What an enrolment shares with the registrations that it may be in conflict with.
package struct Neighbourhood {
  package let name: String
  package let identity: String
  package let token: String
  package let keyIDs: [String]

  package init(of enrolment: Enrolment, named name: String) {
    self.name = name
    identity = enrolment.identity.thumbprint.text
    token = enrolment.address.token.text
    keyIDs = enrolment.keys.records.map(\.id.keyID.text)
  }
}
