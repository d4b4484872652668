internal import CSQLite
internal import Glibc
internal import PushFiles

/// A store's file: created, recognized, and brought to the version of the tables that this program knows.
struct SQLiteFile {
  let path: String
  let patience: Duration
  let versions: [String]

  /// The file that was prepared, whatever path leads to it.
  private var identity: FileIdentity?

  static let pathRule = "a path has at least one byte, and none is 0"

  init(path: String, patience: Duration, versions: [String]) {
    self.path = path
    self.patience = patience
    self.versions = versions
  }

  /// Makes the file if it is missing, and its tables.
  ///
  /// - Throws: ``StoreError``; ``StoreError/exposed(place:reason:)`` if others than those who share the file can change it.
  mutating func prepare() throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .cannotOpen(place: path, reason: Self.pathRule)
    }
    try Self.checkSafe(path)
    // Not `open`, because closing its descriptor would release the locks that this process has on the file.
    if unsafe mknod(path, S_IFREG | 0o600, 0) != 0, errno != EEXIST {
      throw errno == EROFS
        ? .readOnly(place: path) : .cannotOpen(place: path, reason: SystemMessage.text(of: errno))
    }
    try Self.checkSafe(path)
    let database = try open(keeping: .everything)
    identity = Self.identity(of: path)
    try checkThere()
    try migrate(database)
  }

  /// Checks that nobody can change a database's file, or give it a journal, but those who share it; `place` is what errors
  /// name instead of the path.
  ///
  /// - Throws: ``StoreError``.
  static func checkSafe(_ path: String, of place: String? = nil) throws(StoreError) {
    let place = place ?? path
    do throws(SharedFileFault) {
      try SharedFile.check(path, with: ["-wal", "-shm", "-journal"])
    } catch {
      throw error.isExposure
        ? .exposed(place: place, reason: error.description)
        : .cannotOpen(place: place, reason: error.description)
    }
  }

  /// Checks that the path still leads to the file that was prepared.
  ///
  /// It asks for the file's status, and does not open it: closing a descriptor would release the locks that this process has
  /// on the file.
  ///
  /// - Throws: ``StoreError/replaced(place:)``.
  func checkThere() throws(StoreError) {
    guard let identity, Self.identity(of: path) == identity else { throw .replaced(place: path) }
  }

  private static func identity(of path: String) -> FileIdentity? {
    FileStatus(at: path, isFollowingLinks: true)?.identity
  }

  /// What a crash of the machine may take.
  enum Durability: String {
    /// Nothing that was committed.
    case everything = "FULL"
    /// The last transactions.
    case order = "NORMAL"
  }

  /// Opens a connection.
  ///
  /// - Throws: ``StoreError``.
  func open(keeping durability: Durability) throws(StoreError) -> Database {
    try converting { () throws(SQLiteError) in
      let database = try Database(path: path, patience: patience)
      try database.execute(
        """
        PRAGMA synchronous = \(durability.rawValue);
        PRAGMA foreign_keys = ON;
        PRAGMA cell_size_check = ON;
        PRAGMA secure_delete = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA journal_size_limit = 67108864;
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA cache_size = -16384;
        """)
      return database
    }
  }

  private func migrate(_ database: Database) throws(StoreError) {
    while true {
      // Before anything is written, because the file may belong to another program.
      let header = try converting { () throws(SQLiteError) in
        // In one transaction, because another process may be changing the tables.
        try database.transaction(.reading) { () throws(SQLiteError) in try Header(of: database) } ?? Header()
      }
      let version = try version(of: header)
      // Another program may have left the mode for writers that exclude readers.
      try keepJournal(of: database)
      guard version < versions.count else { return }
      let isDone = try converting { () throws(SQLiteError) in
        try database.transaction(.writing) { () throws(SQLiteError) -> Bool? in
          // Another process may have been faster.
          guard try Header(of: database) == header else { return nil }
          for text in versions.dropFirst(version) { try database.execute(text) }
          try database.execute(
            """
            PRAGMA user_version = \(versions.count);
            PRAGMA application_id = \(SQLiteSchema.applicationID);
            """)
          return true
        }
      }
      if isDone != nil { return }
    }
  }

  /// Lets readers read while one writes; waits for others, which SQLite itself does not do here.
  private func keepJournal(of database: Database) throws(StoreError) {
    let (clock, pause) = (ContinuousClock(), useconds_t(10_000))
    let end = clock.now + patience
    try converting { () throws(SQLiteError) in
      while true {
        do throws(SQLiteError) { return try database.execute("PRAGMA journal_mode = WAL") } catch {
          guard error.isBusy, clock.now < end else { throw error }
        }
        usleep(pause)
      }
    }
  }

  /// The version of the tables in a store's file; 0 in an empty one.
  private func version(of header: Header) throws(StoreError) -> Int {
    guard header == Header() || header.application == SQLiteSchema.applicationID else {
      throw .notAStore(place: path)
    }
    guard header.version <= versions.count else {
      throw .newerVersion(Int(header.version), known: versions.count, place: path)
    }
    return Int(header.version)
  }

  /// What tells a store from another database.
  private struct Header: Equatable {
    var application: Int64 = 0
    var version: Int64 = 0
    var tables: Int64 = 0

    init() {}

    init(of database: Database) throws(SQLiteError) {
      application = try Self.number(on: database, "PRAGMA application_id")
      version = try Self.number(on: database, "PRAGMA user_version")
      tables = try Self.number(on: database, "SELECT count(*) FROM sqlite_schema")
    }

    private static func number(on database: Database, _ sql: StaticString) throws(SQLiteError) -> Int64 {
      try Statement(on: database, sql).first { $0.integer(in: .only) } ?? 0
    }
  }

  /// Runs `work` and converts its error.
  func converting<Value>(_ work: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
    do throws(SQLiteError) { return try work() } catch { throw error.storeError(at: path) }
  }
}
