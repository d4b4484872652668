internal import PushCore
internal import PushEnrolment
internal import PushStore

/// The table `challenge` in PostgreSQL.
struct PostgresChallenges: ChallengeTable {
  let server: Server

  func issue(
    for purpose: ChallengePurpose
  ) throws(PostgresError) -> Result<Challenge, TooManyChallenges> {
    let (challenge, login) = (Challenge.random(), purpose.login)
    let limit: [Value] = [
      .text(login.person), .seconds(IssuedChallenge.countedTime), .integer(IssuedChallenge.maximumPerHour),
    ]
    let rows = try server.run([
      // Transactions for the same person count one after the other.
      Command(
        "SELECT pg_advisory_xact_lock(hashtextextended($1::text, $2::bigint))",
        with: [.text(login.person), .integer(Int64(PostgresSchema.lock))]),
      Command(
        """
        INSERT INTO sealpush.challenge (hash, person, login, login_at, topic, registration, mode, issued_at, expires_at)
        SELECT $4::text, $1::text, $5::text, to_timestamp($6::bigint), $7::text, $8::text, $9::text, time,
          time + make_interval(secs => $10::float8)
        FROM (SELECT sealpush.now() AS time) AS clock
        WHERE (
          SELECT count(*) FROM sealpush.challenge
          WHERE person = $1::text AND issued_at > time - make_interval(secs => $2::float8)
            AND issued_at <= time + make_interval(secs => $2::float8)) < $3::integer
        """,
        with: limit + [
          .text(challenge.bookHash), .text(login.id), .integer(login.beganAt.seconds),
          .text(purpose.topic.text),
          .text(purpose.registration), .text(purpose.mode.rawValue), .seconds(IssuedChallenge.lifetime),
        ]),
      Command(
        """
        SELECT extract(epoch FROM time - issued_at) FROM sealpush.challenge, (SELECT sealpush.now() AS time) AS clock
        WHERE person = $1::text AND issued_at > time - make_interval(secs => $2::float8)
          AND issued_at <= time + make_interval(secs => $2::float8)
        ORDER BY issued_at DESC OFFSET $3::integer - 1 LIMIT 1
        """, with: limit),
    ])
    guard rows[1].changes == 0 else { return .success(challenge) }
    return .failure(TooManyChallenges(oldest: .seconds(rows[2].first?.real(in: .only) ?? 0)))
  }

  func issued(_ challenge: Challenge) throws(PostgresError) -> IssuedChallenge? {
    try server.run(
      """
      SELECT left(person, 256) AS person, left(login, 256) AS login, extract(epoch FROM login_at) AS login_at,
        left(topic, 256) AS topic, left(registration, 256) AS registration, mode,
        extract(epoch FROM expires_at) AS expires_at
      FROM sealpush.challenge, (SELECT sealpush.now() AS time) AS clock
      WHERE hash = $1::text AND spent_at IS NULL AND expires_at > time AND expires_at <= time + make_interval(secs => $2::float8)
      """, with: .text(challenge.bookHash), .seconds(IssuedChallenge.longestLifetime)
    ).map(ChallengeColumns.self) { $1.challenge(in: $0) }.first ?? nil
  }

  func isSpent(_ challenge: Challenge) throws(PostgresError) -> Bool {
    try server.run(
      "SELECT FROM sealpush.challenge WHERE hash = $1::text AND spent_at IS NOT NULL",
      with: .text(challenge.bookHash)
    ).count > 0
  }

  /// Spends a challenge, and gives one row, unless it is spent; one that is not in the book is the application's own.
  static func spend(_ challenge: Challenge) -> Command {
    Command(
      """
      WITH spent AS (
        UPDATE sealpush.challenge SET spent_at = sealpush.now() WHERE hash = $1::text AND spent_at IS NULL
        RETURNING hash)
      SELECT WHERE EXISTS (SELECT FROM spent)
        OR NOT EXISTS (SELECT FROM sealpush.challenge WHERE hash = $1::text)
      """, with: [.text(challenge.bookHash)])
  }

  func removeOld(atMost count: Int) throws(PostgresError) -> Int {
    try server.run(
      """
      WITH clock AS MATERIALIZED (SELECT sealpush.now() AS time)
      DELETE FROM sealpush.challenge WHERE hash = ANY (
        ARRAY(
          (SELECT hash FROM sealpush.challenge
            WHERE issued_at <= (SELECT time FROM clock) - make_interval(secs => $1::float8) LIMIT $2::bigint)
          UNION ALL (SELECT hash FROM sealpush.challenge
            WHERE issued_at > (SELECT time FROM clock) + make_interval(secs => $1::float8) LIMIT $2::bigint)
          LIMIT $2::bigint))
      """, with: .seconds(IssuedChallenge.countedTime), .limit(count)
    ).changes
  }
}
