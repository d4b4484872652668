extension PostgresSchema {
  /// Messages that are cancelled or replaced, by their IDs or by a key of the application's.
  ///
  /// A row of `keyed` is a message with a key, kept for 30 days: its job may be done. What an application's row asks for is
  /// carried out in the application's own transaction, and those of one key one after the other. A job without these columns costs
  /// what it did: the trigger is skipped, and no index has it. `attempt` says whether a worker has had a job, so that a phone may
  /// have its message. What is deleted was not locked before: a row that is being leased is waited for, and read again. Rows of one
  /// statement are all there when the trigger runs for the first: those after it are not its concern.
  static let version6 = """
    ALTER TABLE sealpush.job ADD COLUMN job_key text COLLATE "C", ADD COLUMN on_key text, ADD COLUMN unique_for integer,
      ADD COLUMN replaces uuid, ADD COLUMN traceparent text;
    CREATE INDEX job_keyed ON sealpush.job (left(job_key, 255)) WHERE job_key IS NOT NULL;
    CREATE TABLE sealpush.keyed (
      job_key text COLLATE "C" NOT NULL,
      message_id uuid NOT NULL,
      person text COLLATE "C",
      topic text COLLATE "C",
      replaces uuid,
      made_at timestamptz NOT NULL,
      PRIMARY KEY (job_key, message_id)
    );
    CREATE INDEX keyed_made ON sealpush.keyed (made_at);
    CREATE INDEX keyed_person ON sealpush.keyed (person);
    CREATE FUNCTION sealpush.job_keyed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      name text := NEW.job_key;
      issued timestamptz := coalesce(NEW.created_at, sealpush.now());
      root uuid := NEW.replaces;
      other record;
    BEGIN
      -- A wrong key is found out when the row is leased.
      IF octet_length(name) > 255 THEN name := NULL; END IF;
      IF name IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(name, \(lock)));
        IF NEW.on_key = 'skip' AND (
          EXISTS (SELECT FROM sealpush.job WHERE left(job_key, 255) = name AND job_key = name
            AND (id < NEW.id OR id > NEW.id AND xmin <> pg_current_xact_id()::xid) AND dead_at IS NULL)
          OR EXISTS (SELECT FROM sealpush.keyed WHERE job_key = name
            AND made_at > issued - make_interval(secs => least(coalesce(NEW.unique_for, 0), 2592000)))) THEN
          DELETE FROM sealpush.job WHERE id = NEW.id;
          RETURN NULL;
        END IF;
      END IF;
      IF NEW.replaces IS NOT NULL THEN
        DELETE FROM sealpush.job WHERE message_id = NEW.replaces AND id <> NEW.id RETURNING * INTO other;
        IF FOUND THEN
          root := coalesce(other.replaces, CASE WHEN other.attempt > 0 THEN other.message_id END);
        END IF;
      END IF;
      IF name IS NOT NULL AND NEW.on_key = 'replace' THEN
        FOR other IN
          DELETE FROM sealpush.job WHERE left(job_key, 255) = name AND job_key = name
            AND (id < NEW.id OR id > NEW.id AND xmin <> pg_current_xact_id()::xid) RETURNING *
        LOOP
          IF NEW.replaces IS NULL THEN
            root := coalesce(root, other.replaces, CASE WHEN other.attempt > 0 THEN other.message_id END);
          END IF;
          IF other.attempt = 0 THEN
            DELETE FROM sealpush.keyed WHERE job_key = name AND message_id = other.message_id;
          END IF;
        END LOOP;
        IF root IS NULL THEN
          SELECT coalesce(keyed.replaces, keyed.message_id) INTO root FROM sealpush.keyed
          WHERE job_key = name AND message_id IS DISTINCT FROM NEW.message_id ORDER BY made_at DESC LIMIT 1;
        END IF;
      END IF;
      IF root IS DISTINCT FROM NEW.replaces THEN
        UPDATE sealpush.job SET replaces = root WHERE id = NEW.id;
      END IF;
      IF name IS NOT NULL AND NEW.message_id IS NOT NULL THEN
        INSERT INTO sealpush.keyed VALUES (name, NEW.message_id, left(NEW.person, 256), left(NEW.topic, 256), root, issued)
        ON CONFLICT (job_key, message_id) DO UPDATE SET made_at = excluded.made_at, replaces = excluded.replaces;
      END IF;
      RETURN NULL;
    END $$;
    REVOKE EXECUTE ON FUNCTION sealpush.job_keyed() FROM PUBLIC;
    CREATE TRIGGER job_keyed AFTER INSERT ON sealpush.job
      FOR EACH ROW WHEN (NEW.job_key IS NOT NULL OR NEW.replaces IS NOT NULL) EXECUTE FUNCTION sealpush.job_keyed();
    CREATE TABLE sealpush.cancellation (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      message_id uuid,
      job_key text COLLATE "C",
      person text COLLATE "C",
      topic text COLLATE "C",
      take_back boolean DEFAULT false
    );
    CREATE FUNCTION sealpush.cancellation_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      name text := CASE WHEN octet_length(NEW.job_key) <= 255 THEN NEW.job_key END;
    BEGIN
      IF name IS NOT NULL THEN PERFORM pg_advisory_xact_lock(hashtextextended(name, \(lock))); END IF;
      WITH gone AS (
        DELETE FROM sealpush.job WHERE message_id = NEW.message_id OR left(job_key, 255) = name AND job_key = name
        RETURNING message_id, person, topic, replaces, attempt, job_key),
      forgotten AS (
        DELETE FROM sealpush.keyed WHERE job_key = name
          OR (job_key, message_id) IN (SELECT gone.job_key, gone.message_id FROM gone WHERE gone.job_key IS NOT NULL)
        RETURNING message_id, person, topic, replaces),
      shown AS (
        SELECT message_id AS message, person, topic FROM forgotten
        WHERE NOT EXISTS (SELECT FROM gone WHERE gone.message_id = forgotten.message_id AND attempt = 0)
        UNION SELECT replaces, person, topic FROM forgotten WHERE replaces IS NOT NULL AND name IS NOT NULL
        UNION SELECT message_id, person, topic FROM gone WHERE attempt > 0
        UNION SELECT replaces, person, topic FROM gone WHERE attempt > 0 AND replaces IS NOT NULL
        UNION SELECT NEW.message_id, NEW.person, NEW.topic WHERE NEW.message_id IS NOT NULL AND NEW.person IS NOT NULL
          AND NOT EXISTS (SELECT FROM gone WHERE gone.message_id = NEW.message_id))
      INSERT INTO sealpush.job (person, topic, payload, push_type)
      SELECT person, topic,
        '{"aps":{"content-available":1},"sealed-push":{"v":1,"removes":' || json_agg(message) || '}}', 'background'
      FROM (SELECT * FROM shown LIMIT 32) AS part WHERE NEW.take_back GROUP BY person, topic;
      DELETE FROM sealpush.cancellation WHERE id = NEW.id;
      RETURN NULL;
    END $$;
    REVOKE EXECUTE ON FUNCTION sealpush.cancellation_made() FROM PUBLIC;
    CREATE TRIGGER cancellation_made AFTER INSERT ON sealpush.cancellation
      FOR EACH ROW EXECUTE FUNCTION sealpush.cancellation_made();
    """
}
