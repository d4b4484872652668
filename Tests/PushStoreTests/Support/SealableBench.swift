import PushStore
import PushStorePostgres
import Testing

/// A store in a database, which others can write.
protocol SealableBench: StoreBench {
  /// The same store, opened with a row key, or without one.
  func open(with key: RowKey?) async throws -> any SealableStore

  /// Runs a statement as somebody does who can write the database, and has not the key.
  func attack(_ sql: String) throws

  /// The first column of what a statement gives to somebody who can read the database.
  func read(_ sql: String) throws -> [String?]
}

/// The kinds of store that are databases.
enum DatabaseEngine: String, CaseIterable, CustomTestStringConvertible {
  case sqlite = "SQLite"
  case postgres = "PostgreSQL"

  var testDescription: String { rawValue }

  /// Starts with an empty store, which is not sealed.
  func start() async throws -> any SealableBench {
    switch self {
    case .sqlite: try await SQLiteBench()
    case .postgres: try await PostgresBench()
    }
  }
}

extension SQLiteBench: SealableBench {
  func open(with key: RowKey?) async throws -> any SealableStore {
    try await SQLiteStore(path: path, rowKey: key, clock: clock)
  }

  func attack(_ sql: String) throws { try application().run(sql) }

  func read(_ sql: String) throws -> [String?] { try application().run(sql).map { $0[0] } }
}

extension PostgresBench: SealableBench {
  func open(with key: RowKey?) async throws -> any SealableStore {
    try await PostgresStore(connectionString: string, rowKey: key)
  }

  func attack(_ sql: String) throws { try application().run(sql) }

  func read(_ sql: String) throws -> [String?] { try application().run(sql).map { $0[0] } }
}
