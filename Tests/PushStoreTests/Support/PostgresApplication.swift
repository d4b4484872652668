import CPostgres

/// An application with a connection of its own to a database, which writes into a store in plain SQL.
@safe
final class PostgresApplication {
  private let handle: OpaquePointer

  init(_ connectionString: String) throws {
    guard let handle = unsafe PQconnectdb(connectionString) else { throw Refusal(state: "") }
    unsafe self.handle = handle
    unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    guard unsafe PQstatus(handle) == CONNECTION_OK else { throw Refusal(state: "08006") }
  }

  deinit { unsafe PQfinish(handle) }

  /// Runs statements, and returns the rows of the last.
  @discardableResult
  func run(_ sql: String) throws -> [[String?]] {
    let result = unsafe PQexec(handle, sql)
    defer { unsafe PQclear(result) }
    guard unsafe [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
      let state = unsafe PQresultErrorField(result, CInt(UInt8(ascii: "C")))
      throw Refusal(state: unsafe state.map { unsafe String(cString: $0) } ?? "")
    }
    return unsafe (0..<PQntuples(result)).map { row in
      unsafe (0..<PQnfields(result)).map { column in
        guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
        return unsafe PQgetvalue(result, row, column).map { unsafe String(cString: $0) }
      }
    }
  }

  /// What PostgreSQL refuses.
  struct Refusal: Error, Equatable {
    let state: String
  }
}
