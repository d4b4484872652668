internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// The tables `device` and `device_key` in SQLite.
final class SQLiteDevices: DeviceTable {
  private let database: Database
  private let clock: any PushClock
  private let requests: SQLiteRequests
  private let seal: RowSeal?
  private let reader: RowReader
  private let rowKeys: SQLiteRowKeys

  private let devices: Query<WantedColumns>
  private let page: Query<DeviceColumns>
  private let device: Query<DeviceColumns>
  private let ofTopic: Statement
  private let fleet: Query<FleetColumns>
  private let named: Query<RegistrationColumns>
  private let next: Query<RegistrationColumns>
  private let near: Query<RegistrationColumns>
  private let proven: Query<RegistrationColumns>
  private let addressed: Query<RegistrationColumns>
  private let add: Statement
  private let replace: Statement
  private let remove: Statement
  private let provenElsewhere: Statement
  private let usedElsewhere: Statement
  private let wake: Statement
  private let hasLeft: Statement
  private let departed: Query<DepartedDevice.Columns>
  private let sweepDeparted: Statement
  private let sweepIdle: Statement
  private let stale: Statement
  private let removeShares: Statement
  private let addShare: Statement
  private let removeKeys: Statement
  private let addKey: Statement
  private let quarantine: Statement
  private let release: Statement

  /// Finds the devices of persons, with each person's place in the list.
  ///
  /// The list is read a second time only where there are devices of several persons.
  static let wanted: StaticString = """
    SELECT name, person, persons, topic, environment, token, identity, keys, has_token, token_set_at, refused_at,
      version, proof, lost, pending, mac,
      iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
        WHERE who.device = device.id)) AS shares, wanted.key AS place
    FROM json_each(?1) AS wanted CROSS JOIN device ON person = wanted.value
    WHERE iif(keys IS NULL, ?2 AND lost AND pending, ?2 OR refused_at IS NULL)
    UNION ALL
    SELECT name, device.person, persons, topic, environment, token, identity, keys, has_token, token_set_at, refused_at,
      version, proof, lost, pending, mac,
      iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
        WHERE who.device = device.id)) AS shares, wanted.key AS place
    FROM (SELECT 1 FROM device_share LIMIT 1) CROSS JOIN json_each(?1) AS wanted
    CROSS JOIN device_share ON device_share.person = wanted.value CROSS JOIN device ON device.id = device_share.device
    WHERE iif(keys IS NULL, ?2 AND lost AND pending, ?2 OR refused_at IS NULL)
    """

  /// Finds one device of an app.
  ///
  /// Its index is of an expression that no other statement has: SQLite, which does not know that an app has most devices, would
  /// look a person's up by their app.
  static let topical: StaticString = "SELECT 1 FROM device WHERE topic || '' = ?1 LIMIT 1"

  /// Prepares the statements.
  ///
  /// Look-ups use the other connection, which was usually the last to write: a write on another connection empties a
  /// connection's cache.
  init(
    on database: Database, reading other: Database, requests: SQLiteRequests, clock: any PushClock,
    rowKeys: SQLiteRowKeys, seal: RowSeal?
  ) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    self.requests = requests
    self.rowKeys = rowKeys
    self.seal = seal
    reader = RowReader(seal)
    devices = try Query(on: other, Self.wanted)
    page = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, token_set_at, refused_at,
        version, proof, lost, pending, mac,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device
      WHERE name > ?1 ORDER BY name LIMIT ?2
      """)
    device = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, token_set_at, refused_at,
        version, proof, lost, pending, mac,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device WHERE name = ?1
      """)
    ofTopic = try Statement(on: other, Self.topical)
    named = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
        registration, version,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device WHERE name = ?1
      """)
    fleet = try Query(
      on: database,
      """
      SELECT name, topic, environment, keys, coalesce(enrolled_at, (SELECT since FROM fleet)) AS enrolled_at, report
      FROM device
      WHERE name > ?1 AND keys IS NOT NULL AND refused_at IS NULL ORDER BY name LIMIT ?2
      """)
    next = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
        registration, version,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device WHERE name > ?1 ORDER BY name LIMIT ?2
      """)
    near = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
        registration, version,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device WHERE id IN (
        SELECT id FROM device WHERE name = ?1
        UNION SELECT id FROM device INDEXED BY device_proven_identity WHERE identity = ?2 AND keys IS NOT NULL
        UNION SELECT id FROM device INDEXED BY device_proven_token WHERE token = ?3 AND has_token
        UNION SELECT device FROM device_key WHERE kid IN (SELECT value FROM json_each(?4)) AND proven
        UNION SELECT id FROM (
          SELECT id FROM device WHERE id IN (
            SELECT id FROM device WHERE identity = ?2
            UNION SELECT id FROM device WHERE token = ?3
            UNION SELECT id FROM device WHERE pending_token = ?3
            UNION SELECT device FROM device_key WHERE kid IN (SELECT value FROM json_each(?4)))
            AND (pending OR keys IS NOT NULL)
          ORDER BY keys IS NOT NULL AND NOT has_token AND token = ?3 DESC, name LIMIT ?5))
      ORDER BY name
      """)
    proven = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
        registration, version,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device WHERE id IN (
        SELECT id FROM device WHERE name = ?1
        UNION SELECT id FROM device INDEXED BY device_proven_identity WHERE identity = ?2 AND keys IS NOT NULL
        UNION SELECT id FROM device INDEXED BY device_proven_token WHERE token = ?3 AND has_token
        UNION SELECT device FROM device_key WHERE kid IN (SELECT value FROM json_each(?4)) AND proven)
      ORDER BY name
      """)
    addressed = try Query(
      on: database,
      """
      SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
        registration, version,
        iif(persons IS NULL, NULL, (SELECT json_group_array(who.person) FROM device_share AS who
          WHERE who.device = device.id)) AS shares
      FROM device
      WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND keys IS NOT NULL AND name > ?4 ORDER BY name LIMIT ?5
      """)
    add = try Statement(
      on: database,
      """
      INSERT INTO device (name, person, topic, environment, token, pending_token, identity, serial, has_token,
        token_set_at, keys, registration, version, proof, lost, pending, enrolled_at, report, mac, persons)
      VALUES (?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?11, ?18, ?19, ?20) RETURNING id
      """)
    replace = try Statement(
      on: database,
      """
      UPDATE device SET person = ?3, topic = ?4, environment = ?5, token = ?6, pending_token = ?7, identity = ?8,
        serial = ?9, has_token = ?10, token_set_at = iif(token = ?6, token_set_at, ?11),
        refused_at = iif(token = ?6 AND serial = ?9, refused_at, NULL), keys = ?12, registration = ?13,
        version = ?14, proof = ?15, lost = ?16, pending = ?17, enrolled_at = iif(serial = ?9, enrolled_at, ?11),
        report = ?18, mac = ?19, persons = ?20, stale = 0
      WHERE name = ?1 AND version = ?2 AND serial = ?21 RETURNING id
      """)
    remove = try Statement(
      on: database, "DELETE FROM device WHERE name = ?1 AND version = ?2 AND serial = ?3")
    provenElsewhere = try Statement(
      on: database,
      """
      SELECT 1 FROM device INDEXED BY device_proven_token WHERE token = ?1 AND has_token AND name <> ?2 LIMIT 1
      """)
    usedElsewhere = try Statement(
      on: database, "SELECT 1 FROM device WHERE token = ?1 AND keys IS NOT NULL AND name <> ?2 LIMIT 1")
    hasLeft = try Statement(on: database, "SELECT 1 FROM departed WHERE identity = ?1 AND serial >= ?2")
    departed = try Query(on: database, "SELECT serial, left_at FROM departed WHERE identity = ?1")
    sweepDeparted = try Statement(
      on: database,
      """
      DELETE FROM departed WHERE identity IN (SELECT identity FROM departed WHERE left_at <= ?1 LIMIT ?2)
      """)
    sweepIdle = try Statement(
      on: database,
      """
      DELETE FROM device WHERE id IN (
        SELECT id FROM device INDEXED BY device_idle
        WHERE keys IS NULL AND coalesce(enrolled_at, (SELECT since FROM fleet)) <= ?1 LIMIT ?2)
      """)
    wake = try Statement(
      on: database,
      """
      UPDATE job SET run_at = min(run_at, ?2)
      WHERE person = ?1 AND waits_until IS NOT NULL AND dead_at IS NULL AND NOT leased
      """)
    stale = try Statement(
      on: database, "SELECT name FROM device INDEXED BY device_stale WHERE stale LIMIT ?1")
    removeShares = try Statement(on: database, "DELETE FROM device_share WHERE device = ?1")
    addShare = try Statement(on: database, "INSERT INTO device_share (person, device) VALUES (?1, ?2)")
    removeKeys = try Statement(on: database, "DELETE FROM device_key WHERE device = ?1")
    addKey = try Statement(on: database, "INSERT INTO device_key (kid, device, proven) VALUES (?1, ?2, ?3)")
    quarantine = try Statement(
      on: database,
      """
      UPDATE device SET refused_at = ?4 WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND refused_at IS NULL
      """)
    release = try Statement(
      on: database,
      """
      UPDATE device SET refused_at = NULL
      WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND refused_at IS NOT NULL
      """)
  }

  // MARK: Reading

  func devices(
    of persons: [String], includingUnreachable: Bool
  ) throws(SQLiteError) -> [[StoredDevice]] {
    // One statement for all persons: starting another one costs more than reading a person's row.
    let isAny = Statement.Value.integer(includingUnreachable ? 1 : 0)
    var (found, isWhole) = ([[StoredDevice]](repeating: [], count: persons.count), true)
    try devices.each([.list(persons.map { .string($0) }), isAny]) { row, columns in
      guard let device = columns.device.device(in: row, by: reader) else { return isWhole = false }
      let place = Int(row.integer(in: columns.place))
      // Which person's row it is, the file says: its schema can be changed as well as its rows.
      guard let device = device.addressed(to: persons[place]) else { return isWhole = false }
      found[place].append(device)
    }
    guard isWhole else { throw unreadRow }
    return found
  }

  func devices(after name: String?, atMost count: Int) throws(SQLiteError) -> [StoredDevice] {
    // A name has at least one byte.
    try whole(page.all(.text(name ?? ""), .integer(Int64(max(count, 0)))) { $1.device(in: $0, by: reader) })
  }

  func device(named name: String) throws(SQLiteError) -> StoredDevice? {
    try whole(device.all(.text(name)) { $1.device(in: $0, by: reader) }).first
  }

  func fleet(after name: String?, atMost count: Int) throws(SQLiteError) -> [FleetDevice] {
    try whole(fleet.all(.text(name ?? ""), .integer(Int64(max(count, 0)))) { $1.device(in: $0) })
  }

  func hasRegistration(of topic: Topic) throws(SQLiteError) -> Bool {
    try ofTopic.first(.text(topic.text)) { _ in true } ?? false
  }

  func registration(named name: String) throws(SQLiteError) -> VersionedRegistration? {
    try whole(named.all(.text(name)) { $1.registration(in: $0, by: reader) }).first
  }

  func registrations(
    after name: String?, atMost count: Int
  ) throws(SQLiteError) -> [VersionedRegistration] {
    try whole(
      next.all(.text(name ?? ""), .integer(Int64(max(count, 0)))) { $1.registration(in: $0, by: reader) })
  }

  func neighbours(
    of place: Neighbourhood, pending count: Int
  ) throws(SQLiteError) -> [VersionedRegistration] {
    let values: [Statement.Value] = [
      .text(place.name), .text(place.identity), .text(place.token), .list(place.keyIDs.map { .string($0) }),
    ]
    guard count > 0 else { return try whole(proven.all(values) { $1.registration(in: $0, by: reader) }) }
    return try whole(near.all(values + [.integer(Int64(count))]) { $1.registration(in: $0, by: reader) })
  }

  func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(SQLiteError) -> [VersionedRegistration] {
    let values = address.values + [.text(name ?? ""), .integer(Int64(max(count, 0)))]
    return try whole(addressed.all(values) { $1.registration(in: $0, by: reader) })
  }

  /// The values, if none is nil: only the directory writes its rows, so one that cannot be read is damaged.
  private func whole<Value>(_ values: [Value?]) throws(SQLiteError) -> [Value] {
    let read = values.compactMap(\.self)
    guard read.count == values.count else { throw unreadRow }
    return read
  }

  /// The error for a row that was not read.
  private var unreadRow: SQLiteError { reader.takeFault().map(SQLiteError.rowKey) ?? .damagedRow }

  // MARK: Writing

  func apply(_ changes: [RegistrationChange]) throws(SQLiteError) -> Bool {
    try apply(changes, if: { true }, and: { true }) ?? false
  }

  /// Makes all changes and `change`, or none; nil if `condition` does not hold when they would be made.
  func apply(
    _ changes: [RegistrationChange], if condition: () throws(SQLiteError) -> Bool,
    and change: () throws(SQLiteError) -> Bool
  ) throws(SQLiteError) -> Bool? {
    let now = clock.sinceEpoch.inSeconds
    var holds = true
    do throws(SQLiteError) {
      let isDone = try database.transaction(.writing) { () throws(SQLiteError) -> Bool? in
        holds = try condition()
        guard holds, try change() else { return nil }
        if let fault = RowMark.fault(of: try rowKeys.mark(), for: seal) { throw .rowKey(fault) }
        for change in changes where try !apply(change, at: now) { return nil }
        for change in changes.compactMap(RequestChange.init) { try requests.apply(change, at: now) }
        for claim in changes.compactMap(\.tokenClaim) where try isTaken(claim) { return nil }
        return true
      }
      return holds ? isDone ?? false : nil
    } catch {
      guard error.isConflict else { throw error }
      return false
    }
  }

  private func apply(_ change: RegistrationChange, at now: Double) throws(SQLiteError) -> Bool {
    switch change {
    case .add(let registration):
      guard try !hasLeft(registration) else { return false }
      return try put(registration, with: add, over: nil, at: now)
    case .replace(let old, let registration):
      if old.registration.identity != registration.identity, try hasLeft(registration) { return false }
      return try put(registration, with: replace, over: old, at: now)
    case .remove(let old):
      return try remove.run(
        .text(old.registration.name), .integer(old.version), .integer(old.registration.enrolment.serial)) > 0
    }
  }

  /// Whether a registration's identity has left with this serial or a greater one.
  private func hasLeft(_ registration: Registration) throws(SQLiteError) -> Bool {
    let newest = [Statement.Value.text(registration.identity.text), .integer(registration.enrolment.serial)]
    return try !hasLeft.all(newest) { _ in true }.isEmpty
  }

  /// Whether another registration had the token before.
  private func isTaken(_ claim: TokenClaim) throws(SQLiteError) -> Bool {
    let statement = claim.isProven ? usedElsewhere : provenElsewhere
    return try statement.first(.text(claim.token), .text(claim.name)) { _ in true } ?? false
  }

  private func put(
    _ registration: Registration, with statement: Statement, over old: VersionedRegistration?, at now: Double
  ) throws(SQLiteError) -> Bool {
    let plain = DeviceRow(registration, over: old)
    let row = seal?.sealing(plain) ?? plain
    let values: [Statement.Value] = [
      .text(row.name), .optional(old?.version), .optional(row.person), .text(row.topic),
      .text(row.environment),
      .text(row.token), .optional(row.pendingToken), .text(row.identity), .integer(row.serial),
      .integer(row.hasToken ? 1 : 0), .real(now), .optional(row.keys), .text(row.registration),
      .integer(row.version), .integer(row.proof.number), .integer(row.isLost ? 1 : 0),
      .integer(row.isPending ? 1 : 0), .optional(row.report), .optional(seal?.mac(of: row)),
      .optional(row.persons),
    ]
    let serial = old.map { [Statement.Value.integer($0.registration.enrolment.serial)] } ?? []
    let id = try statement.all(values + serial) { $0.integer(in: .only) }.first
    guard let id else { return false }
    if row.keys != nil, old?.isLost == true {
      for person in registration.persons { try wake.run(.text(person), .real(now)) }
    }
    try removeShares.run(.integer(id))
    for person in row.shares { try addShare.run(.text(person), .integer(id)) }
    try removeKeys.run(.integer(id))
    for (kid, isProven) in row.keyIDs {
      try addKey.run(.text(kid), .integer(id), .integer(isProven ? 1 : 0))
    }
    return true
  }

  func departed(_ identity: Thumbprint) throws(SQLiteError) -> DepartedDevice? {
    try departed.all(.text(identity.text)) { $1.device(in: $0) }.first
  }

  func stale(atMost count: Int) throws(SQLiteError) -> [String] {
    try stale.all(.integer(Int64(count))) { $0.text(in: .only) ?? "" }
  }

  func removeIdle(olderThan age: Duration, atMost count: Int) throws(SQLiteError) -> Int {
    let (now, count) = (clock.sinceEpoch.inSeconds, Int64(max(count, 0)))
    let departed = try sweepDeparted.run(.real(now - DepartedDevice.keptTime.inSeconds), .integer(count))
    return try departed + sweepIdle.run(.real(now - age.inSeconds), .integer(count - Int64(departed)))
  }

  func quarantine(_ address: DeviceAddress) throws(SQLiteError) -> Int {
    try quarantine.run(address.values + [.real(clock.sinceEpoch.inSeconds)])
  }

  func release(_ address: DeviceAddress) throws(SQLiteError) -> Int { try release.run(address.values) }
}

extension DeviceAddress {
  /// The values of the columns `token`, `topic` and `environment`.
  var values: [Statement.Value] {
    [.text(token.text), .text(topic.text), .text(environment.rawValue)]
  }
}

/// The columns of a device, with its person's place in the list.
private struct WantedColumns: RowColumns {
  let device: DeviceColumns
  let place: Column

  init(in names: some ColumnNames) {
    device = DeviceColumns(in: names)
    place = names.column("place")
  }
}
