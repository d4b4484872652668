internal import PushCore
internal import PushEnrolment

/// The table `challenge` in SQLite.
final class SQLiteChallenges: ChallengeTable {
  private let database: Database
  private let clock: any PushClock

  private let counted: Statement
  private let insert: Statement
  private let issued: Query<ChallengeColumns>
  private let spent: Statement
  private let spend: Statement
  private let sweep: Statement

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    counted = try Statement(
      on: database,
      """
      SELECT issued_at FROM challenge WHERE person = ?1 AND issued_at > ?2 AND issued_at <= ?3
      ORDER BY issued_at DESC LIMIT ?4
      """)
    insert = try Statement(
      on: database,
      """
      INSERT INTO challenge (hash, person, login, login_at, topic, registration, mode, issued_at, expires_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """)
    issued = try Query(
      on: database,
      """
      SELECT person, login, login_at, topic, registration, mode, expires_at FROM challenge
      WHERE hash = ?1 AND expires_at > ?2 AND expires_at <= ?3 AND spent_at IS NULL
      """)
    spent = try Statement(
      on: database, "SELECT 1 FROM challenge WHERE hash = ?1 AND spent_at IS NOT NULL")
    spend = try Statement(
      on: database, "UPDATE challenge SET spent_at = ?2 WHERE hash = ?1 AND spent_at IS NULL")
    sweep = try Statement(
      on: database,
      """
      DELETE FROM challenge WHERE hash IN (
        SELECT hash FROM challenge WHERE issued_at <= ?1
        UNION ALL SELECT hash FROM challenge WHERE issued_at > ?2
        LIMIT ?3)
      """)
  }

  /// Seconds since 1970.
  private var now: Double { clock.sinceEpoch.inSeconds }

  func issue(for purpose: ChallengePurpose) throws(SQLiteError) -> Result<Challenge, TooManyChallenges> {
    let (now, challenge, maximum) = (now, Challenge.random(), IssuedChallenge.maximumPerHour)
    let (login, hour) = (purpose.login, IssuedChallenge.countedTime.inSeconds)
    return try database.transaction(.writing) { () throws(SQLiteError) in
      let times = try counted.all(
        .text(login.person), .real(now - hour), .real(now + hour), .integer(Int64(maximum))
      ) { $0.real(in: .only) ?? now }
      if times.count >= maximum, let first = times.last {
        return .failure(TooManyChallenges(oldest: .seconds(now - first)))
      }
      try insert.run(
        .text(challenge.bookHash), .text(login.person), .text(login.id),
        .real(Double(login.beganAt.seconds)),
        .text(purpose.topic.text), .text(purpose.registration), .text(purpose.mode.rawValue), .real(now),
        .real(now + IssuedChallenge.lifetime.inSeconds))
      return .success(challenge)
    } ?? .success(challenge)
  }

  func issued(_ challenge: Challenge) throws(SQLiteError) -> IssuedChallenge? {
    let now = now
    return try issued.all(
      .text(challenge.bookHash), .real(now), .real(now + IssuedChallenge.longestLifetime.inSeconds)
    ) { $1.challenge(in: $0) }.first ?? nil
  }

  func isSpent(_ challenge: Challenge) throws(SQLiteError) -> Bool {
    try spent.first(.text(challenge.bookHash)) { _ in true } ?? false
  }

  /// Spends a challenge, unless it is spent; one that is not in the book is the application's own.
  func spend(_ challenge: Challenge) throws(SQLiteError) -> Bool {
    let isNew = try spend.run(.text(challenge.bookHash), .real(now)) > 0
    if isNew { return true }
    return try !isSpent(challenge)
  }

  func removeOld(atMost count: Int) throws(SQLiteError) -> Int {
    let (now, hour) = (now, IssuedChallenge.countedTime.inSeconds)
    return try sweep.run(.real(now - hour), .real(now + hour), .integer(Int64(max(count, 0))))
  }
}
