import PushCore

/// The jobs that are not done, as the store's tables have them.
final class Ledger {
  private let store: StoreLink
  /// The ID that APNs sees, by the job's own.
  private let ids: [String: MessageID]

  init(_ store: StoreLink, of jobs: [StormJob]) {
    self.store = store
    ids = Dictionary(uniqueKeysWithValues: jobs.map { ($0.messageID.text, $0.id) })
  }

  /// The number of jobs that are not done.
  func remaining() throws -> Int { try number("dead_at IS NULL") }

  /// The number of jobs that were given up.
  func dead() throws -> Int { try number("dead_at IS NOT NULL") }

  /// The attempts that workers are making, or were making when they were killed.
  func claimed() throws -> [InFlight.Attempt] { attempts(try store.run(query("leased AND dead_at IS NULL"))) }

  /// The last attempts at all jobs that are not done.
  func unfinished() throws -> [InFlight.Attempt] { attempts(try store.run(query("dead_at IS NULL"))) }

  /// Cancels the messages whose column has this value, and returns the last attempts at their jobs: 0 for a job that no
  /// worker has ever had.
  ///
  /// It is one transaction, in which no worker leases the jobs.
  func cancel(_ column: String, _ value: String) throws -> [InFlight.Attempt] {
    // The index of the server is of the first characters of a key.
    let isKey = store.isServer && column == "job_key"
    let condition = "\(column) = '\(value)'" + (isKey ? " AND left(job_key, 255) = '\(value)'" : "")
    return attempts(
      try store.run(
        store.isServer ? "BEGIN" : "BEGIN IMMEDIATE",
        query(condition) + (store.isServer ? " FOR UPDATE" : ""),
        "INSERT INTO \(store.schema)cancellation (\(column)) VALUES ('\(value)')",
        "COMMIT"))
  }

  private func number(_ condition: String) throws -> Int {
    Int(try store.run("SELECT count(*) FROM \(store.schema)job WHERE \(condition)")[0][0]) ?? 0
  }

  private func query(_ condition: String) -> String {
    "SELECT message_id, attempt FROM \(store.schema)job WHERE \(condition)"
  }

  private func attempts(_ rows: [[String]]) -> [InFlight.Attempt] {
    rows.compactMap { row in
      ids[row[0]].map { InFlight.Attempt(id: $0, number: Int64(row[1]) ?? 0) }
    }
  }
}
