internal import PushEnvelope

/// What a replay store remembers: a bounded number of messages, in the order in which they came.
///
/// When it is full, what expired goes first, then what was recorded first.
struct ReplayLedger {
  private var records: [[UInt8]: ReplayRecord] = [:]
  private var order: [[UInt8]] = []
  /// No record ends before this.
  private var earliestEnd = UnixTime.distantFuture
  private let capacity: Int

  /// Makes an empty ledger for at most `capacity` messages, at least one.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Takes over what was remembered, oldest first; null if a message is there twice.
  ///
  /// More of them than `capacity` stay until the next one comes.
  init?(_ remembered: [ReplayRecord], capacity: Int) {
    self.init(capacity: capacity)
    for record in remembered { append(record) }
    guard records.count == remembered.count else { return nil }
  }

  /// What it remembers, oldest first.
  var remembered: [ReplayRecord] { order.compactMap { records[$0] } }

  /// Remembers a message and says whether it was remembered already.
  mutating func record(_ new: ReplayRecord, at now: UnixTime) -> ReplayVerdict {
    if let known = records[new.key] {
      if known.expiresAt >= now {
        guard known.content == new.content else { return .conflict }
        // A job that was tried again may be good for longer.
        if new.expiresAt > known.expiresAt { records[new.key] = new }
        return .duplicate
      }
      order.removeAll { $0 == new.key }
    } else {
      makeRoom(at: now)
    }
    append(new)
    return .first
  }

  /// Forgets a message, unless something else is remembered of it.
  mutating func forget(_ old: ReplayRecord) {
    guard records[old.key]?.content == old.content else { return }
    records[old.key] = nil
    order.removeAll { $0 == old.key }
  }

  private mutating func append(_ record: ReplayRecord) {
    order.append(record.key)
    records[record.key] = record
    earliestEnd = min(earliestEnd, record.expiresAt)
  }

  private mutating func makeRoom(at now: UnixTime) {
    guard order.count >= capacity else { return }
    if earliestEnd < now { dropExpired(at: now) }
    let surplus = order.count - capacity + 1
    guard surplus > 0 else { return }
    for key in order.prefix(surplus) { records[key] = nil }
    order.removeFirst(surplus)
  }

  private mutating func dropExpired(at now: UnixTime) {
    records = records.filter { $0.value.expiresAt >= now }
    order.removeAll { records[$0] == nil }
    earliestEnd = records.values.map(\.expiresAt).min() ?? .distantFuture
  }
}
