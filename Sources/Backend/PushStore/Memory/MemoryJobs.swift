internal import PushCore

/// The table `job` in memory: what every engine's queue does, in the simplest way.
struct MemoryJobs {
  private struct Entry {
    var row: JobRow
    var runAt: Duration
    var number: Int64 = 0
    var forgiven: Int64 = 0
    var isLeased = false
    var senders = FirstSenders(text: nil)
    var settled: Set<Thumbprint> = []
    var missing: [MissingDevice] = []
    var waitsUntil: Duration?
    var reason = ""
    var diedAt: Duration?
    var heldFor: Route?

    /// The text of a column that is text.
    func text(in column: JobColumn) -> String? {
      row[column].map { String(decoding: $0, as: UTF8.self) }
    }

    var priority: JobPriority {
      text(in: .priority).flatMap { Int($0) }.flatMap(JobPriority.init) ?? .standard
    }

    /// UUIDs are the same in either case.
    var messageID: String? { text(in: .messageID)?.lowercased() }

    var attempt: Int { Int(number - forgiven) }

    /// The message under which a phone may show this one; nil if no worker has had it.
    var root: String? { text(in: .replaces)?.lowercased() ?? (number > 0 ? messageID : nil) }

    /// When the message was issued.
    var issuedAt: Duration {
      .seconds(text(in: .createdAt).flatMap { StoreTime.seconds(in: $0) } ?? 0)
    }

    var isWaiting: Bool { waitsUntil != nil && diedAt == nil && !isLeased }

    /// When it was first ready, as its row says.
    var due: Duration {
      let column = row[.notBefore] ?? row[.createdAt]
      return .seconds(column.flatMap { StoreTime.seconds(in: String(decoding: $0, as: UTF8.self)) } ?? 0)
    }
  }

  private var entries: [Int64: Entry] = [:]
  private var lastID: Int64 = 0
  private var keyed: [KeyedMessage] = []

  /// A message with a key, whose job may be done.
  private struct KeyedMessage {
    let key: [UInt8]
    let messageID: String
    let person: [UInt8]?
    let topic: [UInt8]?
    let replaces: String?
    let madeAt: Duration
  }

  // MARK: Enqueueing

  var lastJob: JobID? { lastID > 0 ? JobID(lastID) : nil }

  mutating func enqueue(_ job: Job, at now: Duration) -> JobID {
    insert(Entry(row: JobRow(job), runAt: job.notBefore.map { .seconds($0.seconds) } ?? now))
  }

  /// Adds a row as it was written.
  mutating func insert(_ row: JobRow) -> JobID {
    var entry = Entry(row: row, runAt: .zero)
    entry.runAt = entry.due
    return insert(entry)
  }

  /// Adds a job unless its message ID is there.
  private mutating func insert(_ entry: Entry) -> JobID {
    if let messageID = entry.messageID,
      let other = entries.first(where: { $0.value.messageID == messageID })
    {
      return JobID(other.key)
    }
    lastID += 1
    entries[lastID] = entry
    heedKey(of: lastID)
    return JobID(lastID)
  }

  // MARK: Cancelling and replacing

  /// Drops a job that was added, or removes those whose place it takes.
  private mutating func heedKey(of id: Int64) {
    guard var entry = entries[id] else { return }
    let rule = entry.text(in: .onKey)
    let key = entry.row[.key].flatMap { $0.count <= 255 ? $0 : nil }
    let others = key.map { key in entries.filter { $0.value.row[.key] == key && $0.key != id } } ?? [:]
    if let key, rule == "skip" {
      let time = entry.text(in: .uniqueFor).flatMap { Int64($0) } ?? 0
      let isRecent = keyed.contains { $0.key == key && $0.madeAt > entry.issuedAt - .seconds(time) }
      if isRecent || others.values.contains(where: { $0.diedAt == nil }) {
        entries[id] = nil
        return
      }
    }
    if let replaced = entry.text(in: .replaces)?.lowercased(),
      let other = entries.first(where: { $0.value.messageID == replaced && $0.key != id })
    {
      entry.row[.replaces] = other.value.root.map { Array($0.utf8) }
      entries[other.key] = nil
    } else if let key, rule == "replace", entry.row[.replaces] == nil {
      let unsent = Set(others.values.filter { $0.number == 0 }.compactMap(\.messageID))
      keyed.removeAll { $0.key == key && unsent.contains($0.messageID) }
      let waiting = others.sorted { $0.key > $1.key }.compactMap(\.value.root).first
      let done = keyed.filter { $0.key == key }.max { $0.madeAt < $1.madeAt }
      entry.row[.replaces] = (waiting ?? done.map { $0.replaces ?? $0.messageID }).map { Array($0.utf8) }
    }
    if rule == "replace" { for other in others.keys { entries[other] = nil } }
    entries[id] = entry
    guard let key, let messageID = entry.messageID else { return }
    keyed.removeAll { $0.key == key && $0.messageID == messageID }
    keyed.append(
      KeyedMessage(
        key: key, messageID: messageID, person: entry.row[.person], topic: entry.row[.topic],
        replaces: entry.text(in: .replaces)?.lowercased(), madeAt: entry.issuedAt))
  }

  /// Removes what is cancelled, and adds what takes it back.
  mutating func cancel(_ cancellation: Cancellation, at now: Duration) -> Int {
    let (id, key) = (cancellation.messageID?.text, cancellation.key.map { Array($0.utf8) })
    let gone = entries.filter { entry in
      id != nil && entry.value.messageID == id || key != nil && entry.value.row[.key] == key
    }
    let unsent = Set(gone.values.filter { $0.number == 0 }.compactMap(\.messageID))
    typealias Shown = (message: String?, person: [UInt8]?, topic: [UInt8]?)
    let forgotten = keyed.filter { key != nil && $0.key == key }
    var shown: [Shown] = forgotten.filter { !unsent.contains($0.messageID) }.map {
      ($0.messageID, $0.person, $0.topic)
    }
    shown += forgotten.map { ($0.replaces, $0.person, $0.topic) }
    for entry in gone.values where entry.number > 0 {
      for message in [entry.messageID, entry.text(in: .replaces)] {
        shown.append((message, entry.row[.person], entry.row[.topic]))
      }
    }
    if gone.isEmpty, let id, let person = cancellation.person {
      shown.append((id, Array(person.utf8), cancellation.topic.map { Array($0.text.utf8) }))
    }
    keyed.removeAll { message in
      key != nil && message.key == key || gone.values.contains { $0.messageID == message.messageID }
    }
    for id in gone.keys { entries[id] = nil }
    if cancellation.takesBack {
      for person in Set(shown.map(\.person)) {
        for topic in Set(shown.filter { $0.person == person }.map(\.topic)) {
          let messages = Set(shown.filter { $0.person == person && $0.topic == topic }.compactMap(\.message))
          takeBack(messages.prefix(32).sorted(), from: person, topic: topic, at: now)
        }
      }
    }
    return gone.count
  }

  private mutating func takeBack(
    _ messages: [String], from person: [UInt8]?, topic: [UInt8]?, at now: Duration
  ) {
    guard !messages.isEmpty else { return }
    let changes: JSONObject = ["v": 1, "removes": .array(messages.map { .string($0) })]
    let payload: JSONObject = ["aps": ["content-available": 1], "sealed-push": .object(changes)]
    var row = JobRow(columns: [
      .messageID: Array(MessageID.random().text.utf8), .payload: payload.encoded(),
      .pushType: Array("background".utf8), .createdAt: Array("\(now.components.seconds)".utf8),
    ])
    (row[.person], row[.topic]) = (person, topic)
    _ = insert(Entry(row: row, runAt: now))
  }

  mutating func removeKeys(before end: Duration, atMost count: Int) -> Int {
    let old = keyed.filter { $0.madeAt <= end }.sorted { $0.madeAt < $1.madeAt }.prefix(max(count, 0))
    for message in old { keyed.removeAll { $0.key == message.key && $0.messageID == message.messageID } }
    return old.count
  }

  // MARK: Leases

  func hasReady(at now: Duration) -> Bool { !ready(at: now).isEmpty }

  mutating func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>, at now: Duration
  ) -> [LeasedJob] {
    ready(at: now).prefix(max(count, 0)).map { id in
      change(id) { entry in
        entry.runAt = now + time
        entry.number += 1
        entry.isLeased = true
        entry.heldFor = nil
        if entry.senders.text == nil { entry.senders = FirstSenders(senders) }
        return LeasedJob(
          lease: Lease(job: JobID(id), number: entry.number), attempt: entry.attempt,
          leaseEnd: entry.runAt.unixTime, job: Self.job(from: entry.row, at: now),
          firstSenders: entry.senders,
          settled: entry.settled, missing: entry.missing, waitsUntil: entry.waitsUntil?.unixTime,
          outcomeRequest: entry.row.outcomeRequest)
      }
    }
  }

  mutating func extend(_ leases: [Lease], for time: Duration, at now: Duration) -> [Lease] {
    leases.filter { lease in
      guard isValid(lease) else { return false }
      change(lease.job.number) { $0.runAt = now + time }
      return true
    }
  }

  mutating func acknowledge(_ leases: [Lease]) -> Int {
    leases.count { lease in isValid(lease) && entries.removeValue(forKey: lease.job.number) != nil }
  }

  mutating func retry(_ retries: [JobRetry], at now: Duration) -> Int {
    retries.count { retry in
      guard isValid(retry.lease) else { return false }
      change(retry.lease.job.number) { entry in
        entry.isLeased = false
        entry.runAt = retry.delay > .zero ? now + retry.delay : min(now, max(.zero, entry.due))
        entry.settled = retry.settled
        entry.forgiven = entry.number - Int64(retry.attempts)
        entry.reason = retry.reason
        entry.heldFor = retry.heldFor
        if retry.isWaiting { entry.waitsUntil = entry.waitsUntil ?? now + JobRetry.longestWait }
      }
      if retry.isWaiting { displace(besides: retry.lease.job, at: now) }
      return true
    }
  }

  /// Gives up the oldest of too many jobs of a person that wait for a device.
  private mutating func displace(besides job: JobID, at now: Duration) {
    let person = entries[job.number]?.row[.person]
    let waiting = entries.filter { $0.value.row[.person] == person && $0.value.isWaiting }.keys.sorted(by: >)
    for id in waiting.dropFirst(JobRetry.maximumWaiting) {
      change(id) { ($0.diedAt, $0.reason) = (now, JobRetry.displaced) }
    }
  }

  /// Makes the jobs ready that wait for a device of this person.
  mutating func wake(_ person: String, at now: Duration) {
    let waiting = entries.filter { $0.value.row[.person] == Array(person.utf8) && $0.value.isWaiting }
    for id in waiting.keys { change(id) { $0.runAt = min($0.runAt, now) } }
  }

  // MARK: Held jobs

  /// The routes for which jobs are held.
  var heldRoutes: Set<Route> { Set(entries.values.filter { $0.diedAt == nil }.compactMap(\.heldFor)) }

  /// Makes jobs ready that are held for a route.
  mutating func release(_ route: Route, atMost count: Int, at now: Duration) -> Int {
    let held = entries.filter { $0.value.heldFor == route && $0.value.diedAt == nil }.sorted { left, right in
      (right.value.priority, left.key) < (left.value.priority, right.key)
    }.prefix(max(count, 0))
    for (id, _) in held { change(id) { ($0.heldFor, $0.runAt) = (nil, now) } }
    return held.count
  }

  mutating func discard(_ discards: [JobDiscard], at now: Duration) -> Int {
    discards.count { discard in
      guard isValid(discard.lease) else { return false }
      change(discard.lease.job.number) { entry in
        entry.isLeased = false
        entry.diedAt = now
        entry.reason = discard.reason
        entry.settled = discard.settled ?? entry.settled
        if !discard.missing.isEmpty { entry.missing = discard.missing }
      }
      return true
    }
  }

  // MARK: Dead letters

  func deadLetters(after job: JobID?, atMost count: Int) -> [DeadLetter] {
    entries.filter { $0.key > job?.number ?? .min }.sorted { $0.key < $1.key }.compactMap { (id, entry) in
      entry.diedAt.map {
        DeadLetter(
          id: JobID(id), row: entry.row, reason: entry.reason, missing: entry.missing, diedAt: $0.unixTime,
          attempts: entry.attempt)
      }
    }.prefix(max(count, 0)).map { $0 }
  }

  mutating func resend(_ jobs: [JobID], at now: Duration) -> Int {
    jobs.count { job in
      guard entries[job.number]?.diedAt != nil else { return false }
      change(job.number) { entry in
        entry.diedAt = nil
        entry.runAt = now
        entry.waitsUntil = nil
        // The numbers of leases go on, so that an old lease never equals a new one.
        entry.forgiven = entry.number
      }
      return true
    }
  }

  mutating func delete(_ jobs: [JobID]) -> Int {
    jobs.count { entries[$0.number]?.diedAt != nil && entries.removeValue(forKey: $0.number) != nil }
  }

  mutating func removeDeadLetters(before end: Duration, atMost count: Int) -> Int {
    let dead = entries.compactMap { (id, entry) in entry.diedAt.map { (id: id, diedAt: $0) } }
    let removed = dead.filter { $0.diedAt <= end }.sorted { $0.diedAt < $1.diedAt }.prefix(max(count, 0))
    for job in removed { entries[job.id] = nil }
    return removed.count
  }

  mutating func forget(person: String) -> Int {
    let before = entries.count
    entries = entries.filter { $0.value.row[.person] != Array(person.utf8) }
    keyed.removeAll { $0.person == Array(person.utf8) }
    return before - entries.count
  }

  func statistics(at now: Duration) -> QueueStatistics {
    let alive = entries.values.filter { $0.diedAt == nil }
    let ready = alive.filter { $0.runAt <= now }
    let leased = alive.count { $0.isLeased && $0.runAt > now }
    return QueueStatistics(
      ready: ready.count, delayed: alive.count - ready.count - leased, leased: leased,
      dead: entries.count - alive.count, oldestReady: ready.map { now - $0.runAt }.max())
  }

  func depths(atMost count: Int) -> [QueueDepth] {
    let groups = Dictionary(grouping: entries.values) {
      [$0.text(in: .topic), $0.text(in: .pushType) ?? "alert"]
    }
    return groups.map { names, jobs in
      let dead = jobs.count { $0.diedAt != nil }
      return QueueDepth(
        topic: names[0], pushType: names[1] ?? "alert", waiting: jobs.count - dead, dead: dead)
    }.sorted { left, right in
      let (size, other) = (left.waiting + left.dead, right.waiting + right.dead)
      return (other, left.topic ?? "", left.pushType) < (size, right.topic ?? "", right.pushType)
    }.prefix(max(count, 0)).map { $0 }
  }

  // MARK: Entries

  private func ready(at now: Duration) -> [Int64] {
    entries.filter { $0.value.diedAt == nil && $0.value.runAt <= now }.sorted { left, right in
      let (one, other) = (left.value, right.value)
      guard one.priority == other.priority else { return one.priority > other.priority }
      return (one.runAt, left.key) < (other.runAt, right.key)
    }.map(\.key)
  }

  func isValid(_ lease: Lease) -> Bool {
    entries[lease.job.number].map { $0.isLeased && $0.diedAt == nil && $0.number == lease.number } ?? false
  }

  @discardableResult
  private mutating func change<Value>(_ id: Int64, change: (inout Entry) -> Value) -> Value {
    guard var entry = entries[id] else { preconditionFailure("the job is there") }
    defer { entries[id] = entry }
    return change(&entry)
  }

  private static func job(from row: JobRow, at now: Duration) -> Result<Job, JobFault> {
    Result { () throws(JobFault) in try row.job(at: now.unixTime) }
  }
}
