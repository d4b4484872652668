internal import CSQLite
internal import Glibc
internal import PushFiles

/// What SQLite says when it cannot do something.
package struct SQLiteError: Error {
  /// The extended result code.
  let code: CInt
  /// The system's error, if one was the cause.
  let errno: CInt
  /// SQLite's text, which may name tables and columns, but contains no values.
  let text: String
  /// Why the devices are not accessible, if that is so.
  private(set) var rowKeyFault: RowKeyFault?

  init(code: CInt, errno: CInt, text: String) {
    self.code = code
    self.errno = errno
    self.text = text
  }

  /// The error of the call that has just failed.
  @unsafe init(of handle: OpaquePointer?, code: CInt) {
    let text = unsafe String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
    self.init(code: code, errno: unsafe handle.map { unsafe sqlite_errno($0) } ?? 0, text: text)
  }

  /// A row of the directory is not as it was written.
  static var damagedRow: SQLiteError { SQLiteError(code: SQLITE_CORRUPT, errno: 0, text: "") }

  /// The devices are sealed, and the key is missing or another.
  static func rowKey(_ fault: RowKeyFault) -> SQLiteError {
    var error = SQLiteError(code: SQLITE_AUTH, errno: 0, text: "")
    error.rowKeyFault = fault
    return error
  }

  /// Whether a row with the same unique value is there.
  var isConflict: Bool { code == SQLITE_CONSTRAINT | (8 << 8) || code == SQLITE_CONSTRAINT | (6 << 8) }

  /// Whether another process was in the way.
  var isBusy: Bool { code & 0xff == SQLITE_BUSY }

  /// The error for users of the store.
  func storeError(at place: String) -> StoreError {
    if let rowKeyFault { return .rowKey(rowKeyFault, place: place) }
    return switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy(place: place)
    case SQLITE_FULL: .full(place: place)
    case SQLITE_READONLY: .readOnly(place: place)
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .corrupt(place: place)
    case SQLITE_CANTOPEN:
      .cannotOpen(place: place, reason: errno == 0 ? text : SystemMessage.text(of: errno))
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(errno): .full(place: place)
    case SQLITE_IOERR where errno == EROFS: .readOnly(place: place)
    default: .failed(place: place, reason: "\(text) (SQLite's code \(code), the system's \(errno))")
    }
  }
}
