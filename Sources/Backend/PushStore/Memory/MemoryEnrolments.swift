internal import PushCore

/// The table `enrolment` in memory.
struct MemoryEnrolments {
  private struct Entry {
    let row: EnrolmentRow
    let handedInAt: Duration
    var runAt: Duration = .zero
    var number: Int64 = 0
    var answer: (EnrolmentAnswer, at: Duration)?
    var account: AccountTag?

    /// The row with the time at which it was handed in.
    var leasedRow: EnrolmentRow {
      var row = row
      row.handedInAt = handedInAt.unixTime
      return row
    }
  }

  private var entries: [Int64: Entry] = [:]
  private var lastID: Int64 = 0

  mutating func insert(_ row: EnrolmentRow, at now: Duration) -> Int64 {
    lastID += 1
    entries[lastID] = Entry(row: row, handedInAt: now)
    return lastID
  }

  func answer(of id: Int64) -> EnrolmentAnswer? { entries[id]?.answer?.0 }

  func handedIn(_ numbers: [Int64]) -> [HandedInEnrolment] {
    Set(numbers).compactMap { id in
      entries[id].map {
        HandedInEnrolment(id: id, person: $0.row[text: .person], answer: $0.answer?.0, account: $0.account)
      }
    }
  }

  func hasReady(at now: Duration) -> Bool {
    entries.values.contains { $0.answer == nil && $0.runAt <= now }
  }

  mutating func lease(atMost count: Int, for time: Duration, at now: Duration) -> [LeasedEnrolment] {
    let ready = entries.filter { $0.value.answer == nil && $0.value.runAt <= now }
    return ready.sorted { ($0.value.runAt, $0.key) < ($1.value.runAt, $1.key) }.prefix(max(count, 0)).map {
      id, entry in
      let number = entry.number + 1
      entries[id]?.number = number
      entries[id]?.runAt = now + time
      return LeasedEnrolment(
        lease: EnrolmentLease(id: id, number: number),
        request: Result { () throws(EnrolmentFault) in try entry.leasedRow.request() })
    }
  }

  mutating func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?, at now: Duration
  ) -> Bool {
    guard isValid(lease) else { return false }
    entries[lease.id]?.answer = (answer, now)
    entries[lease.id]?.account = account
    return true
  }

  func isValid(_ lease: EnrolmentLease) -> Bool {
    entries[lease.id].map { $0.answer == nil && $0.number == lease.number } ?? false
  }

  func waiting(at now: Duration) -> WaitingEnrolments {
    let waiting = entries.values.filter { $0.answer == nil }
    return WaitingEnrolments(count: waiting.count, oldest: waiting.map { now - $0.handedInAt }.max())
  }

  mutating func removeAnswered(olderThan age: Duration, atMost count: Int, at now: Duration) -> Int {
    let old = entries.filter { entry in entry.value.answer.map { $0.at <= now - age } ?? false }
    let removed = old.keys.sorted().prefix(max(count, 0))
    for id in removed { entries[id] = nil }
    return removed.count
  }

  /// Removes the enrolments of registrations that have no answer.
  mutating func removeUnanswered(of registrations: [String]) {
    let names = Set(registrations.map { Array($0.utf8) })
    entries = entries.filter { entry in
      entry.value.answer != nil || !(entry.value.row.columns[.registration].map(names.contains) ?? false)
    }
  }

  /// Removes a person's enrolments of registrations, or all, that have no answer.
  mutating func removeUnanswered(of registrations: [String]?, by person: String) {
    let names = registrations.map { Set($0.map { Array($0.utf8) }) }
    entries = entries.filter { entry in
      let columns = entry.value.row.columns
      guard entry.value.answer == nil, columns[.person] == Array(person.utf8) else { return true }
      return !(names.map { names in columns[.registration].map(names.contains) ?? false } ?? true)
    }
  }

  /// Removes a person's enrolments, and those without a person for the person's registrations.
  mutating func forget(person: String, registrations: Set<[UInt8]>) -> Int {
    let before = entries.count
    entries = entries.filter { entry in
      let columns = entry.value.row.columns
      guard let owner = columns[.person] else {
        return !(columns[.registration].map(registrations.contains) ?? false)
      }
      return owner != Array(person.utf8)
    }
    return before - entries.count
  }
}
