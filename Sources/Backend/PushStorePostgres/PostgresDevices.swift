internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushStore

/// The tables `device` and `device_key` in PostgreSQL.
struct PostgresDevices: DeviceTable {
  let server: Server
  private let seal: RowSeal?
  private let reader: RowReader

  init(server: Server, seal: RowSeal?) {
    self.server = server
    self.seal = seal
    reader = RowReader(seal)
  }

  // MARK: Reading

  func devices(
    of persons: [String], includingUnreachable: Bool
  ) throws(PostgresError) -> [[StoredDevice]] {
    guard !persons.isEmpty else { return [] }
    let devices = try whole(
      server.run(
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token,
          extract(epoch FROM token_set_at) AS token_set_at, extract(epoch FROM refused_at) AS refused_at, version, proof,
          lost, pending, mac,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device
        WHERE person = ANY ($1::text[])
          AND CASE WHEN keys IS NULL THEN $2::boolean AND lost AND pending ELSE $2::boolean OR refused_at IS NULL END
        UNION ALL
        SELECT name, device.person, persons, topic, environment, token, identity, keys, has_token,
          extract(epoch FROM token_set_at), extract(epoch FROM refused_at), version, proof, lost, pending, mac,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END
        FROM sealpush.device
        WHERE id IN (SELECT device FROM sealpush.device_share WHERE device_share.person = ANY ($1::text[]))
          AND CASE WHEN keys IS NULL THEN $2::boolean AND lost AND pending ELSE $2::boolean OR refused_at IS NULL END
        ORDER BY name
        """, with: .texts(persons), .boolean(includingUnreachable)), as: DeviceColumns.self
    ) { $1.device(in: $0, by: reader) }
    var found: [ExactString: [StoredDevice]] = [:]
    for device in devices {
      for person in device.device.persons { found[ExactString(person), default: []].append(device) }
    }
    return persons.map { person in
      (found[ExactString(person)] ?? []).compactMap { $0.addressed(to: person) }
    }
  }

  func devices(after name: String?, atMost count: Int) throws(PostgresError) -> [StoredDevice] {
    try whole(
      server.run(
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token,
          extract(epoch FROM token_set_at) AS token_set_at, extract(epoch FROM refused_at) AS refused_at, version, proof,
          lost, pending, mac,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE name > $1::text ORDER BY name LIMIT $2::bigint
        """, with: .text(name ?? ""), .limit(count)), as: DeviceColumns.self
    ) { $1.device(in: $0, by: reader) }
  }

  func device(named name: String) throws(PostgresError) -> StoredDevice? {
    try whole(
      server.run(
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token,
          extract(epoch FROM token_set_at) AS token_set_at, extract(epoch FROM refused_at) AS refused_at, version, proof,
          lost, pending, mac,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE name = $1::text
        """, with: .text(name)), as: DeviceColumns.self
    ) { $1.device(in: $0, by: reader) }.first
  }

  func fleet(after name: String?, atMost count: Int) throws(PostgresError) -> [FleetDevice] {
    try whole(
      server.run(
        """
        SELECT name, topic, environment, keys, extract(epoch FROM enrolled_at) AS enrolled_at, report
        FROM sealpush.device
        WHERE name > $1::text AND keys IS NOT NULL AND refused_at IS NULL ORDER BY name LIMIT $2::bigint
        """, with: .text(name ?? ""), .limit(count)), as: FleetColumns.self
    ) { $1.device(in: $0) }
  }

  func hasRegistration(of topic: Topic) throws(PostgresError) -> Bool {
    try server.run(
      "SELECT FROM sealpush.device WHERE topic = $1::text LIMIT 1", with: .text(topic.text)
    ).count > 0
  }

  func registration(named name: String) throws(PostgresError) -> VersionedRegistration? {
    try whole(
      server.run(
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
          registration, version,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE name = $1::text
        """, with: .text(name)),
      as: RegistrationColumns.self
    ) { $1.registration(in: $0, by: reader) }.first
  }

  func registrations(
    after name: String?, atMost count: Int
  ) throws(PostgresError) -> [VersionedRegistration] {
    try whole(
      server.run(
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
          registration, version,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE name > $1::text ORDER BY name LIMIT $2::bigint
        """, with: .text(name ?? ""), .limit(count)), as: RegistrationColumns.self
    ) { $1.registration(in: $0, by: reader) }
  }

  func neighbours(
    of place: Neighbourhood, pending count: Int
  ) throws(PostgresError) -> [VersionedRegistration] {
    let statement: StaticString =
      if count > 0 {
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
          registration, version,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE id IN (
          SELECT id FROM sealpush.device WHERE name = $1::text
          UNION SELECT id FROM sealpush.device WHERE identity = $2::text AND keys IS NOT NULL
          UNION SELECT id FROM sealpush.device WHERE token = $3::text AND has_token
          UNION SELECT device FROM sealpush.device_key WHERE kid = ANY ($4::text[]) AND proven
          UNION (
            SELECT id FROM sealpush.device WHERE id IN (
              SELECT id FROM sealpush.device WHERE identity = $2::text
              UNION SELECT id FROM sealpush.device WHERE token = $3::text
              UNION SELECT id FROM sealpush.device WHERE pending_token = $3::text
              UNION SELECT device FROM sealpush.device_key WHERE kid = ANY ($4::text[]))
              AND (pending OR keys IS NOT NULL)
            ORDER BY keys IS NOT NULL AND NOT has_token AND token = $3::text DESC, name LIMIT $5::bigint))
        ORDER BY name
        """
      } else {
        """
        SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
          registration, version,
          CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
            FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
        FROM sealpush.device WHERE id IN (
          SELECT id FROM sealpush.device WHERE name = $1::text
          UNION SELECT id FROM sealpush.device WHERE identity = $2::text AND keys IS NOT NULL
          UNION SELECT id FROM sealpush.device WHERE token = $3::text AND has_token
          UNION SELECT device FROM sealpush.device_key WHERE kid = ANY ($4::text[]) AND proven)
        ORDER BY name
        """
      }
    var values = [Value.text(place.name), .text(place.identity), .text(place.token), .texts(place.keyIDs)]
    if count > 0 { values.append(.limit(count)) }
    return try whole(server.run(Command(statement, with: values)), as: RegistrationColumns.self) {
      $1.registration(in: $0, by: reader)
    }
  }

  func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(PostgresError) -> [VersionedRegistration] {
    try whole(
      server.run(
        Command(
          """
          SELECT name, person, persons, topic, environment, token, identity, keys, has_token, proof, lost, pending, mac,
            registration, version,
            CASE WHEN persons IS NOT NULL THEN (SELECT coalesce(json_agg(who.person)::text, '[]')
              FROM sealpush.device_share AS who WHERE who.device = device.id) END AS shares
          FROM sealpush.device
          WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND keys IS NOT NULL
            AND name > $4::text
          ORDER BY name LIMIT $5::bigint
          """, with: address.values + [.text(name ?? ""), .limit(count)])), as: RegistrationColumns.self
    ) { $1.registration(in: $0, by: reader) }
  }

  /// The values, if none is nil: only the directory writes its rows, so one that cannot be read is damaged.
  private func whole<Columns: RowColumns, Value>(
    _ rows: Rows, as columns: Columns.Type, read: (Row, Columns) -> Value?
  ) throws(PostgresError) -> [Value] {
    let values = rows.map(columns, read).compactMap(\.self)
    guard values.count == rows.count else {
      throw reader.takeFault().map(PostgresError.rowKey) ?? .damagedRow
    }
    return values
  }

  // MARK: Writing

  func apply(_ changes: [RegistrationChange]) throws(PostgresError) -> Bool {
    try apply(changes, if: Command("SELECT 1")) ?? false
  }

  /// Makes all changes or none, with `others`, each of which gives one row; nil if `condition` has no row when they would
  /// be made.
  func apply(
    _ changes: [RegistrationChange], if condition: Command, and others: [Command] = []
  ) throws(PostgresError) -> Bool? {
    let claims = changes.compactMap(\.tokenClaim)
    let commands =
      [.begin, condition] + others + Self.locks(of: claims) + changes.map(command)
      + changes.compactMap(RequestChange.init).flatMap(PostgresRequests.commands)
      + changes.flatMap(\.wokenPersons).map(Self.wake) + claims.map(Self.check)
      // After the writes: whoever sets the mark has waited for them, or they have waited for the mark.
      + [PostgresRowKeys.value]
    return try server.connected { (connection) throws(PostgresError) in
      var isDone: Bool?
      var fault: RowKeyFault?
      do throws(PostgresError) {
        let rows = try connection.run(commands)
        fault = RowMark.fault(of: PostgresRowKeys.mark(in: rows.last), for: seal)
        isDone = rows[1].count == 0 ? nil : rows.dropFirst(2).dropLast().allSatisfy { $0.changes == 1 }
      } catch {
        // A row of another registration, or another transaction that writes the same rows.
        guard error.isConflict || error.isCollision else { throw error }
        isDone = false
      }
      _ = try connection.run([isDone == true && fault == nil ? .commit : .rollback])
      if let fault { throw .rowKey(fault) }
      return isDone
    }
  }

  /// The statements that make transactions that claim the same token wait for each other: none sees what another has not
  /// committed.
  private static func locks(of claims: [TokenClaim]) -> [Command] {
    Set(claims.map(\.token)).sorted().map { token in
      Command(
        "SELECT pg_advisory_xact_lock(hashtextextended($1::text, $2::bigint))",
        with: [.text(token), .integer(Int64(PostgresSchema.lock))])
    }
  }

  /// The statement that makes the jobs ready that wait for a device of this person, and gives one row.
  private static func wake(_ person: String) -> Command {
    Command(
      """
      WITH woken AS (
        UPDATE sealpush.job SET run_at = least(run_at, sealpush.now())
        WHERE left(person, 255) = $1::text AND person = $1::text AND waits_until IS NOT NULL AND dead_at IS NULL
          AND NOT leased)
      SELECT
      """, with: [.text(person)])
  }

  /// The statement that gives one row if no other registration had a token before.
  private static func check(_ claim: TokenClaim) -> Command {
    let statement: StaticString =
      if claim.isProven {
        """
        SELECT WHERE NOT EXISTS (
          SELECT FROM sealpush.device WHERE token = $1::text AND keys IS NOT NULL AND name <> $2::text)
        """
      } else {
        """
        SELECT WHERE NOT EXISTS (SELECT FROM sealpush.device WHERE token = $1::text AND has_token AND name <> $2::text)
        """
      }
    return Command(statement, with: [.text(claim.token), .text(claim.name)])
  }

  /// The statement of a change, which gives or changes one row if nothing is in the way.
  private func command(for change: RegistrationChange) -> Command {
    switch change {
    case .add(let registration): Self.add(row(registration, over: nil), sealed: seal)
    case .replace(let old, let registration):
      Self.replace(old, with: row(registration, over: old), sealed: seal)
    case .remove(let old):
      Command(
        "DELETE FROM sealpush.device WHERE name = $1::text AND version = $2::bigint AND serial = $3::bigint",
        with: [
          .text(old.registration.name), .integer(old.version), .integer(old.registration.enrolment.serial),
        ])
    }
  }

  private func row(_ registration: Registration, over old: VersionedRegistration?) -> DeviceRow {
    let plain = DeviceRow(registration, over: old)
    return seal?.sealing(plain) ?? plain
  }

  private static func add(_ row: DeviceRow, sealed seal: RowSeal?) -> Command {
    Command(
      """
      WITH put AS (
        INSERT INTO sealpush.device (name, person, topic, environment, token, pending_token, identity, serial,
          has_token, token_set_at, keys, registration, version, proof, lost, pending, enrolled_at, report,
          persons, mac)
        SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::bigint, $9::boolean,
          sealpush.now(), $10::text, $11::text, $12::bigint, $15::bigint, $16::boolean, $17::boolean, sealpush.now(),
          $18::text, $19::text, $21::text
        WHERE NOT EXISTS (SELECT FROM sealpush.departed WHERE identity = $7::text AND serial >= $8::bigint)
        RETURNING id),
      key AS (
        INSERT INTO sealpush.device_key (kid, device, proven)
        SELECT kid, id, proven FROM put, unnest($13::text[], $14::boolean[]) AS new (kid, proven)),
      share AS (
        INSERT INTO sealpush.device_share (person, device)
        SELECT person, id FROM put, unnest($20::text[]) AS new (person))
      SELECT id FROM put
      """, with: row.values + [.text(seal?.mac(of: row))])
  }

  private static func replace(
    _ old: VersionedRegistration, with row: DeviceRow, sealed seal: RowSeal?
  ) -> Command {
    Command(
      """
      WITH put AS (
        UPDATE sealpush.device SET person = $2::text, topic = $3::text, environment = $4::text, token = $5::text,
          pending_token = $6::text, identity = $7::text, serial = $8::bigint, has_token = $9::boolean,
          token_set_at = CASE WHEN token = $5::text THEN token_set_at ELSE sealpush.now() END,
          refused_at = CASE WHEN token = $5::text AND serial = $8::bigint THEN refused_at END,
          enrolled_at = CASE WHEN serial = $8::bigint THEN enrolled_at ELSE sealpush.now() END,
          keys = $10::text, registration = $11::text, version = $12::bigint, proof = $15::bigint, lost = $16::boolean,
          pending = $17::boolean, report = $18::text, persons = $19::text, stale = false, mac = $21::text
        WHERE name = $1::text AND version = $22::bigint AND serial = $23::bigint
          AND (identity = $7::text OR NOT EXISTS (
            SELECT FROM sealpush.departed AS left_before
            WHERE left_before.identity = $7::text AND left_before.serial >= $8::bigint))
        RETURNING id),
      gone AS (
        DELETE FROM sealpush.device_key USING put WHERE device = put.id AND kid <> ALL ($13::text[])),
      key AS (
        INSERT INTO sealpush.device_key (kid, device, proven)
        SELECT kid, id, proven FROM put, unnest($13::text[], $14::boolean[]) AS new (kid, proven)
        ON CONFLICT (kid, device) DO UPDATE SET proven = excluded.proven),
      left_by AS (
        DELETE FROM sealpush.device_share USING put WHERE device = put.id AND person <> ALL ($20::text[])),
      share AS (
        INSERT INTO sealpush.device_share (person, device)
        SELECT person, id FROM put, unnest($20::text[]) AS new (person)
        ON CONFLICT DO NOTHING)
      SELECT id FROM put
      """,
      with: row.values + [
        .text(seal?.mac(of: row)), .integer(old.version), .integer(old.registration.enrolment.serial),
      ])
  }

  func departed(_ identity: Thumbprint) throws(PostgresError) -> DepartedDevice? {
    try server.run(
      "SELECT serial, extract(epoch FROM left_at) AS left_at FROM sealpush.departed WHERE identity = $1::text",
      with: .text(identity.text)
    ).map(DepartedDevice.Columns.self) { $1.device(in: $0) }.first
  }

  func stale(atMost count: Int) throws(PostgresError) -> [String] {
    try server.run("SELECT name FROM sealpush.device WHERE stale LIMIT $1::bigint", with: .limit(count)).all
      .compactMap { $0.text(in: .only) }
  }

  func removeIdle(olderThan age: Duration, atMost count: Int) throws(PostgresError) -> Int {
    let departed = try server.run(
      """
      DELETE FROM sealpush.departed WHERE identity = ANY (ARRAY(
        SELECT identity FROM sealpush.departed
        WHERE left_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8) LIMIT $2::bigint))
      """, with: .seconds(DepartedDevice.keptTime), .limit(count)
    ).changes
    return try departed
      + server.run(
        """
        DELETE FROM sealpush.device WHERE keys IS NULL AND id = ANY (ARRAY(
          SELECT id FROM sealpush.device
          WHERE keys IS NULL AND enrolled_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
          LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
        """, with: .seconds(age), .limit(count - departed)
      ).changes
  }

  func quarantine(_ address: DeviceAddress) throws(PostgresError) -> Int {
    try server.run(
      Command(
        """
        UPDATE sealpush.device SET refused_at = sealpush.now()
        WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND refused_at IS NULL
        """, with: address.values)
    ).changes
  }

  func release(_ address: DeviceAddress) throws(PostgresError) -> Int {
    try server.run(
      Command(
        """
        UPDATE sealpush.device SET refused_at = NULL
        WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND refused_at IS NOT NULL
        """, with: address.values)
    ).changes
  }
}

extension DeviceRow {
  fileprivate var values: [Value] {
    let keys = Array(keyIDs)
    return [
      .text(name), .text(person), .text(topic), .text(environment), .text(token), .text(pendingToken),
      .text(identity), .integer(serial), .boolean(hasToken), .text(self.keys), .text(registration),
      .integer(version), .texts(keys.map(\.key)), .booleans(keys.map(\.value)), .integer(proof.number),
      .boolean(isLost), .boolean(isPending), .text(report), .text(persons), .texts(shares),
    ]
  }
}

extension DeviceAddress {
  /// The values of the columns `token`, `topic` and `environment`.
  var values: [Value] { [.text(token.text), .text(topic.text), .text(environment.rawValue)] }
}
