public import PushCore
public import PushEnrolment
internal import PushKeys

/// A store in one SQLite file, for one machine.
///
/// Several processes may use the file at once, and an application writes into its tables by
/// `ATTACH DATABASE … AS sealpush`. The file is readable by its owner alone when it is made. Beside it are a `-wal` and a
/// `-shm`, which belong to it: copy a store with ``backup(to:)``. It must be on a local disk.
public actor SQLiteStore: Store {
  /// The file's path.
  public nonisolated let path: String

  /// The version of the tables that this program knows, and brings a file to.
  public static var version: Int { SQLiteSchema.versions.count }

  private let thread: StoreThread
  /// Nil once it is closed.
  private var tables: SQLiteTables?
  private let counts: SQLiteCounts
  private let clock: any PushClock

  /// The store's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Opens a file, or makes it, and brings its tables to this version.
  ///
  /// `patience` is how long a call waits while another process writes.
  ///
  /// - Throws: ``StoreError``.
  public init(
    path: String, patience: Duration = .seconds(5), clock: any PushClock = SystemClock()
  ) async throws(StoreError) {
    let thread = StoreThread()
    let file = SQLiteFile(path: path, patience: patience, versions: SQLiteSchema.versions)
    let tables = await thread.run {
      Result { () throws(StoreError) in
        try file.prepare()
        return try SQLiteTables(in: file)
      }
    }
    let opened = try tables.get()
    counts = try await SQLiteCounts(in: file)
    self.tables = opened
    self.path = path
    self.thread = thread
    self.clock = clock
  }

  private var now: Double { clock.sinceEpoch.inSeconds }

  /// Runs `work` on the tables, and converts its error.
  private func work<Value>(
    _ work: (SQLiteTables) throws(SQLiteError) -> Value
  ) throws(StoreError) -> Value {
    guard let tables else { throw .failed(place: path, reason: "the store was closed") }
    do throws(SQLiteError) { return try work(tables) } catch { throw error.storeError(at: path) }
  }

  /// Closes the file: whoever closes it last leaves all of it in one file, without `-wal` and `-shm`.
  ///
  /// Without this call, that is so when nothing refers to the store any more. Every later call throws
  /// ``StoreError/failed(place:reason:)``.
  public func close() async {
    tables = nil
    await counts.close()
  }

  // MARK: JobQueue

  /// Adds jobs.
  @discardableResult
  public func enqueue(_ jobs: [Job]) throws(StoreError) -> [JobID] {
    try work { (tables) throws(SQLiteError) in try tables.jobs.enqueue(jobs, at: now) }
  }

  /// Leases jobs.
  public func lease(
    atMost count: Int, for time: Duration, sender: Thumbprint?
  ) throws(StoreError) -> [LeasedJob] {
    try work { (tables) throws(SQLiteError) in
      try tables.jobs.lease(atMost: count, for: time.inSeconds, sender: sender, at: now)
    }
  }

  /// Lets leases end later.
  @discardableResult
  public func extend(_ leases: [Lease], for time: Duration) throws(StoreError) -> [Lease] {
    try work { (tables) throws(SQLiteError) in try tables.jobs.extend(leases, until: now + time.inSeconds) }
  }

  /// Removes jobs that are done.
  @discardableResult
  public func acknowledge(_ leases: [Lease]) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.jobs.acknowledge(leases) }
  }

  /// Lets jobs be leased again.
  @discardableResult
  public func retry(_ retries: [JobRetry]) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.jobs.retry(retries, at: now) }
  }

  /// Moves jobs to the dead letters.
  @discardableResult
  public func discard(_ discards: [JobDiscard]) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.jobs.discard(discards, at: now) }
  }

  /// Lists dead letters.
  public func deadLetters(after job: JobID?, atMost count: Int) throws(StoreError) -> [DeadLetter] {
    try work { (tables) throws(SQLiteError) in try tables.jobs.deadLetters(after: job, atMost: count) }
  }

  /// Makes dead letters ready again.
  @discardableResult
  public func resend(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.jobs.resend(jobs, at: now) }
  }

  /// Removes dead letters.
  @discardableResult
  public func delete(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.jobs.delete(jobs) }
  }

  /// Counts the jobs: a tenth of a second for a million, for which no other call waits.
  public nonisolated func statistics() async throws(StoreError) -> QueueStatistics {
    try await counts.statistics(at: clock.sinceEpoch.inSeconds)
  }

  /// How long the oldest ready job has been ready.
  public func oldestReady() throws(StoreError) -> Duration? {
    try work { (tables) throws(SQLiteError) in try tables.jobs.oldestReady(at: now) }
  }

  /// The number of the job that was enqueued last.
  public func lastJob() throws(StoreError) -> JobID? {
    try work { (tables) throws(SQLiteError) in try tables.jobs.lastJob() }
  }

  /// Waits until a job is ready: it looks twenty times a second.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await Polling.wait(within: time) { () throws(StoreError) in
      try work { (tables) throws(SQLiteError) in try tables.jobs.hasReady(at: now) }
    }
  }

  // MARK: DeviceDirectory

  /// The devices of persons.
  public func devices(
    of persons: [String], includingQuarantined: Bool
  ) throws(StoreError) -> [[StoredDevice]] {
    try work { (tables) throws(SQLiteError) in
      try tables.devices.devices(of: persons, includingQuarantined: includingQuarantined)
    }
  }

  /// The devices in the order of their names.
  public func devices(after name: String?, atMost count: Int) throws(StoreError) -> [StoredDevice] {
    try work { (tables) throws(SQLiteError) in try tables.devices.devices(after: name, atMost: count) }
  }

  /// A registration.
  public func registration(named name: String) throws(StoreError) -> VersionedRegistration? {
    try work { (tables) throws(SQLiteError) in try tables.devices.registration(named: name) }
  }

  /// The registrations that an enrolment may be in conflict with.
  public func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    let place = Neighbourhood(of: enrolment, named: name)
    return try work { (tables) throws(SQLiteError) in
      try tables.devices.neighbours(of: place, pending: count)
    }
  }

  /// The registrations with an address.
  public func registrations(
    at address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    try work { (tables) throws(SQLiteError) in
      try tables.devices.registrations(at: address, after: name, atMost: count)
    }
  }

  /// Makes conditional writes.
  public func apply(_ changes: [RegistrationChange]) throws(StoreError) -> Bool {
    try work { (tables) throws(SQLiteError) in try tables.devices.apply(changes, at: now) } ?? false
  }

  /// Sends nothing more to an address.
  @discardableResult
  public func quarantine(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.devices.quarantine(address, at: now) }
  }

  /// Ends a quarantine.
  @discardableResult
  public func release(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.devices.release(address) }
  }

  /// Removes everything of a person.
  @discardableResult
  public func forget(person: String) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in try tables.forget(person: person) }
  }

  // MARK: EnrolmentInbox

  /// Leases enrolments.
  public func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) throws(StoreError) -> [LeasedEnrolment] {
    try work { (tables) throws(SQLiteError) in
      try tables.enrolments.lease(atMost: count, until: now + time.inSeconds, at: now)
    }
  }

  /// Writes an answer.
  @discardableResult
  public func answer(_ lease: EnrolmentLease, with answer: EnrolmentAnswer) throws(StoreError) -> Bool {
    try work { (tables) throws(SQLiteError) in try tables.enrolments.answer(lease, with: answer, at: now) }
  }

  /// Makes conditional writes while a lease is valid.
  public func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease
  ) throws(StoreError) -> Bool? {
    try work { (tables) throws(SQLiteError) in
      try tables.devices.apply(changes, at: now) { () throws(SQLiteError) in
        try tables.enrolments.isValid(lease)
      }
    }
  }

  /// Removes old answers.
  @discardableResult
  public func removeAnswered(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(SQLiteError) in
      try tables.enrolments.removeAnswered(before: now - age.inSeconds, atMost: count)
    }
  }

  // MARK: Backup

  /// Copies the store into a new file while it is in use: what was committed before the call began, and perhaps more.
  ///
  /// The copy is a store of its own. It appears under its name when it is whole.
  ///
  /// - Throws: ``StoreError``; ``StoreError/cannotOpen(place:reason:)`` if there is a file with that name.
  public nonisolated func backup(to copy: String) async throws(StoreError) {
    let backup = SQLiteBackup(of: path, to: copy)
    let result = await StoreThread().run { Result { () throws(StoreError) in try backup.run() } }
    try result.get()
  }
}
