/// The tables of a store in PostgreSQL: each version's text changes the tables of the one before.
enum PostgresSchema {
  /// The texts, from version 1; a text that was released stays as it is.
  static let versions = [
    version1, version2, version3, version4, version5, version6, receipts, typedJobs, steering,
  ]

  /// A UUID that begins with the time in milliseconds (version 7): a random one, of which 6 bytes and two bits are changed.
  private static let uuid = """
    encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING \
    substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), \
    'hex')::uuid
    """

  /// What the server notifies of.
  enum Channel: String, CaseIterable {
    case jobs = "sealpush_job"
    case enrolments = "sealpush_enrolment"
  }

  /// Asks for notifications.
  static let listening = Channel.allCases.map { "LISTEN \($0.rawValue)" }.joined(separator: ";")

  /// The advisory locks' first key, `Seal` in ASCII; the second is 1 to change the tables, 2 to notify of
  /// jobs, 3 to notify of enrolments, 4 to lease proof requests, 5 to take tokens.
  static let lock = 0x5365_616c

  /// The tables.
  ///
  /// A column's type refuses wrong values when they are written. The rest is checked when a row is leased, so that no row
  /// hides from workers or stops them: `level` and `due` are valid whatever `priority` and `not_before` are, and an index
  /// has no more of a text than fits into a page.
  ///
  /// A notification takes a lock of the whole server until its transaction has ended, so only one transaction at a time
  /// sends one. Polling finds the jobs of the others.
  private static let version1 = """
    CREATE TABLE sealpush.version (number integer NOT NULL);
    INSERT INTO sealpush.version VALUES (0);

    CREATE FUNCTION sealpush.now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
      AS 'SELECT pg_catalog.clock_timestamp()';

    CREATE TABLE sealpush.job (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      message_id uuid UNIQUE DEFAULT gen_random_uuid(),
      person text COLLATE "C",
      payload text,
      topic text,
      priority integer DEFAULT 5,
      not_before timestamptz DEFAULT sealpush.now(),
      expires_at timestamptz,
      lifetime integer,
      apns_priority integer,
      collapse_id text,
      created_at timestamptz DEFAULT sealpush.now(),
      run_at timestamptz,
      attempt bigint NOT NULL DEFAULT 0,
      forgiven bigint NOT NULL DEFAULT 0,
      leased boolean NOT NULL DEFAULT false,
      sender text,
      settled text,
      reason text,
      dead_at timestamptz,
      level smallint NOT NULL GENERATED ALWAYS AS (CASE WHEN priority BETWEEN 0 AND 9 THEN priority ELSE 5 END) STORED,
      due timestamptz NOT NULL GENERATED ALWAYS AS (
        CASE WHEN run_at IS NOT NULL THEN run_at
        WHEN coalesce(not_before, created_at) >= '1970-01-01 00:00:00+00'
          AND coalesce(not_before, created_at) < '10000-01-01 00:00:00+00' THEN coalesce(not_before, created_at)
        ELSE '1970-01-01 00:00:00+00' END) STORED
    );
    CREATE INDEX job_ready ON sealpush.job (level, due, id) WHERE dead_at IS NULL;
    CREATE INDEX job_dead ON sealpush.job (id) WHERE dead_at IS NOT NULL;
    CREATE INDEX job_person ON sealpush.job (left(person, 255));
    ALTER TABLE sealpush.job SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2);

    CREATE FUNCTION sealpush.job_arrived() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF pg_catalog.pg_try_advisory_xact_lock(\(lock), 2) THEN
        PERFORM pg_catalog.pg_notify('sealpush_job', '');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER job_arrived AFTER INSERT ON sealpush.job
      FOR EACH STATEMENT EXECUTE FUNCTION sealpush.job_arrived();

    CREATE TABLE sealpush.enrolment (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      registration text,
      person text COLLATE "C",
      body text,
      is_new boolean DEFAULT false,
      challenge text,
      possession text DEFAULT 'keyAndToken',
      created_at timestamptz DEFAULT sealpush.now(),
      answer text,
      reason text,
      request text,
      answered_at timestamptz,
      run_at timestamptz NOT NULL DEFAULT 'epoch',
      attempt bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX enrolment_ready ON sealpush.enrolment (run_at, id) WHERE answer IS NULL;
    CREATE INDEX enrolment_answered ON sealpush.enrolment (answered_at) WHERE answer IS NOT NULL;
    CREATE INDEX enrolment_person ON sealpush.enrolment (left(person, 255));

    CREATE TABLE sealpush.device (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      person text COLLATE "C",
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      token text COLLATE "C" NOT NULL,
      pending_token text COLLATE "C",
      identity text COLLATE "C" NOT NULL,
      serial bigint NOT NULL,
      has_token boolean NOT NULL,
      token_set_at timestamptz NOT NULL,
      refused_at timestamptz,
      keys text,
      registration text NOT NULL,
      version bigint NOT NULL
    );
    CREATE INDEX device_person ON sealpush.device (person);
    CREATE INDEX device_token ON sealpush.device (token);
    CREATE INDEX device_pending_token ON sealpush.device (pending_token) WHERE pending_token IS NOT NULL;
    CREATE INDEX device_identity ON sealpush.device (identity);
    CREATE UNIQUE INDEX device_proven_token ON sealpush.device (token) WHERE has_token;
    CREATE UNIQUE INDEX device_proven_identity ON sealpush.device (identity) WHERE keys IS NOT NULL;

    CREATE TABLE sealpush.device_key (
      kid text COLLATE "C" NOT NULL,
      device bigint NOT NULL REFERENCES sealpush.device ON DELETE CASCADE,
      proven boolean NOT NULL,
      PRIMARY KEY (kid, device)
    );
    CREATE INDEX device_key_device ON sealpush.device_key (device);
    CREATE UNIQUE INDEX device_key_proven ON sealpush.device_key (kid) WHERE proven;
    """

  /// Finds the enrolments of a person who is forgotten.
  private static let version2 = """
    CREATE INDEX enrolment_registration ON sealpush.enrolment (left(registration, 255)) WHERE person IS NULL;
    """

  private static let version3 = "ALTER TABLE sealpush.job ADD COLUMN push_type text;"

  /// A row that an application inserts is carried out in the application's own transaction, and is gone then.
  ///
  /// The function has its owner's rights, so an application needs only that to insert; nobody else may give it to a trigger of
  /// a table of their own. Enrolments come first: a transaction
  /// that makes a device of one holds it.
  private static let version4 = """
    CREATE TABLE sealpush.removal (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      registration text COLLATE "C",
      identity text COLLATE "C",
      token text COLLATE "C"
    );
    CREATE FUNCTION sealpush.removal_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      DELETE FROM sealpush.enrolment WHERE answer IS NULL AND (
        registration = NEW.registration OR registration = ANY (ARRAY(
          SELECT name FROM sealpush.device WHERE identity = NEW.identity OR token = lower(NEW.token))));
      DELETE FROM sealpush.device
        WHERE name = NEW.registration OR identity = NEW.identity OR token = lower(NEW.token);
      DELETE FROM sealpush.removal WHERE id = NEW.id;
      RETURN NULL;
    END $$;
    REVOKE EXECUTE ON FUNCTION sealpush.removal_made() FROM PUBLIC;
    CREATE TRIGGER removal_made AFTER INSERT ON sealpush.removal
      FOR EACH ROW EXECUTE FUNCTION sealpush.removal_made();
    """

  /// Phones that come, go and move.
  ///
  /// In `device`: what APNs' answer 410 needs, when a phone enrolled, and what it says of itself; one that enrolled before
  /// counts as having done so at this change. In `job`: waiting for a phone, and the devices that did not get a message.
  ///
  /// A challenge counts for an hour after it was issued, and is valid until it expires. `departed` has the devices that were
  /// removed. Each row of `request` is a registration's; `asked` counts proof requests by token, and `claim` by person.
  /// `refusal` counts how often APNs has refused an address, and `alternation` knows identities that two phones may have. `reachable` and `outcome` answer what applications ask about persons and messages: the view has its owner's rights, so an
  /// application needs none to read the devices. What a column's default calls runs with the application's rights, which
  /// default privileges may have taken.
  private static let version5 = """
    ALTER TABLE sealpush.device ADD COLUMN proof bigint NOT NULL DEFAULT 0,
      ADD COLUMN lost boolean NOT NULL DEFAULT false, ADD COLUMN pending boolean NOT NULL DEFAULT true;
    ALTER TABLE sealpush.enrolment ADD COLUMN account text;
    ALTER TABLE sealpush.job ADD COLUMN waits_until timestamptz, ADD COLUMN missing text,
      ALTER COLUMN message_id SET DEFAULT \(uuid);
    CREATE TABLE sealpush.challenge (
      hash text COLLATE "C" PRIMARY KEY,
      person text COLLATE "C" NOT NULL,
      login text COLLATE "C" NOT NULL,
      login_at timestamptz NOT NULL,
      topic text COLLATE "C" NOT NULL,
      registration text COLLATE "C" NOT NULL,
      mode text COLLATE "C" NOT NULL,
      issued_at timestamptz NOT NULL DEFAULT sealpush.now(),
      expires_at timestamptz NOT NULL DEFAULT sealpush.now() + interval '10 minutes',
      spent_at timestamptz
    );
    CREATE INDEX challenge_person ON sealpush.challenge (person, issued_at);
    CREATE INDEX challenge_issued ON sealpush.challenge (issued_at);

    CREATE FUNCTION sealpush.enrolment_arrived() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF pg_catalog.pg_try_advisory_xact_lock(\(lock), 3) THEN
        PERFORM pg_catalog.pg_notify('sealpush_enrolment', '');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER enrolment_arrived AFTER INSERT ON sealpush.enrolment
      FOR EACH STATEMENT EXECUTE FUNCTION sealpush.enrolment_arrived();
    ALTER TABLE sealpush.device
      ADD COLUMN enrolled_at timestamptz NOT NULL DEFAULT pg_catalog.now(), ADD COLUMN report text;
    CREATE TABLE sealpush.departed (
      identity text COLLATE "C" PRIMARY KEY,
      serial bigint NOT NULL,
      left_at timestamptz NOT NULL
    );
    CREATE INDEX departed_left ON sealpush.departed (left_at);
    CREATE INDEX device_idle ON sealpush.device (enrolled_at) WHERE keys IS NULL;
    CREATE TABLE sealpush.request (
      registration text COLLATE "C" PRIMARY KEY,
      claimant text COLLATE "C" NOT NULL,
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      token text COLLATE "C" NOT NULL,
      mark bigint NOT NULL,
      run_at timestamptz NOT NULL,
      set_at timestamptz NOT NULL
    );
    CREATE INDEX request_due ON sealpush.request (run_at, mark);
    CREATE INDEX request_set ON sealpush.request (set_at);
    CREATE INDEX request_token ON sealpush.request (token);
    CREATE TABLE sealpush.asked (
      token text COLLATE "C" NOT NULL,
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      others_at timestamptz,
      others_mark bigint,
      holder text COLLATE "C",
      holder_at timestamptz,
      holder_mark bigint,
      holder_count integer NOT NULL DEFAULT 0,
      dead boolean NOT NULL DEFAULT false,
      answers bigint NOT NULL DEFAULT 0,
      touched_at timestamptz NOT NULL,
      PRIMARY KEY (token, topic, environment)
    );
    CREATE INDEX asked_touched ON sealpush.asked (touched_at);
    CREATE INDEX asked_holder ON sealpush.asked (holder) WHERE holder IS NOT NULL;
    CREATE TABLE sealpush.claim (
      mark bigint PRIMARY KEY,
      claimant text COLLATE "C" NOT NULL,
      token text COLLATE "C" NOT NULL,
      asked_at timestamptz NOT NULL,
      registration text COLLATE "C" NOT NULL,
      since timestamptz NOT NULL
    );
    CREATE INDEX claim_claimant ON sealpush.claim (claimant, asked_at);
    CREATE INDEX claim_asked ON sealpush.claim (asked_at);
    CREATE FUNCTION sealpush.device_gone() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      DELETE FROM sealpush.request WHERE registration = OLD.name;
      UPDATE sealpush.asked SET holder = NULL WHERE holder = OLD.name;
      RETURN NULL;
    END $$;
    REVOKE EXECUTE ON FUNCTION sealpush.device_gone() FROM PUBLIC;
    CREATE TRIGGER device_gone AFTER DELETE ON sealpush.device
      FOR EACH ROW EXECUTE FUNCTION sealpush.device_gone();
    ALTER TABLE sealpush.device ADD COLUMN persons text, ADD COLUMN stale boolean NOT NULL DEFAULT false;
    CREATE INDEX device_stale ON sealpush.device (id) WHERE stale;
    CREATE INDEX device_topic ON sealpush.device (topic);
    CREATE INDEX job_died ON sealpush.job (dead_at) WHERE dead_at IS NOT NULL;
    CREATE TABLE sealpush.device_share (
      person text COLLATE "C" NOT NULL,
      device bigint NOT NULL REFERENCES sealpush.device ON DELETE CASCADE,
      PRIMARY KEY (person, device)
    );
    CREATE INDEX device_share_device ON sealpush.device_share (device);
    CREATE VIEW sealpush.device_of AS
      SELECT person, id AS device, name, identity, token, true AS alone FROM sealpush.device WHERE person IS NOT NULL
      UNION ALL
      SELECT device_share.person, id, name, identity, token,
        NOT EXISTS (SELECT FROM sealpush.device_share AS other
          WHERE other.device = device.id AND other.person <> device_share.person)
      FROM sealpush.device_share JOIN sealpush.device ON device.id = device_share.device;
    CREATE VIEW sealpush.reachable AS
      SELECT person, topic, bool_or(keys IS NOT NULL AND refused_at IS NULL) AS reachable
      FROM sealpush.device WHERE person IS NOT NULL GROUP BY person, topic
      UNION ALL
      SELECT device_share.person, topic, bool_or(keys IS NOT NULL AND refused_at IS NULL)
      FROM sealpush.device_share JOIN sealpush.device ON device.id = device_share.device
      GROUP BY device_share.person, topic;
    ALTER TABLE sealpush.removal ADD COLUMN person text COLLATE "C";
    ALTER TABLE sealpush.enrolment ADD COLUMN mode text DEFAULT 'replace';
    CREATE FUNCTION sealpush.other_version() RETURNS bigint LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.floor(pg_catalog.random() * 9007199254740991)::bigint + 1';
    \(removals)
    ALTER TABLE sealpush.job ADD COLUMN outcome boolean DEFAULT false;
    CREATE TABLE sealpush.outcome (
      message_id uuid NOT NULL,
      person text COLLATE "C" NOT NULL,
      registration text,
      identity text COLLATE "C" NOT NULL,
      outcome text NOT NULL,
      reason text,
      decided_at timestamptz NOT NULL,
      PRIMARY KEY (message_id, identity)
    );
    CREATE INDEX outcome_person ON sealpush.outcome (person);
    CREATE INDEX outcome_decided ON sealpush.outcome (decided_at);
    CREATE TABLE sealpush.refusal (
      token text COLLATE "C" NOT NULL,
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      first_at timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (token, topic, environment)
    );
    CREATE INDEX refusal_last ON sealpush.refusal (last_at);
    CREATE TABLE sealpush.alternation (
      identity text COLLATE "C" PRIMARY KEY,
      former text COLLATE "C" NOT NULL,
      last_at timestamptz NOT NULL,
      before_at timestamptz,
      suspended_at timestamptz
    );
    CREATE INDEX alternation_last ON sealpush.alternation (last_at);
    ALTER TABLE sealpush.device ADD COLUMN mac text;
    CREATE TABLE sealpush.setting (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
    GRANT EXECUTE ON FUNCTION sealpush.now() TO PUBLIC;
    """

  /// How devices leave: whole ones, or a person's share of them.
  ///
  /// A device that nobody else has goes with its last person. One that others have is marked, because its registration's line
  /// still names the person. The devices are locked first, so that nobody joins one meanwhile.
  private static let removals = """
    CREATE OR REPLACE FUNCTION sealpush.removal_made() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      gone bigint[];
      shared bigint[];
    BEGIN
      IF NEW.person IS NULL THEN
        DELETE FROM sealpush.enrolment WHERE answer IS NULL AND (
          registration = NEW.registration OR registration = ANY (ARRAY(
            SELECT name FROM sealpush.device WHERE identity = NEW.identity OR token = lower(NEW.token))));
        gone := ARRAY(SELECT id FROM sealpush.device
          WHERE name = NEW.registration OR identity = NEW.identity OR token = lower(NEW.token) ORDER BY id FOR UPDATE);
      ELSE
        shared := ARRAY(SELECT device FROM sealpush.device_of WHERE person = NEW.person AND (
          coalesce(NEW.registration, NEW.identity, NEW.token) IS NULL
          OR name = NEW.registration OR identity = NEW.identity OR token = lower(NEW.token)));
        DELETE FROM sealpush.enrolment WHERE answer IS NULL
          AND left(person, 255) = left(NEW.person, 255) AND person = NEW.person AND (
            coalesce(NEW.registration, NEW.identity, NEW.token) IS NULL OR registration = NEW.registration
            OR registration = ANY (ARRAY(SELECT name FROM sealpush.device WHERE id = ANY (shared))));
        PERFORM FROM sealpush.device WHERE id = ANY (shared) ORDER BY id FOR UPDATE;
        gone := ARRAY(SELECT device FROM sealpush.device_of
          WHERE person = NEW.person AND device = ANY (shared) AND alone);
        DELETE FROM sealpush.enrolment WHERE answer IS NULL AND person IS NULL AND left(registration, 255) = ANY (
          ARRAY(SELECT name FROM sealpush.device WHERE id = ANY (gone)));
        UPDATE sealpush.device SET stale = true, version = sealpush.other_version()
          WHERE id = ANY (shared) AND id <> ALL (gone) AND persons IS NOT NULL;
        DELETE FROM sealpush.device_share WHERE person = NEW.person AND device = ANY (shared);
      END IF;
      INSERT INTO sealpush.departed AS known (identity, serial, left_at)
      SELECT identity, max(serial), sealpush.now() FROM sealpush.device WHERE id = ANY (gone) GROUP BY identity
      ON CONFLICT (identity) DO UPDATE
        SET serial = greatest(known.serial, excluded.serial), left_at = excluded.left_at;
      DELETE FROM sealpush.device WHERE id = ANY (gone);
      DELETE FROM sealpush.removal WHERE id = NEW.id;
      RETURN NULL;
    END $$;
    """
}
