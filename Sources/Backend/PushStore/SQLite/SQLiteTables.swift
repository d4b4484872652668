internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// A store's connections and prepared statements, for one thread.
final class SQLiteTables: StoreTables {
  let jobs: any JobTable<SQLiteError>
  let outcomes: any OutcomeTable<SQLiteError>
  var devices: any DeviceTable<SQLiteError> { deviceTable }
  var enrolments: any EnrolmentTable<SQLiteError> { enrolmentTable }
  var challenges: any ChallengeTable<SQLiteError> { challengeTable }
  let requests: any RequestTable<SQLiteError>
  let rowKeys: any RowKeyTable<SQLiteError>
  let refusals: any RefusalTable<SQLiteError>
  let tokens: any TokenTable<SQLiteError>
  let steering: any SteeringTable<SQLiteError>

  private let deviceTable: SQLiteDevices
  private let enrolmentTable: SQLiteEnrolments
  private let challengeTable: SQLiteChallenges
  private let promises: Database
  private let forgetting: [Statement]
  private let changeCounters: [Statement]
  private let forgettingClaims: Statement
  private let leaving: Statement
  private let alternations: SQLiteAlternations
  private let clock: any PushClock
  private let removal: SQLiteRemoval

  /// Opens the connections to a file that was prepared.
  ///
  /// - Throws: ``StoreError``.
  init(in file: SQLiteFile, rowKey: RowKey?, clock: any PushClock) throws(StoreError) {
    let promises = try file.open(keeping: .everything)
    let leases = try file.open(keeping: .order)
    try file.checkThere()
    self.promises = promises
    let requests = try file.converting { () throws(SQLiteError) in
      try SQLiteRequests(on: promises, clock: clock)
    }
    self.requests = requests
    alternations = requests.alternations
    self.clock = clock
    forgettingClaims = try file.converting { () throws(SQLiteError) in
      try Statement(on: promises, "DELETE FROM claim WHERE claimant = ?1")
    }
    leaving = try file.converting { () throws(SQLiteError) in
      try Statement(
        on: promises,
        """
        UPDATE device SET stale = 1, version = random() & 9223372036854775807
        WHERE id IN (SELECT device FROM device_share WHERE person = ?1)
        """)
    }
    tokens = try file.converting { () throws(SQLiteError) in try SQLiteTokens(on: promises) }
    refusals = try file.converting { () throws(SQLiteError) in
      try SQLiteRefusals(on: promises, clock: clock)
    }
    steering = try file.converting { () throws(SQLiteError) in
      try SQLiteSteering(on: leases, clock: clock)
    }
    let rowKeys = try file.converting { () throws(SQLiteError) in try SQLiteRowKeys(on: promises) }
    self.rowKeys = rowKeys
    let seal = rowKey.map(RowSeal.init)
    (jobs, outcomes, deviceTable, enrolmentTable, challengeTable, removal, changeCounters, forgetting) =
      try file.converting { () throws(SQLiteError) in
        (
          try SQLiteJobs(promises: promises, leases: leases, clock: clock),
          try SQLiteOutcomes(on: leases, promises: promises, clock: clock),
          try SQLiteDevices(
            on: promises, reading: leases, requests: requests, clock: clock, rowKeys: rowKeys, seal: seal),
          try SQLiteEnrolments(on: promises, clock: clock), try SQLiteChallenges(on: promises, clock: clock),
          try SQLiteRemoval(on: promises, clock: clock),
          [
            try Statement(on: promises, "PRAGMA data_version"),
            try Statement(on: leases, "PRAGMA data_version"),
          ],
          [
            // Enrolments first: the person of some is only in the directory. A text may have been written as a blob.
            try Statement(
              on: promises,
              """
              DELETE FROM enrolment WHERE person IN (?1, CAST(?1 AS BLOB)) OR person IS NULL AND registration IN (
                SELECT name FROM device_of WHERE person = ?1 AND alone
                UNION ALL SELECT CAST(name AS BLOB) FROM device_of WHERE person = ?1 AND alone)
              """),
            try Statement(on: promises, "DELETE FROM job WHERE person IN (?1, CAST(?1 AS BLOB))"),
            try Statement(on: promises, "DELETE FROM keyed WHERE person = ?1"),
            try Statement(on: promises, "DELETE FROM outcome WHERE person = ?1"),
            try Statement(
              on: promises,
              "DELETE FROM device WHERE id IN (SELECT device FROM device_of WHERE person = ?1 AND alone)"),
            try Statement(on: promises, "DELETE FROM device_share WHERE person = ?1"),
            try Statement(on: promises, "DELETE FROM challenge WHERE person = ?1"),
          ]
        )
      }
  }

  /// Numbers that differ after anybody has committed a change to the file, by whichever connection.
  ///
  /// A connection does not count its own changes, and of two, each counts the other's.
  func changes() throws(SQLiteError) -> [Int64] {
    try changeCounters.map { (statement) throws(SQLiteError) in
      try statement.first { $0.integer(in: .only) } ?? 0
    }
  }

  func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease, spending challenge: Challenge?
  ) throws(SQLiteError) -> Bool? {
    try deviceTable.apply(
      changes, if: { () throws(SQLiteError) in try enrolmentTable.isValid(lease) },
      and: { () throws(SQLiteError) in try challenge.map(challengeTable.spend) ?? true })
  }

  func alternation(of identity: Thumbprint) throws(SQLiteError) -> TokenAlternation? {
    try alternations.alternation(of: identity.text, at: clock.sinceEpoch.inSeconds)
  }

  func suspend(_ known: VersionedRegistration) throws(SQLiteError) -> Bool {
    try deviceTable.apply(
      [known.suspension], if: { true },
      and: { () throws(SQLiteError) in
        try alternations.suspend(known.registration.identity.text, at: clock.sinceEpoch.inSeconds)
      }) ?? false
  }

  func remove(_ devices: DeviceSelector) throws(SQLiteError) -> [String] { try removal.remove(devices) }

  func leave(_ leave: Leave) throws(SQLiteError) -> LeaveOutcome { try removal.remove(leave) }

  func forget(person: String) throws(SQLiteError) -> Int {
    try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      try leaving.run(.text(person))
      try alternations.forget(person: person)
      for statement in forgetting { count += try statement.run(.text(person)) }
      try forgettingClaims.run(.text(RequestChange.claimant(person: person)))
      return count
    } ?? 0
  }
}
