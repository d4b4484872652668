public import PushCore

/// A store in one SQLite file, for one machine.
///
/// Several processes may use the file at once, and an application writes into its tables by
/// `ATTACH DATABASE … AS sealpush`. The file is readable by its owner alone when it is made; a group may share it. Beside it
/// are a `-wal` and a `-shm`, which belong to it: copy a store with ``backup(to:)``. It must be on a local disk.
///
/// Every call looks whether the path still leads to the file that was opened, and throws ``StoreError/replaced(place:)`` if it
/// does not.
public actor SQLiteStore: TableStore {
  /// The file's path.
  public nonisolated let path: String

  /// The version of the tables that this program knows, and brings a file to.
  public static var version: Int { SQLiteSchema.versions.count }

  private let file: SQLiteFile
  private let thread: StoreThread
  /// Nil once it is closed.
  private var tables: SQLiteTables?
  private let counts: SQLiteCounts
  private let clock: any PushClock

  /// The store's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Opens a file, or makes it, and brings its tables to this version.
  ///
  /// With a row key, it reads only devices whose rows were written with it, and seals the rows that it writes. A new store
  /// is then sealed from its beginning. `patience` is how long a call waits while another process writes.
  ///
  /// - Throws: ``StoreError``; ``StoreError/exposed(place:reason:)`` if anybody can change the file but its owner, root and a
  ///   group of this process; ``StoreError/rowKey(_:place:)`` if the key is not the store's, or the store has devices that
  ///   were never sealed.
  public init(
    path: String, rowKey: RowKey? = nil, patience: Duration = .seconds(5),
    clock: any PushClock = SystemClock()
  ) async throws(StoreError) {
    let thread = StoreThread()
    let result = await thread.run {
      Result { () throws(StoreError) in
        var file = SQLiteFile(path: path, patience: patience, versions: SQLiteSchema.versions)
        try file.prepare()
        return (file, try SQLiteTables(in: file, rowKey: rowKey, clock: clock))
      }
    }
    let (file, tables) = try result.get()
    counts = try await SQLiteCounts(in: file)
    self.file = file
    self.tables = tables
    self.path = path
    self.thread = thread
    self.clock = clock
    try open(with: rowKey)
  }

  /// The error for a row key that is not the store's.
  package func error(for fault: RowKeyFault) -> StoreError { .rowKey(fault, place: path) }

  package func work<Value>(
    _ work: (any StoreTables<SQLiteError>) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    try working { (tables) throws(SQLiteError) in try work(tables) }
  }

  private func working<Value>(
    _ work: (SQLiteTables) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    guard let tables else { throw .failed(place: path, reason: "the store was closed") }
    try file.checkThere()
    do throws(SQLiteError) { return try work(tables) } catch { throw error.storeError(at: path) }
  }

  /// Checks that the path still leads to the file that was opened.
  ///
  /// - Throws: ``StoreError/replaced(place:)``.
  package nonisolated func checkThere() throws(StoreError) { try file.checkThere() }

  /// Closes the file; the last process that closes it leaves one file, without `-wal` and `-shm`.
  ///
  /// Without this call, the file is closed when nothing refers to the store any more. Every later call throws
  /// ``StoreError/failed(place:reason:)``.
  public func close() async {
    tables = nil
    await counts.close()
  }

  // MARK: Waiting and counting

  /// Counts the jobs, which takes a tenth of a second for a million; no other call waits for it.
  public nonisolated func statistics() async throws(StoreError) -> QueueStatistics {
    try await counts.statistics(at: clock.sinceEpoch.inSeconds)
  }

  /// Counts the jobs by topic and push type, which reads the whole table; no other call waits for it.
  public nonisolated func depths(atMost count: Int) async throws(StoreError) -> [QueueDepth] {
    try await counts.depths(atMost: count)
  }

  /// Waits until a job is ready: it looks when the file changes, which it sees within 20 milliseconds, and ten times a
  /// second.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await arrived(within: time) { (tables) throws(SQLiteError) in try tables.jobs.hasReady() }
  }

  /// Waits until an enrolment is ready: it looks when the file changes, which it sees within 20 milliseconds, and ten times a
  /// second.
  public func enrolmentsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await arrived(within: time) { (tables) throws(SQLiteError) in try tables.enrolments.hasReady() }
  }

  private func arrived(
    within time: Duration, look: (SQLiteTables) throws(SQLiteError) -> Bool
  ) async throws(StoreError) -> Bool {
    var (looks, last) = (0, [Int64]())
    return try await Polling.wait(within: time) { () throws(StoreError) in
      defer { looks += 1 }
      return try working { (tables) throws(SQLiteError) in
        let changes = try tables.changes()
        // A row may be ready because its time has come.
        guard changes != last || looks.isMultiple(of: 5) else { return false }
        last = changes
        return try look(tables)
      }
    }
  }

  // MARK: Backup

  /// Copies the store into a new file while it is in use.
  ///
  /// The copy contains everything that was committed before the call began, and perhaps more. It is a store of its own,
  /// and appears under its name when it is complete.
  ///
  /// - Throws: ``StoreError``; ``StoreError/cannotOpen(place:reason:)`` if there is a file with that name.
  public nonisolated func backup(to copy: String) async throws(StoreError) {
    try checkThere()
    let backup = SQLiteBackup(of: path, to: copy)
    let result = await StoreThread().run { Result { () throws(StoreError) in try backup.run() } }
    try result.get()
  }
}
