internal import CPostgres

/// The rows that a statement gave, or how many it changed.
@safe
final class Rows {
  private let result: OpaquePointer

  /// Takes over a result.
  @unsafe init(_ result: OpaquePointer) { unsafe self.result = result }

  deinit { unsafe PQclear(result) }

  /// How many rows the statement gave.
  var count: Int { unsafe Int(PQntuples(result)) }

  /// How many rows the statement gave or changed.
  var changes: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The rows.
  var all: some Sequence<Row> { (0..<CInt(clamping: count)).lazy.map { Row(rows: self, index: $0) } }

  /// The first row; nil if there is none.
  var first: Row? { count > 0 ? Row(rows: self, index: 0) : nil }

  fileprivate func bytes(row: CInt, column: CInt, atMost maximum: Int) -> [UInt8]? {
    guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column)
    else { return nil }
    let count = unsafe min(Int(PQgetlength(result, row, column)), maximum)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// A row whose columns are in PostgreSQL's text form.
struct Row {
  fileprivate let rows: Rows
  fileprivate let index: CInt

  /// The first bytes of a column; nil if it is null.
  func bytes(at column: Int, atMost maximum: Int = .max) -> [UInt8]? {
    rows.bytes(row: index, column: CInt(column), atMost: maximum)
  }

  /// A column's text; nil if it is null.
  func text(at column: Int) -> String? { bytes(at: column).map { String(decoding: $0, as: UTF8.self) } }

  /// A column's number; 0 if it is none.
  func integer(at column: Int) -> Int64 { text(at: column).flatMap { Int64($0) } ?? 0 }

  /// A column's number; nil if it is null.
  func real(at column: Int) -> Double? { text(at: column).flatMap { Double($0) } }

  /// Whether a column is true.
  func boolean(at column: Int) -> Bool { text(at: column) == "t" }
}
