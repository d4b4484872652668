internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// The columns of the table `job` that an application writes.
package struct JobColumns: RowColumns {
  private let columns: [(JobColumn, Column)]

  package init(in names: some ColumnNames) {
    columns = JobColumn.allCases.map { ($0, names.column($0.rawValue)) }
  }

  package func row(in row: borrowing some StoreRow & ~Copyable) -> JobRow {
    var job = JobRow()
    for (name, column) in columns { job[name] = row.bytes(in: column, atMost: JobRow.maximumSize) }
    return job
  }
}

/// The columns of a job that is leased: its own, with the lease's number as `attempt`, and the times `now` and `lease_end`.
package struct LeasedJobColumns: RowColumns {
  private let job: JobColumns
  private let id, attempt, forgiven, sender, settled, missing, waitsUntil, now, leaseEnd: Column

  package init(in names: some ColumnNames) {
    job = JobColumns(in: names)
    id = names.column("id")
    attempt = names.column("attempt")
    forgiven = names.column("forgiven")
    sender = names.column("sender")
    settled = names.column("settled")
    missing = names.column("missing")
    waitsUntil = names.column("waits_until")
    now = names.column("now")
    leaseEnd = names.column("lease_end")
  }

  package func leasedJob(in row: borrowing some StoreRow & ~Copyable) -> LeasedJob {
    let (number, columns) = (row.integer(in: attempt), job.row(in: row))
    let now = StoreTime.unixTime(seconds: row.real(in: now) ?? 0)
    return LeasedJob(
      lease: Lease(job: JobID(row.integer(in: id)), number: number),
      // A row that something else has written may have any numbers.
      attempt: Int(number &- row.integer(in: forgiven)),
      leaseEnd: StoreTime.unixTime(seconds: row.real(in: leaseEnd) ?? 0),
      job: Result { () throws(JobFault) in try columns.job(at: now) },
      firstSenders: FirstSenders(text: row.text(in: sender)),
      settled: SettledDevices.identities(in: row.text(in: settled)),
      missing: MissingDevices.devices(in: row.text(in: missing)),
      waitsUntil: row.real(in: waitsUntil).map { StoreTime.unixTime(seconds: $0) },
      outcomeRequest: columns.outcomeRequest)
  }
}

/// The columns of a count of jobs; `oldest` is how many seconds the oldest ready job has been ready.
package struct CountColumns: RowColumns {
  private let ready, delayed, leased, dead, oldest: Column

  package init(in names: some ColumnNames) {
    ready = names.column("ready")
    delayed = names.column("delayed")
    leased = names.column("leased")
    dead = names.column("dead")
    oldest = names.column("oldest")
  }

  package func statistics(in row: borrowing some StoreRow & ~Copyable) -> QueueStatistics {
    let (ready, seconds) = (Int(row.integer(in: ready)), row.real(in: oldest) ?? .infinity)
    return QueueStatistics(
      ready: ready, delayed: Int(row.integer(in: delayed)), leased: Int(row.integer(in: leased)),
      dead: Int(row.integer(in: dead)),
      oldestReady: ready > 0 && seconds.isFinite ? .seconds(max(seconds, 0)) : nil)
  }
}

/// The columns of a count of enrolments; `oldest` is how many seconds ago the oldest was handed in.
package struct WaitingColumns: RowColumns {
  private let count, oldest: Column

  package init(in names: some ColumnNames) {
    count = names.column("count")
    oldest = names.column("oldest")
  }

  package func waiting(in row: borrowing some StoreRow & ~Copyable) -> WaitingEnrolments {
    let seconds = row.real(in: oldest).flatMap { $0.isFinite ? max($0, 0) : nil }
    return WaitingEnrolments(count: Int(row.integer(in: count)), oldest: seconds.map { .seconds($0) })
  }
}

/// The columns of a dead letter.
package struct DeadLetterColumns: RowColumns {
  private let job: JobColumns
  private let id, reason, missing, diedAt, attempt, forgiven: Column

  package init(in names: some ColumnNames) {
    job = JobColumns(in: names)
    id = names.column("id")
    reason = names.column("reason")
    missing = names.column("missing")
    diedAt = names.column("dead_at")
    attempt = names.column("attempt")
    forgiven = names.column("forgiven")
  }

  package func deadLetter(in row: borrowing some StoreRow & ~Copyable) -> DeadLetter {
    DeadLetter(
      id: JobID(row.integer(in: id)), row: job.row(in: row), reason: row.text(in: reason) ?? "",
      missing: MissingDevices.devices(in: row.text(in: missing)),
      diedAt: StoreTime.unixTime(seconds: row.real(in: diedAt) ?? 0),
      // A row that something else has written may have any numbers.
      attempts: Int(row.integer(in: attempt) &- row.integer(in: forgiven)))
  }
}

/// The columns of a device.
package struct DeviceColumns: RowColumns {
  private let name, person, shares, topic, environment, token, identity, keys: Column
  private let hasToken, tokenSetAt, refusedAt, version, proof: Column
  private let sealed: SealedColumns

  package init(in names: some ColumnNames) {
    sealed = SealedColumns(in: names)
    name = names.column("name")
    person = names.column("person")
    shares = names.column("shares")
    topic = names.column("topic")
    environment = names.column("environment")
    token = names.column("token")
    identity = names.column("identity")
    keys = names.column("keys")
    hasToken = names.column("has_token")
    tokenSetAt = names.column("token_set_at")
    refusedAt = names.column("refused_at")
    version = names.column("version")
    proof = names.column("proof")
  }

  /// The device in a row, from the reader's cache if that has this version of it; nil if something else has written the row.
  package func device(in row: borrowing some StoreRow & ~Copyable, by reader: RowReader) -> StoredDevice? {
    reader.device(
      in: row, of: sealed, version: row.integer(in: version), quarantinedAt: row.real(in: refusedAt)
    ) {
      device(in: row)
    }
  }

  private func device(in row: borrowing some StoreRow & ~Copyable) -> StoredDevice? {
    guard let name = row.text(in: name), let topic = row.text(in: topic),
      let environment = row.text(in: environment), let token = row.bytes(in: token),
      let identity = row.bytes(in: identity), let tokenSetAt = row.real(in: tokenSetAt)
    else { return nil }
    return StoredDevice(
      name: name, person: row.text(in: person), persons: Shares.persons(in: row.text(in: shares)) ?? [],
      topic: topic, environment: environment, token: token,
      identity: identity, keys: row.bytes(in: keys), hasToken: row.boolean(in: hasToken),
      tokenSetAt: tokenSetAt, proof: row.integer(in: proof))
  }
}

/// The columns of a device that a report counts.
package struct FleetColumns: RowColumns {
  private let name, topic, environment, keys, enrolledAt, report: Column

  package init(in names: some ColumnNames) {
    name = names.column("name")
    topic = names.column("topic")
    environment = names.column("environment")
    keys = names.column("keys")
    enrolledAt = names.column("enrolled_at")
    report = names.column("report")
  }

  /// The device in a row; nil if something else has written the row.
  package func device(in row: borrowing some StoreRow & ~Copyable) -> FleetDevice? {
    guard let name = row.text(in: name), let topic = row.text(in: topic),
      let environment = row.text(in: environment), let keys = row.bytes(in: keys),
      let enrolledAt = row.real(in: enrolledAt)
    else { return nil }
    return FleetDevice(
      name: name, topic: topic, environment: environment, keys: keys, enrolledAt: enrolledAt,
      report: row.bytes(in: report, atMost: Registration.maximumLineSize))
  }
}

/// The columns of a registration.
package struct RegistrationColumns: RowColumns {
  private let registration, shares, version, proof, lost: Column
  private let sealed: SealedColumns

  package init(in names: some ColumnNames) {
    sealed = SealedColumns(in: names)
    registration = names.column("registration")
    shares = names.column("shares")
    version = names.column("version")
    proof = names.column("proof")
    lost = names.column("lost")
  }

  /// The registration in a row; nil if something else has written the row.
  package func registration(
    in row: borrowing some StoreRow & ~Copyable, by reader: RowReader
  ) -> VersionedRegistration? {
    guard let line = row.bytes(in: registration, atMost: ProofSeal.maximumLineSize + 1),
      var registration = reader.registration(
        in: row, of: sealed, line: line, read: { try? Registration(parsing: $0.span) })
    else { return nil }
    // Somebody may have left since the line was written.
    if let persons = Shares.persons(in: row.text(in: shares)) { registration.keep(personsIn: persons) }
    return VersionedRegistration(
      registration, version: row.integer(in: version), proof: ProofNumber(row.integer(in: proof)),
      isLost: row.boolean(in: lost))
  }
}

/// The columns of an enrolment that a worker leases.
package struct EnrolmentColumns: RowColumns {
  private let columns: [(EnrolmentRow.Column, Column)]
  private let id, createdAt, attempt: Column

  package init(in names: some ColumnNames) {
    columns = EnrolmentRow.Column.allCases.map { ($0, names.column($0.rawValue)) }
    id = names.column("id")
    createdAt = names.column("created_at")
    attempt = names.column("attempt")
  }

  package func enrolment(in row: borrowing some StoreRow & ~Copyable) -> LeasedEnrolment {
    var enrolment = EnrolmentRow(columns: [:])
    for (name, column) in columns {
      enrolment.columns[name] = row.bytes(in: column, atMost: EnrolmentRow.maximumSize)
    }
    // A row that something else has written may have any time.
    enrolment.handedInAt = row.real(in: createdAt).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }.map {
      StoreTime.unixTime(seconds: $0)
    }
    return LeasedEnrolment(
      lease: EnrolmentLease(id: row.integer(in: id), number: row.integer(in: attempt)),
      request: Result { () throws(EnrolmentFault) in try enrolment.request() })
  }
}

/// The columns of a challenge.
package struct ChallengeColumns: RowColumns {
  private let person, login, beganAt, topic, registration, mode, expiresAt: Column

  package init(in names: some ColumnNames) {
    person = names.column("person")
    login = names.column("login")
    beganAt = names.column("login_at")
    topic = names.column("topic")
    registration = names.column("registration")
    mode = names.column("mode")
    expiresAt = names.column("expires_at")
  }

  /// The challenge in a row; nil if an application has written a wrong one.
  package func challenge(in row: borrowing some StoreRow & ~Copyable) -> IssuedChallenge? {
    guard let beganAt = row.real(in: beganAt), beganAt >= 0, beganAt < Double(StoreTime.end.seconds),
      let mode = row.text(in: mode).flatMap({ ChallengePurpose.Mode(rawValue: $0) }),
      let person = row.text(in: person), let id = row.text(in: login), let topic = row.text(in: topic),
      let registration = row.text(in: registration), let expiresAt = row.real(in: expiresAt),
      let login = try? Login(person: person, id: id, beganAt: StoreTime.unixTime(seconds: beganAt)),
      let topic = try? Topic(topic),
      let purpose = try? ChallengePurpose(login: login, topic: topic, registration: registration, mode: mode)
    else { return nil }
    return IssuedChallenge(purpose: purpose, expiresAt: StoreTime.unixTime(seconds: expiresAt))
  }
}

/// The columns of an enrolment that an application asks for.
package struct AnswerColumns: RowColumns {
  private let id, person, answer, reason, request, account: Column

  package init(in names: some ColumnNames) {
    id = names.column("id")
    person = names.column("person")
    answer = names.column("answer")
    reason = names.column("reason")
    request = names.column("request")
    account = names.column("account")
  }

  package func enrolment(in row: borrowing some StoreRow & ~Copyable) -> HandedInEnrolment {
    HandedInEnrolment(
      id: row.integer(in: id),
      person: row.bytes(in: person, atMost: EnrolmentRow.maximumSize).map {
        String(decoding: $0, as: UTF8.self)
      },
      answer: EnrolmentAnswer(
        answer: row.text(in: answer), reason: row.text(in: reason), request: row.text(in: request)),
      account: row.text(in: account).flatMap { try? AccountTag($0) })
  }
}

/// The columns of an outcome.
package struct OutcomeColumns: RowColumns {
  private let person, registration, identity, outcome, reason, decidedAt, shownAt: Column

  package init(in names: some ColumnNames) {
    person = names.column("person")
    registration = names.column("registration")
    identity = names.column("identity")
    outcome = names.column("outcome")
    reason = names.column("reason")
    decidedAt = names.column("decided_at")
    shownAt = names.column("shown_at")
  }

  /// The outcome in a row; nil if something else has written the row.
  package func outcome(in row: borrowing some StoreRow & ~Copyable) -> RecordedOutcome? {
    guard let kind = row.text(in: outcome).flatMap(MessageOutcome.Kind.init) else { return nil }
    return RecordedOutcome(
      person: row.text(in: person) ?? "",
      outcome: MessageOutcome(
        registration: row.text(in: registration),
        identity: row.text(in: identity).flatMap { try? Thumbprint($0) }, kind: kind,
        reason: row.text(in: reason)),
      decidedAt: StoreTime.unixTime(seconds: row.real(in: decidedAt) ?? 0),
      shownAt: row.real(in: shownAt).map(StoreTime.unixTime))
  }
}

extension MessageOutcome {
  /// The column `identity`, which is a part of the key: empty for no device.
  package var identityText: String { identity?.text ?? "" }
}
