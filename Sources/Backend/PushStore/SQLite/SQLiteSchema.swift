/// The tables of a store in SQLite: each version's text changes the tables of the one before.
enum SQLiteSchema {
  /// The texts, from version 1; a text that was released stays as it is.
  static let versions = [
    version1, version2, version3, version4, version5, version6, version7, receipts, typedJobs, steering,
  ]

  /// What the file says that it is: `Seal` in ASCII.
  static let applicationID: Int64 = 0x5365_616c

  /// The current time in seconds since 1970, to the millisecond.
  static let now = "(round((julianday('now') - 2440587.5) * 86400.0, 3))"

  /// A random UUID of version 4.
  private static let uuid = """
    (lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' \
    || substr('89ab', (random() & 3) + 1, 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))))
    """

  /// A row is checked when it is leased, so that no value ends an application's transaction or hides its row from workers:
  /// `level` and `due` are valid whatever `priority` and `not_before` are.
  private static let version1 = """
    CREATE TABLE job (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      message_id TEXT COLLATE NOCASE UNIQUE DEFAULT \(uuid),
      person TEXT,
      payload TEXT,
      topic TEXT,
      priority INTEGER DEFAULT 5,
      not_before REAL DEFAULT \(now),
      expires_at REAL,
      lifetime INTEGER,
      apns_priority INTEGER,
      collapse_id TEXT,
      created_at REAL DEFAULT \(now),
      run_at REAL,
      attempt INTEGER NOT NULL DEFAULT 0,
      forgiven INTEGER NOT NULL DEFAULT 0,
      leased INTEGER NOT NULL DEFAULT 0,
      sender TEXT,
      settled TEXT,
      reason TEXT,
      dead_at REAL,
      level INTEGER GENERATED ALWAYS AS (
        CASE WHEN typeof(priority) = 'integer' AND priority BETWEEN 0 AND 9 THEN priority ELSE 5 END) VIRTUAL,
      due REAL GENERATED ALWAYS AS (
        CASE WHEN run_at IS NOT NULL THEN run_at
        WHEN typeof(not_before) = 'real' AND not_before >= 0 AND not_before < 253402300800 THEN not_before
        WHEN not_before IS NULL AND typeof(created_at) = 'real' AND created_at >= 0 AND created_at < 253402300800
        THEN created_at
        ELSE 0 END) VIRTUAL
    );
    CREATE INDEX job_ready ON job (level, due, id, leased) WHERE dead_at IS NULL;
    CREATE INDEX job_dead ON job (id) WHERE dead_at IS NOT NULL;
    CREATE INDEX job_person ON job (person);

    CREATE TABLE enrolment (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      registration TEXT,
      person TEXT,
      body TEXT,
      is_new INTEGER DEFAULT 0,
      challenge TEXT,
      possession TEXT DEFAULT 'keyAndToken',
      created_at REAL DEFAULT \(now),
      answer TEXT,
      reason TEXT,
      request TEXT,
      answered_at REAL,
      run_at REAL NOT NULL DEFAULT 0,
      attempt INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX enrolment_ready ON enrolment (run_at, id) WHERE answer IS NULL;
    CREATE INDEX enrolment_answered ON enrolment (answered_at) WHERE answer IS NOT NULL;
    CREATE INDEX enrolment_person ON enrolment (person);

    CREATE TABLE device (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      person TEXT,
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      token TEXT NOT NULL,
      pending_token TEXT,
      identity TEXT NOT NULL,
      serial INTEGER NOT NULL,
      has_token INTEGER NOT NULL,
      token_set_at REAL NOT NULL,
      refused_at REAL,
      keys TEXT,
      registration TEXT NOT NULL,
      version INTEGER NOT NULL
    );
    CREATE INDEX device_person ON device (person);
    CREATE INDEX device_token ON device (token);
    CREATE INDEX device_pending_token ON device (pending_token) WHERE pending_token IS NOT NULL;
    CREATE INDEX device_identity ON device (identity);
    CREATE UNIQUE INDEX device_proven_token ON device (token) WHERE has_token;
    CREATE UNIQUE INDEX device_proven_identity ON device (identity) WHERE keys IS NOT NULL;

    CREATE TABLE device_key (
      kid TEXT NOT NULL,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      proven INTEGER NOT NULL,
      PRIMARY KEY (kid, device)
    ) WITHOUT ROWID;
    CREATE INDEX device_key_device ON device_key (device);
    CREATE UNIQUE INDEX device_key_proven ON device_key (kid) WHERE proven;
    """

  /// SQLite reads a row as a whole, so a value that is too long is cut when it is written.
  ///
  /// One byte too many is left, so
  /// that the value is refused when the row is leased.
  private static let version2 = """
    CREATE INDEX enrolment_registration ON enrolment (registration) WHERE person IS NULL;
    \(cut(
      "job", columns: [
        "message_id", "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime",
        "apns_priority", "collapse_id", "created_at",
      ], to: 65537))
    \(cut("enrolment", columns: ["registration", "person", "body", "is_new", "challenge", "possession"], to: 32769))
    """

  /// An application that gives a row the last number would end the numbers for all.
  ///
  /// A message ID that was cut could equal another row's, and that row's insert would fail.
  private static let version3 = """
    \(ownNumbers(of: "job"))
    \(ownNumbers(of: "enrolment"))
    CREATE TRIGGER job_message_id AFTER INSERT ON job WHEN length(CAST(new.message_id AS BLOB)) > 65537
    BEGIN UPDATE job SET message_id = NULL WHERE id = new.id; END;
    DROP TRIGGER job_cut;
    \(cut(
      "job", columns: [
        "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime", "apns_priority",
        "collapse_id", "created_at",
      ], to: 65537))
    """

  private static let version4 = """
    ALTER TABLE job ADD COLUMN push_type TEXT;
    DROP TRIGGER job_cut;
    \(cut(
      "job", columns: [
        "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime", "apns_priority",
        "collapse_id", "created_at", "push_type",
      ], to: 65537))
    """

  /// A row that an application inserts is carried out in the application's own transaction, and is gone then.
  ///
  /// The keys are removed by name, because an application's connection need not enforce foreign keys.
  private static let version5 = """
    CREATE TABLE removal (id INTEGER PRIMARY KEY, registration TEXT, identity TEXT, token TEXT);
    CREATE TRIGGER removal_made AFTER INSERT ON removal
    BEGIN
      DELETE FROM enrolment WHERE answer IS NULL AND registration IN (
        SELECT new.registration UNION ALL SELECT CAST(new.registration AS BLOB)
        UNION ALL SELECT name FROM device WHERE identity = new.identity OR token = lower(new.token)
        UNION ALL SELECT CAST(name AS BLOB) FROM device WHERE identity = new.identity OR token = lower(new.token));
      DELETE FROM device_key WHERE device IN (
        SELECT id FROM device WHERE name = new.registration OR identity = new.identity OR token = lower(new.token));
      DELETE FROM device WHERE name = new.registration OR identity = new.identity OR token = lower(new.token);
      DELETE FROM removal WHERE id = new.id;
    END;
    """

  /// Phones that come, go and move.
  ///
  /// In `device`: what APNs' answer 410 needs, when a phone enrolled, and what it says of itself; one that enrolled before
  /// counts as having done so at this change. In `job`: waiting for a phone, and the devices that did not get a message; its rows
  /// are found by person only while they wait, because an index of all persons costs each job more than it is worth.
  ///
  /// A challenge counts for an hour after it was issued, and is valid until it expires. `departed` has the devices that were
  /// removed. Each row of `request` is a registration's; `asked` counts proof requests by token, and `claim` by person.
  /// `refusal` counts how often APNs has refused an address, and `alternation` knows identities that two phones may have. `reachable` and `outcome` answer what applications ask about
  /// persons and messages.
  private static let version6 = """
    ALTER TABLE device ADD COLUMN proof INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device ADD COLUMN pending INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE enrolment ADD COLUMN account TEXT;
    ALTER TABLE job ADD COLUMN waits_until REAL;
    ALTER TABLE job ADD COLUMN missing TEXT;
    DROP INDEX job_person;
    CREATE INDEX job_waiting ON job (person) WHERE waits_until IS NOT NULL;
    CREATE TABLE challenge (
      hash TEXT PRIMARY KEY,
      person TEXT NOT NULL,
      login TEXT NOT NULL,
      login_at REAL NOT NULL,
      topic TEXT NOT NULL,
      registration TEXT NOT NULL,
      mode TEXT NOT NULL,
      issued_at REAL NOT NULL DEFAULT \(now),
      expires_at REAL NOT NULL DEFAULT (\(now) + 600),
      spent_at REAL
    ) WITHOUT ROWID;
    CREATE INDEX challenge_person ON challenge (person, issued_at);
    CREATE INDEX challenge_issued ON challenge (issued_at);
    ALTER TABLE device ADD COLUMN enrolled_at REAL;
    ALTER TABLE device ADD COLUMN report TEXT;
    CREATE TABLE fleet (since REAL NOT NULL);
    INSERT INTO fleet VALUES (\(now));
    CREATE TABLE departed (identity TEXT PRIMARY KEY, serial INTEGER NOT NULL, left_at REAL NOT NULL) WITHOUT ROWID;
    CREATE INDEX departed_left ON departed (left_at);
    CREATE INDEX device_idle ON device (enrolled_at) WHERE keys IS NULL;
    CREATE TABLE request (
      registration TEXT PRIMARY KEY,
      claimant TEXT NOT NULL,
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      token TEXT NOT NULL,
      mark INTEGER NOT NULL,
      run_at REAL NOT NULL,
      set_at REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX request_due ON request (run_at, mark);
    CREATE INDEX request_set ON request (set_at);
    CREATE INDEX request_token ON request (token);
    CREATE TABLE asked (
      token TEXT NOT NULL,
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      others_at REAL,
      others_mark INTEGER,
      holder TEXT,
      holder_at REAL,
      holder_mark INTEGER,
      holder_count INTEGER NOT NULL DEFAULT 0,
      dead INTEGER NOT NULL DEFAULT 0,
      answers INTEGER NOT NULL DEFAULT 0,
      touched_at REAL NOT NULL,
      PRIMARY KEY (token, topic, environment)
    );
    CREATE INDEX asked_touched ON asked (touched_at);
    CREATE INDEX asked_holder ON asked (holder) WHERE holder IS NOT NULL;
    CREATE TABLE claim (mark INTEGER PRIMARY KEY, claimant TEXT NOT NULL, token TEXT NOT NULL, asked_at REAL NOT NULL,
      registration TEXT NOT NULL, since REAL NOT NULL);
    CREATE INDEX claim_claimant ON claim (claimant, asked_at);
    CREATE INDEX claim_asked ON claim (asked_at);
    CREATE TRIGGER device_gone AFTER DELETE ON device
    BEGIN
      DELETE FROM request WHERE registration = old.name;
      UPDATE asked SET holder = NULL WHERE holder = old.name;
      DELETE FROM device_share WHERE device = old.id;
    END;
    ALTER TABLE device ADD COLUMN persons TEXT;
    ALTER TABLE device ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX device_stale ON device (id) WHERE stale;
    CREATE INDEX device_topic ON device (topic || '');
    CREATE INDEX job_died ON job (dead_at) WHERE dead_at IS NOT NULL;
    CREATE TABLE device_share (
      person TEXT NOT NULL,
      device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
      PRIMARY KEY (person, device)
    ) WITHOUT ROWID;
    CREATE INDEX device_share_device ON device_share (device);
    CREATE VIEW device_of AS
      SELECT person, id AS device, name, identity, token, 1 AS alone FROM device WHERE person IS NOT NULL
      UNION ALL
      SELECT device_share.person, id, name, identity, token,
        (SELECT count(*) FROM device_share AS other WHERE other.device = device.id) = 1
      FROM device_share JOIN device ON device.id = device_share.device;
    CREATE VIEW reachable AS
      SELECT person, topic, max(keys IS NOT NULL AND refused_at IS NULL) AS reachable
      FROM device WHERE person IS NOT NULL GROUP BY person, topic
      UNION ALL
      SELECT device_share.person, topic, max(keys IS NOT NULL AND refused_at IS NULL)
      FROM device_share JOIN device ON device.id = device_share.device GROUP BY device_share.person, topic;
    ALTER TABLE removal ADD COLUMN person TEXT;
    \(removals)
    ALTER TABLE enrolment ADD COLUMN mode TEXT DEFAULT 'replace';
    DROP TRIGGER enrolment_cut;
    \(cut(
      "enrolment",
      columns: ["registration", "person", "body", "is_new", "challenge", "possession", "mode"], to: 32769))
    ALTER TABLE job ADD COLUMN outcome INTEGER DEFAULT 0;
    DROP TRIGGER job_cut;
    \(cut(
      "job", columns: [
        "person", "payload", "topic", "priority", "not_before", "expires_at", "lifetime", "apns_priority",
        "collapse_id", "created_at", "push_type", "outcome",
      ], to: 65537))
    CREATE TABLE outcome (
      message_id TEXT NOT NULL COLLATE NOCASE,
      person TEXT NOT NULL,
      registration TEXT,
      identity TEXT NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT,
      decided_at REAL NOT NULL,
      PRIMARY KEY (message_id, identity)
    ) WITHOUT ROWID;
    CREATE INDEX outcome_person ON outcome (person);
    CREATE INDEX outcome_decided ON outcome (decided_at);
    CREATE TABLE refusal (
      token TEXT NOT NULL,
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      first_at REAL NOT NULL,
      last_at REAL NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (token, topic, environment)
    ) WITHOUT ROWID;
    CREATE INDEX refusal_last ON refusal (last_at);
    CREATE TABLE alternation (identity TEXT PRIMARY KEY, former TEXT NOT NULL, last_at REAL NOT NULL, before_at REAL,
      suspended_at REAL) WITHOUT ROWID;
    CREATE INDEX alternation_last ON alternation (last_at);
    ALTER TABLE device ADD COLUMN mac TEXT;
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """

  /// How devices leave: whole ones, or a person's share of them.
  ///
  /// A device that nobody else has goes with its last person. One that others have is marked, because its registration's line
  /// still names the person.
  private static var removals: String {
    let whole = "name = new.registration OR identity = new.identity OR token = lower(new.token)"
    let share = """
      SELECT device FROM device_of WHERE person = new.person AND (
        new.registration IS NULL AND new.identity IS NULL AND new.token IS NULL OR \(whole))
      """
    let alone = "id IN (\(share) AND alone)"
    let depart = { (devices: String) in
      """
      INSERT INTO departed (identity, serial, left_at)
        SELECT identity, max(serial), \(now) FROM device WHERE \(devices) GROUP BY identity
        ON CONFLICT (identity) DO UPDATE SET serial = max(serial, excluded.serial), left_at = excluded.left_at;
      """
    }
    let names = { (devices: String) in
      "SELECT name FROM device WHERE \(devices) UNION ALL SELECT CAST(name AS BLOB) FROM device WHERE \(devices)"
    }
    return """
      DROP TRIGGER removal_made;
      CREATE TRIGGER removal_made AFTER INSERT ON removal WHEN new.person IS NULL
      BEGIN
        \(depart(whole))
        DELETE FROM enrolment WHERE answer IS NULL AND registration IN (
          SELECT new.registration UNION ALL SELECT CAST(new.registration AS BLOB)
          UNION ALL \(names("identity = new.identity OR token = lower(new.token)")));
        DELETE FROM device_key WHERE device IN (SELECT id FROM device WHERE \(whole));
        DELETE FROM device WHERE \(whole);
        DELETE FROM removal WHERE id = new.id;
      END;
      CREATE TRIGGER removal_of_share AFTER INSERT ON removal WHEN new.person IS NOT NULL
      BEGIN
        \(depart(alone))
        DELETE FROM enrolment WHERE answer IS NULL AND person IN (new.person, CAST(new.person AS BLOB)) AND (
          new.registration IS NULL AND new.identity IS NULL AND new.token IS NULL
          OR registration IN (new.registration, CAST(new.registration AS BLOB))
          OR registration IN (\(names("id IN (\(share))"))));
        DELETE FROM enrolment WHERE answer IS NULL AND person IS NULL AND registration IN (\(names(alone)));
        DELETE FROM device_key WHERE device IN (SELECT id FROM device WHERE \(alone));
        DELETE FROM device WHERE \(alone);
        UPDATE device SET stale = 1, version = random() & 9223372036854775807 WHERE id IN (\(share));
        DELETE FROM device_share WHERE person = new.person AND device IN (\(share));
        DELETE FROM removal WHERE id = new.id;
      END;
      """
  }

  /// A trigger that refuses numbers that leave few after them.
  private static func ownNumbers(of table: String) -> String {
    """
    CREATE TRIGGER \(table)_id BEFORE INSERT ON \(table) WHEN new.id > 1000000000000000000
    BEGIN SELECT RAISE(ABORT, 'the column id is the store''s own'); END;
    """
  }

  /// A trigger that cuts columns.
  static func cut(_ table: String, columns: [String], to size: Int) -> String {
    let isLonger = columns.map { "length(CAST(new.\($0) AS BLOB)) > \(size)" }.joined(separator: " OR ")
    let parts = columns.map { column in
      let bytes = "CAST(\(column) AS BLOB)"
      return "\(column) = iif(length(\(bytes)) > \(size), substr(\(bytes), 1, \(size)), \(column))"
    }
    return """
      CREATE TRIGGER \(table)_cut AFTER INSERT ON \(table) WHEN \(isLonger)
      BEGIN UPDATE \(table) SET \(parts.joined(separator: ", ")) WHERE id = new.id; END;
      """
  }
}
