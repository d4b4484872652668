internal import CPostgres
internal import PushStore

/// The rows that a statement gave, or how many it changed.
@safe
final class Rows: ColumnNames {
  private let result: OpaquePointer

  /// Takes over a result.
  @unsafe init(_ result: OpaquePointer) { unsafe self.result = result }

  deinit { unsafe PQclear(result) }

  /// How many rows the statement gave.
  var count: Int { unsafe Int(PQntuples(result)) }

  /// How many rows the statement gave or changed.
  var changes: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The place of a column, which is found once for all rows.
  func index(of name: String) -> Int? {
    let index = unsafe PQfnumber(result, name)
    return index >= 0 ? Int(index) : nil
  }

  /// What `read` makes of each row, whose columns are found before.
  func map<Columns: RowColumns, Value>(
    _: Columns.Type, _ read: (Row, Columns) -> Value
  ) -> [Value] {
    let columns = Columns(in: self)
    return all.map { read($0, columns) }
  }

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

  fileprivate func isNull(row: CInt, column: CInt) -> Bool { unsafe PQgetisnull(result, row, column) != 0 }

  fileprivate func append(row: CInt, column: CInt, to image: inout RowImage) {
    guard !isNull(row: row, column: column), let start = unsafe PQgetvalue(result, row, column) else {
      return unsafe image.append(field: nil)
    }
    let count = unsafe Int(PQgetlength(result, row, column))
    unsafe image.append(field: UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// A row whose columns are in PostgreSQL's text form.
struct Row: StoreRow {
  fileprivate let rows: Rows
  fileprivate let index: CInt

  func bytes(in column: Column, atMost maximum: Int) -> [UInt8]? {
    rows.bytes(row: index, column: CInt(column.index), atMost: maximum)
  }

  func text(in column: Column) -> String? { bytes(in: column).map { String(decoding: $0, as: UTF8.self) } }

  func integer(in column: Column) -> Int64 { text(in: column).flatMap { Int64($0) } ?? 0 }

  func real(in column: Column) -> Double? { text(in: column).flatMap { Double($0) } }

  func boolean(in column: Column) -> Bool { text(in: column) == "t" }

  func isNull(_ column: Column) -> Bool { rows.isNull(row: index, column: CInt(column.index)) }

  func append(_ column: Column, to image: inout RowImage) {
    rows.append(row: index, column: CInt(column.index), to: &image)
  }
}
