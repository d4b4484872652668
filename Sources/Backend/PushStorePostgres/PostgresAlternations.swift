internal import PushCore
internal import PushKeys
internal import PushStore

/// The table `alternation` in PostgreSQL.
struct PostgresAlternations {
  let server: Server

  func alternation(of identity: Thumbprint) throws(PostgresError) -> TokenAlternation? {
    try server.run(
      """
      SELECT former, extract(epoch FROM suspended_at) AS suspended_at,
        coalesce(before_at > sealpush.now() - make_interval(secs => $2::float8), false) AS to_and_fro
      FROM sealpush.alternation WHERE identity = $1::text
      """, with: .text(identity.text), .seconds(TokenAlternation.window)
    ).map(TokenAlternation.Columns.self) { $1.alternation(in: $0) }.first
  }

  /// The statement that notes a change, and gives one row.
  static func note(_ change: TokenSwitch) -> Command {
    Command(
      """
      WITH noted AS (
        INSERT INTO sealpush.alternation AS old (identity, former, last_at) VALUES ($1::text, $2::text, sealpush.now())
        ON CONFLICT (identity) DO UPDATE SET former = excluded.former, last_at = excluded.last_at,
          before_at = CASE WHEN old.former = $3::text THEN old.last_at END)
      SELECT
      """, with: [.text(change.identity), .text(change.old), .text(change.new)])
  }

  /// The statement that suspends an identity, and changes one row.
  static func suspend(_ identity: Thumbprint) -> Command {
    Command(
      "UPDATE sealpush.alternation SET suspended_at = sealpush.now() WHERE identity = $1::text",
      with: [.text(identity.text)])
  }

  /// The statement that forgets the identities of a person's devices, and gives no row.
  static func forget(person: String) -> Command {
    Command(
      """
      WITH gone AS (
        DELETE FROM sealpush.alternation
        WHERE identity = ANY (ARRAY(SELECT identity FROM sealpush.device_of WHERE person = $1::text AND alone)))
      SELECT WHERE false
      """, with: [.text(person)])
  }

  func remove(atMost count: Int) throws(PostgresError) -> Int {
    try server.run(
      """
      DELETE FROM sealpush.alternation WHERE identity = ANY (ARRAY(
        SELECT identity FROM sealpush.alternation AS old, (SELECT sealpush.now() - make_interval(secs => $1::float8) AS time) AS kept
        WHERE last_at <= kept.time AND (suspended_at IS NULL OR suspended_at <= kept.time
          AND NOT EXISTS (SELECT FROM sealpush.device WHERE device.identity = old.identity))
        LIMIT $2::bigint FOR UPDATE OF old SKIP LOCKED))
      """, with: .seconds(TokenAlternation.keptTime), .limit(count)
    ).changes
  }
}
