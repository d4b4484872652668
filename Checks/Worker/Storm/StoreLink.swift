import CPostgres
import CSQLite
import Foundation

/// The store's file or server, as an application reaches it: by SQL of its own.
///
/// If the store is away for a while, it is asked again. Each time has its own connection, because the server's
/// connections may be cut at any moment.
struct StoreLink {
  /// The schema before a table's name.
  let schema: String

  /// Whether it is a server, not a file.
  let isServer: Bool

  private let place: String

  init(_ place: String) {
    self.place = place
    isServer = place.hasPrefix("postgresql://")
    schema = isServer ? "sealpush." : ""
  }

  /// Runs statements one after the other, and returns their rows.
  ///
  /// If one fails, all are run again: they must be a query, or a transaction.
  func run(_ statements: String...) throws -> [[String]] {
    var tries = 0
    while true {
      do {
        return try isServer ? Self.ask(server: place, statements) : Self.ask(file: place, statements)
      } catch {
        tries += 1
        guard tries < 3000 else { throw error }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  private static func ask(file: String, _ statements: [String]) throws -> [[String]] {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    guard unsafe sqlite3_open_v2(file, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { throw Away() }
    unsafe sqlite3_busy_timeout(handle, 1000)
    return try statements.flatMap { try unsafe rows(of: $0, in: handle) }
  }

  private static func rows(of sql: String, in handle: OpaquePointer?) throws -> [[String]] {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw Away() }
    var rows: [[String]] = []
    while true {
      switch unsafe sqlite3_step(statement) {
      case SQLITE_DONE: return rows
      case SQLITE_ROW:
        rows.append(
          unsafe (0..<sqlite3_column_count(statement)).map {
            unsafe String(cString: sqlite3_column_text(statement, $0))
          })
      default: throw Away()
      }
    }
  }

  private static func ask(server: String, _ statements: [String]) throws -> [[String]] {
    guard let handle = unsafe PQconnectdb(server) else { throw Away() }
    defer { unsafe PQfinish(handle) }
    return try statements.flatMap { sql in
      let result = unsafe PQexec(handle, sql)
      defer { unsafe PQclear(result) }
      let status = unsafe PQresultStatus(result)
      guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else { throw Away() }
      return unsafe (0..<PQntuples(result)).map { row in
        unsafe (0..<PQnfields(result)).map { unsafe String(cString: PQgetvalue(result, row, $0)) }
      }
    }
  }

  struct Away: Error {}
}
