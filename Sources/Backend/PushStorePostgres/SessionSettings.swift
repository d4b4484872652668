internal import PushStore

/// What holds for a store's statements, whatever a role, a database or a pooler's other users have set.
struct SessionSettings {
  /// How long a statement may take.
  let patience: Duration

  /// Sets them for the session, or for the transaction that is open.
  ///
  /// The first statement makes names mean PostgreSQL's own. A statement waits for a row that another transaction holds as
  /// long as SQLite waits, so that other work need not wait much longer. The statistics of a queue are seldom true, but each
  /// statement has its index if it is planned for the number of rows that it asks for. A client that disappears in a
  /// transaction must not keep its locks. A server that acknowledges before it has written would break the store's promise.
  func commands(forTransaction isTransaction: Bool) -> [Command] {
    let isLocal = Value.boolean(isTransaction)
    return [
      Command(
        "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', $1::pg_catalog.bool)",
        with: [isLocal]),
      Command(
        """
        SELECT set_config('default_transaction_isolation', 'read committed', $1::boolean),
          set_config('statement_timeout', $2::text, $1::boolean), set_config('lock_timeout', $3::text, $1::boolean),
          set_config('idle_in_transaction_session_timeout', $4::text, $1::boolean),
          set_config('plan_cache_mode', 'force_custom_plan', $1::boolean),
          set_config('enable_seqscan', 'off', $1::boolean), set_config('enable_bitmapscan', 'off', $1::boolean),
          set_config('jit', 'off', $1::boolean), set_config('array_nulls', 'on', $1::boolean)
        """,
        with: [
          isLocal, .milliseconds(patience), .milliseconds(min(patience, Server.lockPatience)),
          .milliseconds(patience * 2),
        ]),
      Command(
        """
        SELECT set_config('synchronous_commit', 'on', $1::boolean) WHERE current_setting('synchronous_commit') = 'off'
        """, with: [isLocal]),
    ]
  }
}
