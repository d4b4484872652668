internal import PushCore

/// A store's connections and prepared statements, for one thread.
final class SQLiteTables: StoreTables {
  let jobs: any JobTable<SQLiteError>
  var devices: any DeviceTable<SQLiteError> { deviceTable }
  var enrolments: any EnrolmentTable<SQLiteError> { enrolmentTable }
  let rowKeys: any RowKeyTable<SQLiteError>

  private let deviceTable: SQLiteDevices
  private let enrolmentTable: SQLiteEnrolments
  private let promises: Database
  private let forgetting: [Statement]
  private let removal: SQLiteRemoval

  /// Opens the connections to a file that was prepared.
  ///
  /// - Throws: ``StoreError``.
  init(in file: SQLiteFile, rowKey: RowKey?, clock: any PushClock) throws(StoreError) {
    let promises = try file.open(keeping: .everything)
    let leases = try file.open(keeping: .order)
    self.promises = promises
    let rowKeys = try file.converting { () throws(SQLiteError) in try SQLiteRowKeys(on: promises) }
    self.rowKeys = rowKeys
    let seal = rowKey.map(RowSeal.init)
    (jobs, deviceTable, enrolmentTable, removal, forgetting) = try file.converting { () throws(SQLiteError) in
      (
        try SQLiteJobs(promises: promises, leases: leases, clock: clock),
        try SQLiteDevices(on: promises, reading: leases, clock: clock, rowKeys: rowKeys, seal: seal),
        try SQLiteEnrolments(on: promises, clock: clock), try SQLiteRemoval(on: promises),
        [
          // Enrolments first: the person of some is only in the directory. A text may have been written as a blob.
          try Statement(
            on: promises,
            """
            DELETE FROM enrolment WHERE person IN (?1, CAST(?1 AS BLOB)) OR person IS NULL AND registration IN (
              SELECT name FROM device WHERE person = ?1
              UNION ALL SELECT CAST(name AS BLOB) FROM device WHERE person = ?1)
            """),
          try Statement(on: promises, "DELETE FROM job WHERE person IN (?1, CAST(?1 AS BLOB))"),
          try Statement(on: promises, "DELETE FROM device WHERE person = ?1"),
        ]
      )
    }
  }

  func apply(_ changes: [RegistrationChange], under lease: EnrolmentLease) throws(SQLiteError) -> Bool? {
    try deviceTable.apply(changes) { () throws(SQLiteError) in try enrolmentTable.isValid(lease) }
  }

  func remove(_ devices: DeviceSelector) throws(SQLiteError) -> [String] { try removal.remove(devices) }

  func forget(person: String) throws(SQLiteError) -> Int {
    try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for statement in forgetting { count += try statement.run(.text(person)) }
      return count
    } ?? 0
  }
}
