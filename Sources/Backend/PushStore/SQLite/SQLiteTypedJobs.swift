extension SQLiteSchema {
  /// Every type of push, and the tokens for it.
  ///
  /// Jobs whose type older workers do not know have levels of their own, from 10 to 19, at which those do not look for jobs. A
  /// row of `token_set` is what a device has signed last; `token` has those of its tokens that have not ended.
  static let typedJobs = """
    DROP INDEX job_ready;
    ALTER TABLE job DROP COLUMN level;
    ALTER TABLE job ADD COLUMN activity TEXT;
    ALTER TABLE job ADD COLUMN level INTEGER GENERATED ALWAYS AS (
      CASE WHEN typeof(priority) = 'integer' AND priority BETWEEN 0 AND 9 THEN priority ELSE 5 END
      + CASE WHEN push_type IS NULL OR push_type IN ('alert', 'background') THEN 0 ELSE 10 END) VIRTUAL;
    CREATE INDEX job_ready ON job (level, due, id, leased) WHERE dead_at IS NULL;
    DROP TRIGGER job_cut;
    \(cut(
      "job", columns: [
        "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime", "apns_priority",
        "collapse_id", "created_at", "push_type", "outcome", "on_key", "unique_for", "traceparent", "activity",
      ], to: 65537))
    CREATE TABLE token_set (
      identity TEXT PRIMARY KEY,
      registration TEXT NOT NULL,
      serial INTEGER NOT NULL,
      signed TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX token_set_registration ON token_set (registration);
    CREATE TABLE token (
      identity TEXT NOT NULL,
      push_type TEXT NOT NULL,
      token TEXT NOT NULL,
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      PRIMARY KEY (identity, push_type, token)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX token_place ON token (token, push_type, topic, environment);
    CREATE TRIGGER device_gone_with_tokens AFTER DELETE ON device
    BEGIN
      DELETE FROM token WHERE identity IN (SELECT identity FROM token_set WHERE registration = old.name);
      DELETE FROM token_set WHERE registration = old.name;
    END;
    """
}
