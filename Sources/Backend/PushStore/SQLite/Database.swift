internal import CSQLite

/// A connection to a file, for one thread at a time.
@safe
final class Database {
  let handle: OpaquePointer

  /// Opens a file that is there, to read and write.
  ///
  /// `patience` is how long a call waits for another process's transaction.
  ///
  /// - Throws: ``SQLiteError``; `SQLITE_READONLY` if the file cannot be written.
  init(path: String, patience: Duration) throws(SQLiteError) {
    // Other texts have meanings of their own, such as `:memory:`.
    let path = path.hasPrefix("/") ? path : "./" + path
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      let error = unsafe SQLiteError(of: handle, code: code)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe self.handle = opened
    let milliseconds = min(max(patience.inSeconds * 1000, 0), Double(CInt.max))
    unsafe sqlite3_busy_timeout(opened, CInt(milliseconds))
    unsafe sqlite_distrust(opened)
    guard unsafe sqlite3_db_readonly(opened, "main") == 0 else {
      throw SQLiteError(code: SQLITE_READONLY, errno: 0, text: "")
    }
  }

  // Statements that are left keep it open until they go.
  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements that have no values and whose rows do not matter.
  ///
  /// - Throws: ``SQLiteError``.
  func execute(_ sql: String) throws(SQLiteError) {
    try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Runs `body` in a transaction, and takes back all of it if it throws or its result is nil.
  ///
  /// - Throws: ``SQLiteError``.
  func transaction<Value>(
    _ kind: TransactionKind, body: () throws(SQLiteError) -> Value?
  ) throws(SQLiteError) -> Value? {
    try execute(kind.rawValue)
    do throws(SQLiteError) {
      guard let value = try body() else {
        try execute("ROLLBACK")
        return nil
      }
      try execute("COMMIT")
      return value
    } catch {
      // Where the disk is full, SQLite has done it.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  enum TransactionKind: String {
    /// Sees one state of the file, and changes nothing.
    case reading = "BEGIN"
    /// Excludes other writers from the start, so that it waits for them and does not fail later.
    case writing = "BEGIN IMMEDIATE"
  }

  /// How many rows the last statement has changed.
  var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// - Throws: ``SQLiteError``, with what the connection says.
  func check(_ code: CInt) throws(SQLiteError) {
    guard code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE else {
      throw unsafe SQLiteError(of: handle, code: code)
    }
  }
}
