internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushStore

/// A store's tables, for one thread.
struct PostgresTables: StoreTables {
  let server: Server
  let jobs: any JobTable<PostgresError>
  let enrolments: any EnrolmentTable<PostgresError>
  let challenges: any ChallengeTable<PostgresError>
  let requests: any RequestTable<PostgresError>
  let outcomes: any OutcomeTable<PostgresError>
  let rowKeys: any RowKeyTable<PostgresError>
  let refusals: any RefusalTable<PostgresError>
  let tokens: any TokenTable<PostgresError>
  let steering: any SteeringTable<PostgresError>
  var devices: any DeviceTable<PostgresError> { deviceTable }
  private let deviceTable: PostgresDevices

  init(on server: Server, rowKey: RowKey? = nil) {
    self.server = server
    jobs = PostgresJobs(server: server)
    deviceTable = PostgresDevices(server: server, seal: rowKey.map(RowSeal.init))
    enrolments = PostgresEnrolments(server: server)
    challenges = PostgresChallenges(server: server)
    requests = PostgresRequests(server: server)
    outcomes = PostgresOutcomes(server: server)
    rowKeys = PostgresRowKeys(server: server)
    refusals = PostgresRefusals(server: server)
    tokens = PostgresTokens(server: server)
    steering = PostgresSteering(server: server)
  }

  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) throws(PostgresError) -> Bool? {
    try deviceTable.apply(
      changes, if: PostgresEnrolments.holding(lease),
      and: challenge.map { [PostgresChallenges.spend($0)] } ?? [])
  }

  func alternation(of identity: Thumbprint) throws(PostgresError) -> TokenAlternation? {
    try PostgresAlternations(server: server).alternation(of: identity)
  }

  func suspend(_ known: VersionedRegistration) throws(PostgresError) -> Bool {
    try deviceTable.apply(
      [known.suspension], if: Command("SELECT 1"),
      and: [PostgresAlternations.suspend(known.registration.identity)]) ?? false
  }

  func remove(_ devices: DeviceSelector) throws(PostgresError) -> [String] {
    let values = devices.columns.map { Value.text($0) }
    return try server.run([
      // Without a lock on them: the row's trigger takes the enrolments first, as a worker does.
      Command(
        """
        SELECT name FROM sealpush.device
        WHERE $4::text IS NULL AND (name = $1::text OR identity = $2::text OR token = $3::text)
        UNION SELECT name FROM sealpush.device_of
        WHERE person = $4::text AND (coalesce($1::text, $2::text, $3::text) IS NULL
          OR name = $1::text OR identity = $2::text OR token = $3::text)
        ORDER BY name
        """, with: values),
      Command(
        """
        INSERT INTO sealpush.removal (registration, identity, token, person)
        VALUES ($1::text, $2::text, $3::text, $4::text)
        """, with: values),
    ])[0].all.compactMap { $0.text(in: .only) }
  }

  func leave(_ leave: Leave) throws(PostgresError) -> LeaveOutcome {
    let identity = Value.text(leave.identity.thumbprint.text)
    let remove = Command(
      """
      WITH gone AS (
        DELETE FROM sealpush.device WHERE identity = $1::text AND topic = $2::text AND serial < $3::bigint
        RETURNING name, identity),
      kept AS (
        INSERT INTO sealpush.departed AS known (identity, serial, left_at)
        SELECT DISTINCT identity, $3::bigint, sealpush.now() FROM gone
        ON CONFLICT (identity) DO UPDATE
          SET serial = greatest(known.serial, excluded.serial), left_at = excluded.left_at)
      SELECT name FROM gone ORDER BY name
      """, with: [identity, .text(leave.topic.text), .integer(leave.serial)])
    // Twice: the first waits for a transaction that moves the identity to another row, and the second sees that row.
    let rows = try server.run([
      remove, remove,
      Command("SELECT topic, serial FROM sealpush.device WHERE identity = $1::text", with: [identity]),
    ])
    return LeaveOutcome(
      names: rows[0].all.compactMap { $0.text(in: .only) } + rows[1].all.compactMap { $0.text(in: .only) },
      rest: rows[2].map(LeaveOutcome.Rest.Columns.self) { $1.rest(in: $0) })
  }

  func forget(person: String) throws(PostgresError) -> Int {
    let values: [Value] = [.text(person)]
    return try server.run([
      PostgresAlternations.forget(person: person),
      Command(
        """
        WITH marked AS (
          UPDATE sealpush.device SET stale = true, version = sealpush.other_version()
          WHERE id IN (SELECT device FROM sealpush.device_share WHERE person = $1::text))
        SELECT WHERE false
        """, with: values),
      // Enrolments first: the person of some is only in the directory, and a transaction that makes a device of one holds it.
      Command(
        """
        DELETE FROM sealpush.enrolment WHERE person IS NULL AND left(registration, 255) = ANY (
          ARRAY(SELECT name FROM sealpush.device_of WHERE person = $1::text AND alone))
        """, with: values),
      Command(
        "DELETE FROM sealpush.enrolment WHERE left(person, 255) = left($1::text, 255) AND person = $1::text",
        with: values),
      Command(
        "DELETE FROM sealpush.job WHERE left(person, 255) = left($1::text, 255) AND person = $1::text",
        with: values
      ),
      Command("DELETE FROM sealpush.keyed WHERE person = $1::text", with: values),
      // After the jobs: a transaction that records what became of one holds it.
      Command("DELETE FROM sealpush.outcome WHERE person = $1::text", with: values),
      Command(
        """
        DELETE FROM sealpush.device WHERE id IN (
          SELECT device FROM sealpush.device_of WHERE person = $1::text AND alone)
        """, with: values),
      Command("DELETE FROM sealpush.device_share WHERE person = $1::text", with: values),
      Command("DELETE FROM sealpush.challenge WHERE person = $1::text", with: values),
      Command(
        "WITH gone AS (DELETE FROM sealpush.claim WHERE claimant = $1::text) SELECT WHERE false",
        with: [.text(RequestChange.claimant(person: person))]),
    ]).reduce(0) { $0 + $1.changes }
  }
}
