internal import PushStore

/// The table `enrolment` in PostgreSQL.
///
/// The worker's calls hardly wait for an application that has locked the table: they come again, and jobs need not wait.
struct PostgresEnrolments: EnrolmentTable {
  let server: Server

  func handIn(_ row: EnrolmentRow) throws(PostgresError) -> Int64 {
    let values = EnrolmentRow.Column.allCases.map { Value.text(row[text: $0]) }
    return try server.run(
      Command(
        """
        INSERT INTO sealpush.enrolment (registration, person, body, is_new, challenge, mode, possession)
        VALUES ($1::text, $2::text, $3::text, $4::boolean, $5::text, coalesce($6::text, 'replace'), $7::text) RETURNING id
        """, with: values)
    ).first?.integer(in: .only) ?? 0
  }

  func handedIn(_ numbers: [Int64]) throws(PostgresError) -> [HandedInEnrolment] {
    try server.run(
      """
      SELECT id, left(person, 32769) AS person, answer, reason, request, account
      FROM sealpush.enrolment
      WHERE id = ANY ($1::bigint[])
      """, with: .integers(numbers)
    ).map(AnswerColumns.self) { $1.enrolment(in: $0) }
  }

  func hasReady() throws(PostgresError) -> Bool {
    try server.runBriefly(
      """
      SELECT EXISTS (
        SELECT FROM sealpush.enrolment WHERE answer IS NULL AND run_at <= (SELECT sealpush.now()) LIMIT 1)
      """
    ).first?.boolean(in: .only) ?? false
  }

  func lease(atMost count: Int, for time: Duration) throws(PostgresError) -> [LeasedEnrolment] {
    guard count > 0 else { return [] }
    return try server.runBriefly(
      """
      WITH clock AS MATERIALIZED (SELECT sealpush.now() AS time),
      ready AS MATERIALIZED (
        SELECT ARRAY(
          SELECT id FROM sealpush.enrolment WHERE answer IS NULL AND run_at <= (SELECT time FROM clock)
          ORDER BY run_at, id LIMIT $1::bigint FOR UPDATE SKIP LOCKED) AS ids),
      taken AS (
        UPDATE sealpush.enrolment SET run_at = (SELECT time FROM clock) + make_interval(secs => $2::float8),
          attempt = attempt % 1000000000000000000 + 1
        WHERE id = ANY ((SELECT ids FROM ready)::bigint[])
        RETURNING enrolment.*)
      SELECT left(registration, 32769) AS registration, left(person, 32769) AS person, left(body, 32769) AS body, is_new,
        left(challenge, 32769) AS challenge, left(mode, 32769) AS mode, left(possession, 32769) AS possession,
        extract(epoch FROM created_at) AS created_at, id, attempt
      FROM taken ORDER BY array_position((SELECT ids FROM ready), id)
      """, with: .limit(count), .seconds(time)
    ).map(EnrolmentColumns.self) { $1.enrolment(in: $0) }
  }

  /// It does not ask for `answer IS NULL`: the planner may then choose the index of waiting enrolments, and read all of it.
  func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) throws(PostgresError) -> Bool {
    let (word, reason, request) = answer.columns
    return try server.runBriefly(
      """
      UPDATE sealpush.enrolment SET answer = $3::text, reason = $4::text, request = $5::text,
        answered_at = (SELECT sealpush.now()), account = $6::text
      WHERE id = $1::bigint AND attempt = $2::bigint AND coalesce(answer, '') = ''
      """, with: .integer(lease.id), .integer(lease.number), .text(word), .text(reason), .text(request),
      .text(account?.text)
    ).changes > 0
  }

  /// Gives a row unless somebody has answered the enrolment, removed it, or leased it again, and keeps it from being
  /// removed.
  static func holding(_ lease: EnrolmentLease) -> Command {
    Command(
      """
      SELECT 1 FROM sealpush.enrolment WHERE id = $1::bigint AND attempt = $2::bigint AND coalesce(answer, '') = ''
      FOR KEY SHARE
      """, with: [.integer(lease.id), .integer(lease.number)])
  }

  func waiting() throws(PostgresError) -> WaitingEnrolments {
    let counts = try server.runBriefly(
      """
      SELECT count(*) AS count, extract(epoch FROM max(time)) - extract(epoch FROM
        min(created_at) FILTER (WHERE created_at BETWEEN to_timestamp(0) AND time)) AS oldest
      FROM sealpush.enrolment, (SELECT sealpush.now() AS time) AS clock WHERE answer IS NULL
      """
    ).map(WaitingColumns.self) { $1.waiting(in: $0) }
    guard let waiting = counts.first else { preconditionFailure("counting has a row") }
    return waiting
  }

  func removeAnswered(olderThan age: Duration, atMost count: Int) throws(PostgresError) -> Int {
    try server.runBriefly(
      """
      DELETE FROM sealpush.enrolment WHERE id = ANY (
        ARRAY(
          SELECT id FROM sealpush.enrolment
          WHERE answer IS NOT NULL AND answered_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
          ORDER BY answered_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
      """, with: .seconds(age), .limit(count)
    ).changes
  }
}
