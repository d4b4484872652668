/// A store's connections and prepared statements, for one thread.
final class SQLiteTables {
  let jobs: SQLiteJobs
  let devices: SQLiteDevices
  let enrolments: SQLiteEnrolments

  private let promises: Database
  private let forgetting: [Statement]

  /// Opens the connections to a file that was prepared.
  ///
  /// - Throws: ``StoreError``.
  init(in file: SQLiteFile) throws(StoreError) {
    let promises = try file.open(keeping: .everything)
    let leases = try file.open(keeping: .order)
    self.promises = promises
    (jobs, devices, enrolments, forgetting) = try file.converting { () throws(SQLiteError) in
      (
        try SQLiteJobs(promises: promises, leases: leases), try SQLiteDevices(on: promises, reading: leases),
        try SQLiteEnrolments(on: promises),
        [
          // First these, whose person may be only in the directory. What is text may have been written as a blob.
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

  /// Removes everything of a person, and returns how many rows it was.
  func forget(person: String) throws(SQLiteError) -> Int {
    try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for statement in forgetting { count += try statement.run(.text(person)) }
      return count
    } ?? 0
  }
}
