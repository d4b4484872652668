internal import CSQLite
internal import PushCore

/// A prepared statement, whose text is part of the program and whose values are bound.
@safe
final class Statement: ColumnNames {
  /// A value to bind.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    static func optional(_ number: Int64?) -> Value { number.map { .integer($0) } ?? .null }

    static func optional(_ number: Double?) -> Value { number.map { .real($0) } ?? .null }

    /// A list in JSON, for `json_each`.
    static func list(_ items: [JSONValue]) -> Value {
      .text(String(decoding: JSONValue.array(items).encoded(), as: UTF8.self))
    }
  }

  private let handle: OpaquePointer
  private let database: Database

  /// Prepares a statement.
  ///
  /// - Throws: ``SQLiteError``.
  init(on database: Database, _ sql: StaticString) throws(SQLiteError) {
    var handle: OpaquePointer?
    let text = "\(sql)"
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try database.check(unsafe sqlite3_prepare_v3(database.handle, text, -1, flags, &handle, nil))
    guard let handle = unsafe handle else { preconditionFailure("the text has a statement") }
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement, and returns how many rows it changed.
  ///
  /// - Throws: ``SQLiteError``.
  @discardableResult
  func run(_ values: Value...) throws(SQLiteError) -> Int { try run(values) }

  /// Runs the statement, and returns how many rows it changed.
  ///
  /// - Throws: ``SQLiteError``.
  @discardableResult
  func run(_ values: [Value]) throws(SQLiteError) -> Int {
    try each(values) { _ in }
    return database.changes
  }

  /// Runs the statement, and returns what `read` makes of its first row; nil if there is none.
  ///
  /// - Throws: ``SQLiteError``.
  func first<Result>(_ values: Value..., read: (borrowing Row) -> Result) throws(SQLiteError) -> Result? {
    try all(values, read: read).first
  }

  /// Runs the statement, and returns what `read` makes of each row.
  ///
  /// - Throws: ``SQLiteError``.
  func all<Result>(_ values: Value..., read: (borrowing Row) -> Result) throws(SQLiteError) -> [Result] {
    try all(values, read: read)
  }

  /// Runs the statement, and returns what `read` makes of each row.
  ///
  /// - Throws: ``SQLiteError``.
  func all<Result>(_ values: [Value], read: (borrowing Row) -> Result) throws(SQLiteError) -> [Result] {
    var results: [Result] = []
    try each(values) { results.append(read($0)) }
    return results
  }

  /// Runs the statement, and calls `body` with each row.
  ///
  /// - Throws: ``SQLiteError``.
  func each(_ values: [Value], body: (borrowing Row) -> Void) throws(SQLiteError) {
    // A statement that waits on a row would keep its transaction open.
    defer {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() { try database.check(bind(value, at: CInt(index + 1))) }
    while true {
      let code = unsafe sqlite3_step(handle)
      try database.check(code)
      guard code == SQLITE_ROW else { return }
      body(unsafe Row(handle))
    }
  }

  func index(of name: String) -> Int? {
    unsafe (0..<sqlite3_column_count(handle)).first { column in
      unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } == name
    }.map { Int($0) }
  }

  private func bind(_ value: Value, at index: CInt) -> CInt {
    switch value {
    case .null: unsafe sqlite3_bind_null(handle, index)
    case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
    case .real(let number): unsafe sqlite3_bind_double(handle, index, number)
    case .text(let text): unsafe sqlite_bind_utf8(handle, index, text, text.utf8.count)
    }
  }
}

/// A statement whose rows have columns that a decoder reads.
struct Query<Columns: RowColumns> {
  private let statement: Statement
  private let columns: Columns

  /// Prepares a statement, and finds the columns of its rows.
  ///
  /// - Throws: ``SQLiteError``.
  init(on database: Database, _ sql: StaticString) throws(SQLiteError) {
    statement = try Statement(on: database, sql)
    columns = Columns(in: statement)
  }

  /// Runs the statement, and returns what `read` makes of each row.
  ///
  /// - Throws: ``SQLiteError``.
  func all<Result>(
    _ values: Statement.Value..., read: (borrowing Row, Columns) -> Result
  ) throws(SQLiteError) -> [Result] {
    try all(values, read: read)
  }

  /// Runs the statement, and returns what `read` makes of each row.
  ///
  /// - Throws: ``SQLiteError``.
  func all<Result>(
    _ values: [Statement.Value], read: (borrowing Row, Columns) -> Result
  ) throws(SQLiteError) -> [Result] {
    try statement.all(values) { row in read(row, columns) }
  }

  /// Runs the statement, and calls `body` with each row.
  ///
  /// - Throws: ``SQLiteError``.
  func each(
    _ values: [Statement.Value], body: (borrowing Row, Columns) -> Void
  ) throws(SQLiteError) {
    try statement.each(values) { row in body(row, columns) }
  }
}

/// The row that a statement is at, for as long as it is.
@safe
struct Row: ~Copyable, StoreRow {
  private let handle: OpaquePointer

  @unsafe fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  func integer(in column: Column) -> Int64 { unsafe sqlite3_column_int64(handle, CInt(column.index)) }

  /// A column's number; nil if it is null, 0 if it is none.
  func real(in column: Column) -> Double? {
    isNull(column) ? nil : unsafe sqlite3_column_double(handle, CInt(column.index))
  }

  func boolean(in column: Column) -> Bool { integer(in: column) != 0 }

  /// A column as text, numbers too; nil if it is null.
  func text(in column: Column) -> String? {
    unsafe withBytes(in: column) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The first bytes of a column as text, numbers too; nil if it is null.
  func bytes(in column: Column, atMost maximum: Int) -> [UInt8]? {
    unsafe withBytes(in: column) { unsafe Array($0.prefix(maximum)) }
  }

  func append(_ column: Column, to image: inout RowImage) {
    let found: Void? = unsafe withBytes(in: column) { unsafe image.append(field: $0) }
    if found == nil { unsafe image.append(field: nil) }
  }

  func isNull(_ column: Column) -> Bool {
    unsafe sqlite3_column_type(handle, CInt(column.index)) == SQLITE_NULL
  }

  /// What `body` makes of a column's bytes, which are only there for the call; nil if the column is null.
  @unsafe private func withBytes<Value>(
    in column: Column, body: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    guard !isNull(column) else { return nil }
    let index = CInt(column.index)
    // This first, because it makes text of a number.
    guard let start = unsafe sqlite3_column_blob(handle, index) else {
      return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return unsafe body(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
  }
}
