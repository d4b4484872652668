extension SQLiteSchema {
  /// When an inserted message was issued.
  private static let issued = "iif(typeof(new.created_at) IN ('real', 'integer'), new.created_at, \(now))"

  /// Messages that are cancelled or replaced, by their IDs or by a key of the application's.
  ///
  /// A row of `keyed` is a message with a key, kept for 30 days: its job may be done. What an application's row asks for is
  /// carried out in the application's own transaction. A job without these columns costs what it did: the trigger is skipped, and
  /// neither index has it. `attempt` says whether a worker has had a job, so that a phone may have its message.
  static let version7 = """
    ALTER TABLE job ADD COLUMN job_key TEXT;
    ALTER TABLE job ADD COLUMN on_key TEXT;
    ALTER TABLE job ADD COLUMN unique_for INTEGER;
    ALTER TABLE job ADD COLUMN replaces TEXT COLLATE NOCASE;
    ALTER TABLE job ADD COLUMN traceparent TEXT;
    CREATE INDEX job_keyed ON job (job_key) WHERE job_key IS NOT NULL;
    DROP TRIGGER job_cut;
    \(cut(
      "job", columns: [
        "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime", "apns_priority",
        "collapse_id", "created_at", "push_type", "outcome", "on_key", "unique_for", "traceparent",
      ], to: 65537))
    CREATE TABLE keyed (
      job_key TEXT NOT NULL,
      message_id TEXT NOT NULL COLLATE NOCASE,
      person TEXT,
      topic TEXT,
      replaces TEXT,
      made_at REAL NOT NULL,
      PRIMARY KEY (job_key, message_id)
    ) WITHOUT ROWID;
    CREATE INDEX keyed_made ON keyed (made_at);
    CREATE INDEX keyed_person ON keyed (person);
    CREATE TRIGGER job_key_cut AFTER INSERT ON job 
      WHEN typeof(new.job_key) = 'blob' OR length(CAST(new.job_key AS BLOB)) > 255
    BEGIN UPDATE job SET job_key = char(7) WHERE id = new.id; END;
    CREATE TRIGGER job_replaces_cut AFTER INSERT ON job WHEN length(CAST(new.replaces AS BLOB)) > 36
    BEGIN UPDATE job SET replaces = '' WHERE id = new.id; END;
    CREATE TRIGGER job_keyed AFTER INSERT ON job
      WHEN typeof(new.job_key) = 'text' AND length(CAST(new.job_key AS BLOB)) <= 255
    BEGIN
      DELETE FROM job WHERE id = new.id AND new.on_key = 'skip' AND (
        EXISTS (SELECT 1 FROM job AS other WHERE other.job_key = new.job_key AND other.id <> new.id
          AND other.dead_at IS NULL)
        OR EXISTS (SELECT 1 FROM keyed WHERE job_key = new.job_key AND typeof(new.unique_for) = 'integer'
          AND made_at > \(issued) - new.unique_for));
      UPDATE job SET replaces = (
        SELECT message FROM (
          SELECT 1 AS rank, other.id AS place, coalesce(other.replaces, iif(other.attempt > 0, other.message_id, NULL)) AS message
          FROM job AS other WHERE other.job_key = new.job_key AND other.id <> new.id
          UNION ALL
          SELECT 2, made_at, coalesce(replaces, message_id) FROM keyed WHERE job_key = new.job_key AND NOT EXISTS (
            SELECT 1 FROM job AS other WHERE other.message_id = keyed.message_id))
        WHERE message IS NOT NULL ORDER BY rank, place DESC LIMIT 1)
      WHERE id = new.id AND new.on_key = 'replace' AND new.replaces IS NULL;
      DELETE FROM keyed WHERE new.on_key = 'replace' AND job_key = new.job_key AND message_id IN (
        SELECT message_id FROM job WHERE job_key = new.job_key AND id <> new.id AND attempt = 0);
      DELETE FROM job WHERE new.on_key = 'replace' AND job_key = new.job_key AND id <> new.id;
      INSERT OR REPLACE INTO keyed
        SELECT job_key, message_id, substr(person, 1, 256), substr(topic, 1, 256), replaces, \(issued)
        FROM job WHERE id = new.id AND message_id IS NOT NULL;
    END;
    CREATE TRIGGER job_replaces AFTER INSERT ON job
      WHEN typeof(new.replaces) = 'text' AND length(new.replaces) = 36
    BEGIN
      UPDATE job SET replaces = (
        SELECT coalesce(other.replaces, iif(other.attempt > 0, other.message_id, NULL))
        FROM job AS other WHERE other.message_id = new.replaces)
      WHERE id = new.id AND EXISTS (
        SELECT 1 FROM job AS other WHERE other.message_id = new.replaces AND other.id <> new.id);
      DELETE FROM job WHERE message_id = new.replaces AND id <> new.id;
    END;
    CREATE TABLE cancellation (
      id INTEGER PRIMARY KEY,
      message_id TEXT COLLATE NOCASE,
      job_key TEXT,
      person TEXT,
      topic TEXT,
      take_back INTEGER DEFAULT 0
    );
    CREATE TRIGGER cancellation_made AFTER INSERT ON cancellation
    BEGIN
      INSERT INTO job (person, topic, payload, push_type)
      SELECT person, topic,
        '{"aps":{"content-available":1},"sealed-push":{"v":1,"removes":["' || group_concat(message, '","') || '"]}}', 'background'
      FROM (
        SELECT DISTINCT lower(message) AS message, person, topic FROM (
          SELECT message_id AS message, person, topic FROM keyed WHERE job_key = new.job_key AND NOT EXISTS (
            SELECT 1 FROM job AS other WHERE other.message_id = keyed.message_id AND other.attempt = 0)
          UNION ALL SELECT replaces, person, topic FROM keyed WHERE job_key = new.job_key AND replaces IS NOT NULL
          UNION ALL SELECT message_id, person, topic FROM job WHERE message_id = new.message_id AND attempt > 0
          UNION ALL SELECT replaces, person, topic FROM job
            WHERE message_id = new.message_id AND attempt > 0 AND replaces IS NOT NULL
          UNION ALL SELECT new.message_id, new.person, new.topic
            WHERE new.message_id IS NOT NULL AND new.person IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM job WHERE message_id = new.message_id))
        WHERE length(message) = 36 LIMIT 32)
      WHERE new.take_back AND message NOT GLOB '*[^-0-9a-f]*' GROUP BY person, topic;
      DELETE FROM keyed WHERE job_key = new.job_key;
      DELETE FROM keyed WHERE message_id = new.message_id
        AND job_key = (SELECT job_key FROM job WHERE message_id = new.message_id);
      DELETE FROM job WHERE job_key = new.job_key;
      DELETE FROM job WHERE message_id = new.message_id;
      DELETE FROM cancellation WHERE id = new.id;
    END;
    """
}
