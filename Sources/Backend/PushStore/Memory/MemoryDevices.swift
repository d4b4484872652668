internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// The tables `device` and `device_key` in memory.
struct MemoryDevices {
  private struct Entry {
    let row: DeviceRow
    let registration: Registration
    let tokenSetAt: Duration
    let enrolledAt: Duration
    var quarantinedAt: Duration?

    /// Whether nobody has changed it since it was read.
    func isUnchanged(since old: VersionedRegistration) -> Bool {
      row.version == old.version && row.serial == old.registration.enrolment.serial
    }

    var versioned: VersionedRegistration {
      VersionedRegistration(registration, version: row.version, proof: row.proof, isLost: row.isLost)
    }

    /// The device; nil if APNs does not carry its messages, which is never stored.
    var device: StoredDevice? {
      let device = EnrolledDevice(registration)
      guard let address = device.address.apns else { return nil }
      return StoredDevice(
        device: device, address: address, identity: registration.identity, hasToken: row.hasToken,
        tokenSetAt: tokenSetAt.unixTime, proof: row.proof, quarantinedAt: quarantinedAt?.unixTime)
    }
  }

  private var entries: [ExactString: Entry] = [:]
  private var left: [Thumbprint: (serial: Int64, at: Duration)] = [:]

  func devices(of persons: [String], includingUnreachable: Bool) -> [[StoredDevice]] {
    persons.map { person in
      entries.values.filter { entry in
        (entry.row.keys != nil || entry.row.isLost && entry.row.isPending)
          && entry.registration.isOf(person)
      }.compactMap(\.device).filter { includingUnreachable || $0.isReachable }
        .compactMap { $0.addressed(to: person) }
    }
  }

  func devices(after name: String?, atMost count: Int) -> [StoredDevice] {
    page(after: name, atMost: count).compactMap(\.device)
  }

  func hasRegistration(of topic: Topic) -> Bool {
    entries.values.contains { $0.row.topic == topic.text }
  }

  func registrations(after name: String?, atMost count: Int) -> [VersionedRegistration] {
    page(after: name, atMost: count).map(\.versioned)
  }

  func fleet(after name: String?, atMost count: Int) -> [FleetDevice] {
    page(after: name, atMost: count) { $0.row.keys != nil && $0.quarantinedAt == nil }.compactMap { entry in
      FleetDevice(entry.registration, enrolledAt: entry.enrolledAt.unixTime)
    }
  }

  private func page(
    after name: String?, atMost count: Int, where isWanted: (Entry) -> Bool = { _ in true }
  ) -> ArraySlice<Entry> {
    sorted(entries.values.filter(isWanted)).filter { entry in
      name.map { $0.utf8.lexicographicallyPrecedes(entry.row.name.utf8) } ?? true
    }.prefix(max(count, 0))
  }

  func device(named name: String) -> StoredDevice? { entries[ExactString(name)]?.device }

  /// Whether a registration has proven that it receives the pushes to an address.
  func hasProven(_ address: DeviceAddress, named name: String) -> Bool {
    entries[ExactString(name)].map { $0.row.hasToken && $0.row.isAt(address) } ?? false
  }

  /// Whether a registration has an identity, and proven keys.
  func hasProvenKeys(identity: String, named name: String) -> Bool {
    entries[ExactString(name)].map { $0.row.identity == identity && $0.row.keys != nil } ?? false
  }

  /// The registration with proven keys that has an identity.
  func claimant(identity: String) -> TokenClaimant.Registration? {
    entries.values.first { $0.row.identity == identity && $0.row.keys != nil }.map {
      TokenClaimant.Registration(name: $0.row.name, topic: $0.row.topic, environment: $0.row.environment)
    }
  }

  /// Whether a registration has an identity.
  func has(identity: String) -> Bool { entries.values.contains { $0.row.identity == identity } }

  /// Whether another registration has proven a token.
  func isForeign(_ token: DeviceToken, to name: String) -> Bool {
    entries.contains {
      $0.key != ExactString(name) && $0.value.row.hasToken && $0.value.row.token == token.text
    }
  }

  /// Whether a registration's newest enrolment is for a token, and pending.
  func isPending(_ token: DeviceToken, named name: String) -> Bool {
    entries[ExactString(name)].map {
      $0.row.isPending && ($0.row.pendingToken ?? $0.row.token) == token.text
    } ?? false
  }

  func registration(named name: String) -> VersionedRegistration? { entries[ExactString(name)]?.versioned }

  func neighbours(of place: Neighbourhood, pending count: Int) -> [VersionedRegistration] {
    let proven = entries.values.filter { entry in
      let row = entry.row
      return ExactString(row.name) == ExactString(place.name)
        || row.identity == place.identity && row.keys != nil || row.token == place.token && row.hasToken
        || place.keyIDs.contains { row.keyIDs[$0] == true }
    }
    let names = Set(proven.map { ExactString($0.row.name) })
    let pending = sorted(
      entries.values.filter { entry in
        let row = entry.row
        guard row.isPending || row.keys != nil else { return false }
        return row.identity == place.identity || row.token == place.token || row.pendingToken == place.token
          || place.keyIDs.contains { row.keyIDs[$0] != nil }
      })
    let isAtToken = { (row: DeviceRow) in row.keys != nil && !row.hasToken && row.token == place.token }
    let first = (pending.filter { isAtToken($0.row) } + pending.filter { !isAtToken($0.row) }).prefix(
      max(count, 0))
    return sorted(proven + first.filter { !names.contains(ExactString($0.row.name)) }).map(\.versioned)
  }

  func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) -> [VersionedRegistration] {
    let found = entries.values.filter { entry in
      entry.row.isAt(address) && entry.row.keys != nil
        && (name.map { $0.utf8.lexicographicallyPrecedes(entry.row.name.utf8) } ?? true)
    }
    return sorted(found).prefix(max(count, 0)).map(\.versioned)
  }

  mutating func apply(_ changes: [RegistrationChange], at now: Duration) -> Bool {
    let before = entries
    let isDone = changes.allSatisfy { change in
      switch change {
      case .add(let registration):
        (left[registration.identity]?.serial ?? 0) < registration.enrolment.serial
          && put(registration, over: nil, at: now)
      case .replace(let old, let registration):
        (old.registration.identity == registration.identity
          || (left[registration.identity]?.serial ?? 0) < registration.enrolment.serial)
          && put(registration, over: old, at: now)
      case .remove(let old): remove(old)
      }
    }
    guard isDone, !changes.compactMap(\.tokenClaim).contains(where: isTaken) else {
      entries = before
      return false
    }
    return true
  }

  mutating func quarantine(_ address: DeviceAddress, at now: Duration?) -> Int {
    let found = entries.filter { entry in
      entry.value.row.isAt(address) && (entry.value.quarantinedAt == nil) == (now != nil)
    }
    for key in found.keys { entries[key]?.quarantinedAt = now }
    return found.count
  }

  /// The names of the registrations that a person alone has.
  func names(of person: String) -> Set<[UInt8]> {
    Set(
      entries.values.filter { $0.row.person.map(ExactString.init) == ExactString(person) }.map {
        Array($0.row.name.utf8)
      })
  }

  mutating func remove(_ devices: DeviceSelector, at now: Duration) -> (all: [String], gone: [String]) {
    let selected = sorted(entries.values.filter { $0.registration.isSelected(by: devices) })
    var gone: [String] = []
    for entry in selected {
      if case .person(let person, _) = devices, leave(entry, person) { continue }
      let identity = entry.registration.identity
      left[identity] = (max(entry.row.serial, left[identity]?.serial ?? 0), now)
      entries[ExactString(entry.row.name)] = nil
      gone.append(entry.row.name)
    }
    return (selected.map(\.row.name), gone)
  }

  /// Takes a person from a registration, and returns whether others have it.
  private mutating func leave(_ entry: Entry, _ person: String) -> Bool {
    var registration = entry.registration
    guard registration.leave(person), !registration.persons.isEmpty else { return false }
    entries[ExactString(entry.row.name)] = Entry(
      row: DeviceRow(registration, over: entry.versioned), registration: registration,
      tokenSetAt: entry.tokenSetAt, enrolledAt: entry.enrolledAt, quarantinedAt: entry.quarantinedAt)
    return true
  }

  mutating func remove(_ leave: Leave, at now: Duration) -> LeaveOutcome {
    let identity = leave.identity.thumbprint
    let known = sorted(entries.values.filter { $0.row.identity == identity.text })
    let removed = known.filter { $0.row.topic == leave.topic.text && $0.row.serial < leave.serial }
    for entry in removed { entries[ExactString(entry.row.name)] = nil }
    if !removed.isEmpty { left[identity] = (max(leave.serial, left[identity]?.serial ?? 0), now) }
    let rest = known.filter { entries[ExactString($0.row.name)] != nil }
    return LeaveOutcome(
      names: removed.map(\.row.name), rest: rest.map { .init(topic: $0.row.topic, serial: $0.row.serial) })
  }

  func departed(_ identity: Thumbprint) -> DepartedDevice? {
    left[identity].map { DepartedDevice(serial: $0.serial, leftAt: $0.at.unixTime) }
  }

  mutating func removeIdle(before end: Duration, leftBefore leftEnd: Duration, atMost count: Int) -> Int {
    let departed = left.filter { $0.value.at <= leftEnd }.keys.prefix(max(count, 0))
    for identity in departed { left[identity] = nil }
    let idle = entries.filter { $0.value.row.keys == nil && $0.value.enrolledAt <= end }.keys.prefix(
      max(count - departed.count, 0))
    for name in idle { entries[name] = nil }
    return departed.count + idle.count
  }

  mutating func forget(person: String) -> Int {
    let selected = entries.values.filter { $0.registration.isOf(person) }
    for entry in selected where !leave(entry, person) { entries[ExactString(entry.row.name)] = nil }
    return selected.count
  }

  // MARK: Conditional writes

  private mutating func remove(_ old: VersionedRegistration) -> Bool {
    let key = ExactString(old.registration.name)
    guard entries[key]?.isUnchanged(since: old) == true else { return false }
    entries[key] = nil
    return true
  }

  private mutating func put(
    _ registration: Registration, over old: VersionedRegistration?, at now: Duration
  ) -> Bool {
    let key = ExactString(registration.name)
    let (row, current) = (DeviceRow(registration, over: old), entries[key])
    let isFree = old.map { current?.isUnchanged(since: $0) == true } ?? (current == nil)
    guard isFree, !isInTheWay(of: row, besides: key) else { return false }
    let hasSameToken = current?.row.token == row.token
    let hasSameSerial = current?.row.serial == row.serial
    let isSame = hasSameToken && hasSameSerial
    entries[key] = Entry(
      row: row, registration: registration, tokenSetAt: hasSameToken ? current?.tokenSetAt ?? now : now,
      enrolledAt: hasSameSerial ? current?.enrolledAt ?? now : now,
      quarantinedAt: isSame ? current?.quarantinedAt : nil)
    return true
  }

  /// Whether another registration was at the token before.
  private func isTaken(_ claim: TokenClaim) -> Bool {
    entries.contains { name, entry in
      name != ExactString(claim.name) && entry.row.token == claim.token
        && (claim.isProven ? entry.row.keys != nil : entry.row.hasToken)
    }
  }

  /// Whether another registration has proven the identity, the token, or a key that this row has proven.
  private func isInTheWay(of row: DeviceRow, besides key: ExactString) -> Bool {
    guard row.keys != nil else { return false }
    return entries.contains { name, entry in
      guard name != key, entry.row.keys != nil else { return false }
      return entry.row.identity == row.identity
        || entry.row.hasToken && row.hasToken && entry.row.token == row.token
        || row.keyIDs.contains { $0.value && entry.row.keyIDs[$0.key] == true }
    }
  }

  private func sorted(_ entries: [Entry]) -> [Entry] {
    entries.sorted { $0.row.name.utf8.lexicographicallyPrecedes($1.row.name.utf8) }
  }
}

extension Registration {
  fileprivate func isSelected(by devices: DeviceSelector) -> Bool {
    switch devices {
    case .registration(let name): ExactString(self.name) == ExactString(name)
    case .identity(let identity): self.identity == identity
    case .token(let token): (proven?.enrolment ?? enrolment).address.token == .apns(token)
    case .person(let person, let name):
      isOf(person) && (name.map { ExactString(self.name) == ExactString($0) } ?? true)
    }
  }
}

extension DeviceRow {
  /// Whether messages go to this address.
  fileprivate func isAt(_ address: DeviceAddress) -> Bool {
    topic == address.topic.text && environment == address.environment.rawValue && token == address.token.text
  }
}
