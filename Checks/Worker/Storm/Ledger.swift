import CPostgres
import CSQLite
import Foundation
import PushCore

/// The jobs that are not done, read from the store's file or server.
///
/// If the store is away for a while, it is asked again.
final class Ledger {
  private let table: String
  private let read: (String) throws -> [[String]]
  /// The ID that APNs sees, by the job's own.
  private let ids: [String: MessageID]

  init(_ place: String, ids: [String: MessageID]) {
    let isServer = place.hasPrefix("postgresql://")
    table = isServer ? "sealpush.job" : "job"
    read = isServer ? { try Self.readServer(place, $0) } : { try Self.readFile(place, $0) }
    self.ids = ids
  }

  /// The number of jobs that are not done.
  func remaining() throws -> Int { try number("dead_at IS NULL") }

  /// The number of jobs that were given up.
  func dead() throws -> Int { try number("dead_at IS NOT NULL") }

  /// The attempts that workers are making, or were making when they were killed.
  func claimed() throws -> [InFlight.Attempt] { try attempts("leased AND dead_at IS NULL") }

  /// The last attempts at all jobs that are not done.
  func unfinished() throws -> [InFlight.Attempt] { try attempts("dead_at IS NULL") }

  private func number(_ condition: String) throws -> Int {
    let rows = try rows("SELECT count(*), 0 FROM \(table) WHERE \(condition)")
    return Int(rows[0][0]) ?? 0
  }

  private func attempts(_ condition: String) throws -> [InFlight.Attempt] {
    try rows("SELECT message_id, attempt FROM \(table) WHERE \(condition)").compactMap { row in
      ids[row[0]].map { InFlight.Attempt(id: $0, number: Int64(row[1]) ?? 0) }
    }
  }

  private func rows(_ sql: String) throws -> [[String]] {
    var tries = 0
    while true {
      do { return try read(sql) } catch {
        tries += 1
        guard tries < 3000 else { throw error }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  // Each query has its own connection, because the server's connections may be cut at any moment.

  private static func readFile(_ path: String, _ sql: String) throws -> [[String]] {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    guard unsafe sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { throw Away() }
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw Away() }
    var rows: [[String]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_DONE: return rows
      case SQLITE_ROW:
        rows.append(
          (0..<2).map { unsafe String(cString: sqlite3_column_text(statement, $0)) })
      default: throw Away()
      }
    }
  }

  private static func readServer(_ place: String, _ sql: String) throws -> [[String]] {
    guard let handle = unsafe PQconnectdb(place) else { throw Away() }
    defer { unsafe PQfinish(handle) }
    let result = unsafe PQexec(handle, sql)
    defer { unsafe PQclear(result) }
    guard unsafe PQresultStatus(result) == PGRES_TUPLES_OK else { throw Away() }
    return unsafe (0..<PQntuples(result)).map { row in
      (0..<2).map { column in unsafe String(cString: PQgetvalue(result, row, column)) }
    }
  }

  struct Away: Error {}
}
