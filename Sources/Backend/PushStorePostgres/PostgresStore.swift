public import PushCore
public import PushEnrolment
internal import PushKeys
public import PushStore

/// A store in a PostgreSQL database, in the schema `sealpush`, for any number of machines.
///
/// It has one connection, and another to count; one call at a time uses it: make another store for more. A lost connection
/// is `StoreError.unreachable`, and the next call makes another. The time is the server's alone.
public actor PostgresStore: Store {
  private let thread: StoreThread
  private let tables: PostgresTables
  private let counts: PostgresCounts

  /// The store's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Connects to a database, and brings its tables to this version.
  ///
  /// `connectionString` is what every program that uses libpq takes, `postgresql://…` or `host=… sslmode=…`; what it does
  /// not say comes from libpq's environment variables and files. Nothing ever shows it. `patience` is how long a
  /// connection and a statement may take, at least a second.
  ///
  /// - Throws: `StoreError`.
  public init(
    connectionString: String, patience: Duration = .seconds(30)
  ) async throws(StoreError) {
    let string = try ConnectionString(connectionString)
    let thread = StoreThread()
    let tables = await thread.run {
      Result { () throws(StoreError) in
        let tables = PostgresTables(on: Server(connectionString: string, patience: patience))
        try Migration(server: tables.server, versions: PostgresSchema.versions).run()
        return tables
      }
    }
    self.tables = try tables.get()
    self.thread = thread
    // No worker waits for it, and with hundreds of millions of jobs it takes minutes.
    counts = PostgresCounts(connectionString: string, patience: max(patience, .seconds(600)))
  }

  /// Runs `work` on the tables, and converts its error.
  private func work<Value>(
    _ work: (PostgresTables) throws(PostgresError) -> Value
  ) throws(StoreError) -> Value {
    try tables.server.converting { () throws(PostgresError) in try work(tables) }
  }

  // MARK: JobQueue

  /// Adds jobs.
  @discardableResult
  public func enqueue(_ jobs: [Job]) throws(StoreError) -> [JobID] {
    try work { (tables) throws(PostgresError) in try tables.jobs.enqueue(jobs) }
  }

  /// Leases jobs.
  public func lease(
    atMost count: Int, for time: Duration, sender: Thumbprint?
  ) throws(StoreError) -> [LeasedJob] {
    try work { (tables) throws(PostgresError) in
      try tables.jobs.lease(atMost: count, for: time, sender: sender)
    }
  }

  /// Lets leases end later.
  @discardableResult
  public func extend(_ leases: [Lease], for time: Duration) throws(StoreError) -> [Lease] {
    try work { (tables) throws(PostgresError) in try tables.jobs.extend(leases, for: time) }
  }

  /// Removes jobs that are done.
  @discardableResult
  public func acknowledge(_ leases: [Lease]) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.jobs.acknowledge(leases) }
  }

  /// Lets jobs be leased again.
  @discardableResult
  public func retry(_ retries: [JobRetry]) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.jobs.retry(retries) }
  }

  /// Moves jobs to the dead letters.
  @discardableResult
  public func discard(_ discards: [JobDiscard]) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.jobs.discard(discards) }
  }

  /// Lists dead letters.
  public func deadLetters(after job: JobID?, atMost count: Int) throws(StoreError) -> [DeadLetter] {
    try work { (tables) throws(PostgresError) in try tables.jobs.deadLetters(after: job, atMost: count) }
  }

  /// Makes dead letters ready again.
  @discardableResult
  public func resend(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.jobs.resend(jobs) }
  }

  /// Removes dead letters.
  @discardableResult
  public func delete(_ jobs: [JobID]) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.jobs.delete(jobs) }
  }

  /// Counts the jobs: it reads the whole table, for which no other call waits.
  public nonisolated func statistics() async throws(StoreError) -> QueueStatistics {
    try await counts.statistics()
  }

  /// How long the oldest ready job has been ready.
  public func oldestReady() throws(StoreError) -> Duration? {
    try work { (tables) throws(PostgresError) in try tables.jobs.oldestReady() }
  }

  /// The number of the job that was enqueued last.
  public func lastJob() throws(StoreError) -> JobID? {
    try work { (tables) throws(PostgresError) in try tables.jobs.lastJob() }
  }

  /// Waits until a job is ready: the server says when one arrives, and is asked four times a second.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    var looks = 0
    return try await Polling.wait(within: time) { () throws(StoreError) in
      defer { looks += 1 }
      return try work { (tables) throws(PostgresError) in
        guard try tables.server.hasNews() || looks.isMultiple(of: 5) else { return false }
        return try tables.jobs.hasReady()
      }
    }
  }

  // MARK: DeviceDirectory

  /// The devices of persons.
  public func devices(
    of persons: [String], includingQuarantined: Bool
  ) throws(StoreError) -> [[StoredDevice]] {
    try work { (tables) throws(PostgresError) in
      try tables.devices.devices(of: persons, includingQuarantined: includingQuarantined)
    }
  }

  /// The devices in the order of their names.
  public func devices(after name: String?, atMost count: Int) throws(StoreError) -> [StoredDevice] {
    try work { (tables) throws(PostgresError) in try tables.devices.devices(after: name, atMost: count) }
  }

  /// A registration.
  public func registration(named name: String) throws(StoreError) -> VersionedRegistration? {
    try work { (tables) throws(PostgresError) in try tables.devices.registration(named: name) }
  }

  /// The registrations that an enrolment may be in conflict with.
  public func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    let place = Neighbourhood(of: enrolment, named: name)
    return try work { (tables) throws(PostgresError) in
      try tables.devices.neighbours(of: place, pending: count)
    }
  }

  /// The registrations with an address.
  public func registrations(
    at address: DeviceAddress, after name: String?, atMost count: Int
  ) throws(StoreError) -> [VersionedRegistration] {
    try work { (tables) throws(PostgresError) in
      try tables.devices.registrations(at: address, after: name, atMost: count)
    }
  }

  /// Makes conditional writes.
  public func apply(_ changes: [RegistrationChange]) throws(StoreError) -> Bool {
    try work { (tables) throws(PostgresError) in try tables.devices.apply(changes) } ?? false
  }

  /// Sends nothing more to an address.
  @discardableResult
  public func quarantine(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.devices.quarantine(address) }
  }

  /// Ends a quarantine.
  @discardableResult
  public func release(_ address: DeviceAddress) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.devices.release(address) }
  }

  /// Removes everything of a person.
  @discardableResult
  public func forget(person: String) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in try tables.forget(person: person) }
  }

  // MARK: EnrolmentInbox

  /// Leases enrolments.
  public func leaseEnrolments(
    atMost count: Int, for time: Duration
  ) throws(StoreError) -> [LeasedEnrolment] {
    try work { (tables) throws(PostgresError) in
      try tables.enrolments.lease(atMost: count, for: time)
    }
  }

  /// Writes an answer.
  @discardableResult
  public func answer(_ lease: EnrolmentLease, with answer: EnrolmentAnswer) throws(StoreError) -> Bool {
    try work { (tables) throws(PostgresError) in try tables.enrolments.answer(lease, with: answer) }
  }

  /// Makes conditional writes while a lease is valid.
  public func apply(
    _ changes: [RegistrationChange], under lease: EnrolmentLease
  ) throws(StoreError) -> Bool? {
    try work { (tables) throws(PostgresError) in
      try tables.devices.apply(changes, if: PostgresEnrolments.holding(lease))
    }
  }

  /// Removes old answers.
  @discardableResult
  public func removeAnswered(olderThan age: Duration, atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(PostgresError) in
      try tables.enrolments.removeAnswered(olderThan: age, atMost: count)
    }
  }
}
