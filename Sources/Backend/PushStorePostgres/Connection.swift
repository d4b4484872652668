internal import CPostgres
internal import Glibc
internal import PushStore

/// A statement whose text is part of the program, and its values.
struct Command {
  let sql: StaticString
  let values: [Value]

  /// Whether it is ``begin``.
  let opensTransaction: Bool

  /// Opens a transaction in which each statement sees what was committed before it.
  static let begin = Command("BEGIN ISOLATION LEVEL READ COMMITTED", opensTransaction: true)
  static let commit = Command("COMMIT")
  static let rollback = Command("ROLLBACK")

  init(_ sql: StaticString, with values: [Value] = []) {
    self.init(sql, with: values, opensTransaction: false)
  }

  private init(_ sql: StaticString, with values: [Value] = [], opensTransaction: Bool) {
    self.sql = sql
    self.values = values
    self.opensTransaction = opensTransaction
  }
}

/// A connection to a server, for one thread at a time.
///
/// Statements are prepared when they are first run. Statements that are sent together are answered in one round trip.
///
/// Behind a pooler, the next transaction may be another session's, which others use as well. So nothing is prepared there,
/// no notifications are asked for, and the settings are those of each transaction alone.
@safe
final class Connection {
  private let handle: OpaquePointer
  private var silence: Duration
  private var names: [String: String] = [:]
  private var lastName = 0
  private let settings: SessionSettings

  /// Whether a pooler stands before the server.
  private(set) var isPooled = true

  /// Whether the server notifies of what arrives.
  private(set) var isListening = false
  private var news: Set<PostgresSchema.Channel> = []

  /// Connects.
  ///
  /// `patience` is how long the server may work on a statement, which it then ends. If the server says nothing for twice as
  /// long, the connection is given up.
  ///
  /// `named` gets the names of the server and the database, also if there is no connection.
  ///
  /// - Throws: ``PostgresError``.
  init(
    to string: ConnectionString, patience: Duration, settings: SessionSettings, named: (String) -> Void
  ) throws(PostgresError) {
    self.settings = settings
    // The string's own values come later, and take precedence.
    let seconds = "\(max(patience.components.seconds, 2))"
    var options = [
      ("fallback_application_name", "sealedpush"), ("dbname", string.exposedText),
      ("client_encoding", "UTF8"),
    ]
    if unsafe getenv("PGCONNECT_TIMEOUT") == nil { options.insert(("connect_timeout", seconds), at: 0) }
    options.insert(contentsOf: string.security, at: 0)
    let texts = CStrings(options.flatMap { [$0.0, $0.1] } + [nil, nil])
    guard let handle = unsafe texts.withPointers({ unsafe Self.connect(with: $0) }) else {
      throw .lost("out of memory")
    }
    unsafe self.handle = handle
    silence = patience * 2
    let server = unsafe [PQhost(handle), PQport(handle), PQdb(handle)].map {
      unsafe $0.map { unsafe String(cString: $0) } ?? ""
    }
    named("\(server[0]):\(server[1])/\(server[2])")
    // Otherwise notices, which may show rows, go to the standard error.
    unsafe PQsetNoticeReceiver(handle, { _, _ in }, nil)
    guard unsafe PQstatus(handle) == CONNECTION_OK else { throw lost() }
    unsafe PQsetnonblocking(handle, 1)
    try meetServer()
  }

  /// Finds out whether the session is this connection's own, and sets it up if so.
  private func meetServer() throws(PostgresError) {
    // A pooler answers a new connection with a number that it has made up.
    let backend = try run("SELECT pg_catalog.pg_backend_pid()").first?.integer(in: .only)
    isPooled = backend != Int64(unsafe PQbackendPID(handle))
    if !isPooled { _ = try run(settings.commands(forTransaction: false)) }
  }

  deinit { unsafe PQfinish(handle) }

  /// `pairs` alternates keywords and values.
  @unsafe private static func connect(with pairs: UnsafeBufferPointer<UnsafePointer<CChar>?>)
    -> OpaquePointer?
  {
    let keywords = unsafe stride(from: 0, to: pairs.count, by: 2).map { unsafe pairs[$0] }
    let values = unsafe stride(from: 1, to: pairs.count, by: 2).map { unsafe pairs[$0] }
    return unsafe PQconnectdbParams(keywords, values, 1)
  }

  // MARK: Statements

  /// Runs statements in one transaction and one round trip, and returns the rows of each.
  ///
  /// If one fails, those before it are rolled back, unless they began with `BEGIN`.
  ///
  /// - Throws: ``PostgresError`` of the first one that failed.
  func run(_ commands: [Command]) throws(PostgresError) -> [Rows] {
    let framed = framed(commands)
    try check(unsafe PQenterPipelineMode(handle))
    var awaited: [Awaited] = []
    for (command, isFrame) in framed {
      let results = try send(command)
      awaited += isFrame ? results.map { _ in .frame } : results
    }
    try check(unsafe PQpipelineSync(handle))
    try flush()
    var rows: [Rows] = []
    var failure: PostgresError?
    for awaited in awaited {
      let answer = try answer()
      switch (answer, awaited) {
      case (.success(let answer), .rows): rows.append(answer)
      case (.success, .preparation), (_, .frame): break
      case (_, .preparation(let text)): names[text] = nil
      case (nil, .rows), (.failure, .rows): break
      }
      if case .failure(let error) = answer { failure = failure ?? error }
    }
    // The end of the pipeline.
    unsafe PQclear(try next())
    try check(unsafe PQexitPipelineMode(handle))
    if let failure {
      if framed.last?.isFrame == true { try execute("ROLLBACK") }
      throw failure
    }
    return rows
  }

  /// The statements, and what a transaction behind a pooler needs besides: settings, a beginning and an end.
  private func framed(_ commands: [Command]) -> [(command: Command, isFrame: Bool)] {
    let body = commands.map { (command: $0, isFrame: false) }
    guard isPooled, isIdle else { return body }
    let settings = settings.commands(forTransaction: true).map { (command: $0, isFrame: true) }
    guard commands.first?.opensTransaction != true else {
      return body.prefix(1) + settings + body.dropFirst()
    }
    return [(.begin, true)] + settings + body + [(.commit, true)]
  }

  /// Runs one statement in a transaction of its own, unless one is open, and returns its rows.
  ///
  /// - Throws: ``PostgresError``.
  func run(_ sql: StaticString, with values: Value...) throws(PostgresError) -> Rows {
    try run([Command(sql, with: values)])[0]
  }

  /// Lets the server say nothing for as long as `time` while `body` runs.
  ///
  /// - Throws: ``PostgresError``.
  func waiting<Value>(
    upTo time: Duration, body: () throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    let usual = silence
    defer { silence = usual }
    silence = time
    return try body()
  }

  /// Runs statements that have no values and whose rows do not matter.
  ///
  /// - Throws: ``PostgresError`` of the first one that failed.
  func execute(_ sql: String) throws(PostgresError) {
    try check(unsafe PQsendQuery(handle, sql))
    try flush()
    var failure: PostgresError?
    while let result = unsafe try next() {
      if case .failure(let error) = unsafe Self.answer(in: result) { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Whether no transaction is open.
  var isIdle: Bool { unsafe PQtransactionStatus(handle) == PQTRANS_IDLE }

  private enum Awaited {
    /// That a statement of this text is prepared.
    case preparation(String)
    /// What the caller has not asked for.
    case frame
    case rows
  }

  private func send(_ command: Command) throws(PostgresError) -> [Awaited] {
    let text = "\(command.sql)"
    let texts = CStrings(command.values.map(\.text))
    if isPooled {
      let status = unsafe texts.withPointers { values in
        unsafe PQsendQueryParams(handle, text, CInt(values.count), nil, values.baseAddress, nil, nil, 0)
      }
      try check(status)
      return [.rows]
    }
    let known = names[text]
    if known == nil { lastName += 1 }
    let name = known ?? "s\(lastName)"
    if known == nil { try check(unsafe PQsendPrepare(handle, name, text, 0, nil)) }
    names[text] = name
    let status = unsafe texts.withPointers { values in
      unsafe PQsendQueryPrepared(handle, name, CInt(values.count), values.baseAddress, nil, nil, 0)
    }
    try check(status)
    return known == nil ? [.preparation(text), .rows] : [.rows]
  }

  // MARK: Answers

  /// The answer to a statement in a pipeline; nil if it was not run because one before it failed.
  private func answer() throws(PostgresError) -> Result<Rows, PostgresError>? {
    guard let result = unsafe try next() else { throw lost() }
    // Each statement's results end with none.
    while let more = unsafe try next() { unsafe PQclear(more) }
    return unsafe Self.answer(in: result)
  }

  @unsafe private static func answer(in result: OpaquePointer) -> Result<Rows, PostgresError>? {
    let rows = unsafe Rows(result)
    switch unsafe PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return .success(rows)
    case PGRES_PIPELINE_ABORTED: return nil
    default: return .failure(unsafe PostgresError(in: result))
    }
  }

  /// The next result, when it is there; nil at the end of a statement's.
  private func next() throws(PostgresError) -> OpaquePointer? {
    while unsafe PQisBusy(handle) != 0 {
      try wait(for: Int16(POLLIN))
      try check(unsafe PQconsumeInput(handle))
    }
    let result = unsafe PQgetResult(handle)
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      let error = unsafe result.map { unsafe PostgresError(in: $0) }
      unsafe PQclear(result)
      throw .lost(error.map(\.text).flatMap { $0.isEmpty ? nil : $0 } ?? lost().text)
    }
    return unsafe result
  }

  /// Sends what waits to be sent, and reads what the server says meanwhile, so that neither side waits for the other.
  private func flush() throws(PostgresError) {
    while true {
      let rest = unsafe PQflush(handle)
      guard rest >= 0 else { throw lost() }
      if rest == 0 { return }
      try wait(for: Int16(POLLIN | POLLOUT))
      try check(unsafe PQconsumeInput(handle))
    }
  }

  private func wait(for events: Int16) throws(PostgresError) {
    guard Self.poll(unsafe PQsocket(handle), for: events, within: silence) else {
      throw .lost("the server has said nothing for \(silence.components.seconds) seconds")
    }
  }

  /// Waits until a socket can be read or written, or has an end; false when the time is up.
  private static func poll(_ socket: CInt, for events: Int16, within time: Duration) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    while true {
      let rest = max(clock.now.duration(to: end), .zero)
      var entry = pollfd(fd: socket, events: events, revents: 0)
      let count = unsafe Glibc.poll(&entry, 1, CInt(clamping: Int64(rest.inSeconds * 1000)))
      if count > 0 { return true }
      guard count < 0, errno == EINTR else { return false }
    }
  }

  // MARK: Between statements

  /// Takes in what the server has said, and returns whether it is there, as far as is known without asking it.
  func isAlive() -> Bool {
    while Self.poll(unsafe PQsocket(handle), for: Int16(POLLIN), within: .zero) {
      guard unsafe PQconsumeInput(handle) == 1 else { return false }
    }
    // Notifications that nobody takes would pile up.
    while let notification = unsafe PQnotifies(handle) {
      if let channel = unsafe PostgresSchema.Channel(rawValue: String(cString: notification.pointee.relname))
      {
        news.insert(channel)
      }
      unsafe PQfreemem(notification)
    }
    return unsafe PQstatus(handle) == CONNECTION_OK
  }

  /// Asks for notifications, which a pooler does not bring.
  ///
  /// - Throws: ``PostgresError``.
  func listen() throws(PostgresError) {
    try execute(PostgresSchema.listening)
    isListening = true
    // What has arrived before was not notified of.
    news = Set(PostgresSchema.Channel.allCases)
  }

  /// Whether a notification was taken in since the last time.
  func takeNews(of channel: PostgresSchema.Channel) -> Bool { news.remove(channel) != nil }

  private func check(_ status: CInt) throws(PostgresError) {
    guard status == 1 else { throw lost() }
  }

  private func lost() -> PostgresError { .lost(unsafe String(cString: PQerrorMessage(handle))) }
}
