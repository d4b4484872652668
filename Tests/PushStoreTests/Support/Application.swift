import CSQLite

/// An application with an SQLite file of its own, which writes into a store in plain SQL.
@safe
final class Application {
  private let handle: OpaquePointer

  /// Opens or makes a file, and attaches the store as `sealpush`.
  init(_ path: String = ":memory:", attaching store: String? = nil) throws {
    var handle: OpaquePointer?
    let status = unsafe sqlite3_open(path, &handle)
    guard let opened = unsafe handle, status == SQLITE_OK else { throw Refusal(text: "cannot open \(path)") }
    unsafe self.handle = opened
    unsafe sqlite3_busy_timeout(opened, 60_000)
    if let store { try run("ATTACH DATABASE ?1 AS sealpush", store) }
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs one statement with texts for its values, and returns its rows.
  @discardableResult
  func run(_ sql: String, _ values: String?...) throws -> [[String?]] {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      try check(unsafe sqlite_bind_utf8(statement, CInt(index + 1), value, value.utf8.count))
    }
    var rows: [[String?]] = []
    while true {
      let status = unsafe sqlite3_step(statement)
      try check(status)
      guard status == SQLITE_ROW else { return rows }
      rows.append(
        unsafe (0..<sqlite3_column_count(statement)).map {
          unsafe sqlite3_column_text(statement, $0).map { unsafe String(cString: $0) }
        })
    }
  }

  private func check(_ status: CInt) throws {
    guard ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(status) else { return }
    throw Refusal(text: unsafe String(cString: sqlite3_errmsg(handle)))
  }

  /// What SQLite refuses.
  struct Refusal: Error, Equatable {
    let text: String
  }
}
