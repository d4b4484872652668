extension PostgresSchema {
  /// Every type of push, and the tokens for it.
  ///
  /// Jobs whose type older workers do not know have levels of their own, from 10 to 19, at which those do not look for jobs. The
  /// change of `level` writes the table anew. A row of `token_set` is what a device has signed last; `token` has those of its
  /// tokens that have not ended.
  static let typedJobs = """
    ALTER TABLE sealpush.job DROP COLUMN level, ADD COLUMN activity text;
    ALTER TABLE sealpush.job ADD COLUMN level smallint NOT NULL GENERATED ALWAYS AS (
      CASE WHEN priority BETWEEN 0 AND 9 THEN priority ELSE 5 END
      + CASE WHEN push_type IS NULL OR push_type IN ('alert', 'background') THEN 0 ELSE 10 END) STORED;
    CREATE INDEX job_ready ON sealpush.job (level, due, id) WHERE dead_at IS NULL;
    CREATE TABLE sealpush.token_set (
      identity text COLLATE "C" PRIMARY KEY,
      registration text COLLATE "C" NOT NULL UNIQUE REFERENCES sealpush.device (name) ON DELETE CASCADE,
      serial bigint NOT NULL,
      signed text NOT NULL
    );
    CREATE TABLE sealpush.token (
      identity text COLLATE "C" NOT NULL REFERENCES sealpush.token_set ON DELETE CASCADE,
      push_type text COLLATE "C" NOT NULL,
      token text COLLATE "C" NOT NULL,
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      PRIMARY KEY (identity, push_type, token),
      UNIQUE (token, push_type, topic, environment)
    );
    """
}
