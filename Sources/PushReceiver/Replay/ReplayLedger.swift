internal import PushCrypto
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

  /// Takes over what was remembered, oldest first; nil if a message is there twice.
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

/// A message, as a ledger remembers it: hashes that name nobody, and a date.
struct ReplayRecord: Equatable {
  /// The length of each hash, in bytes.
  static let hashSize = 32

  /// SHA-256 of who sent which message: which keys there are (1: the sender's, 2: the device's), they themselves,
  /// the message's identity.
  let key: [UInt8]

  /// SHA-256 of the same and the content's digest.
  ///
  /// The identity in it keeps anybody who reads a ledger from trying contents that he can guess.
  let content: [UInt8]

  /// The last moment at which the message can be opened.
  let expiresAt: UnixTime

  /// Hashes an entry.
  init(_ entry: ReplayEntry) {
    let (sender, recipient) = (entry.key.sender, entry.key.recipient)
    var bytes: [UInt8] = [(sender == nil ? 0 : 1) | (recipient == nil ? 0 : 2)]
    if let sender { bytes += sender.bytes }
    if let recipient { bytes += recipient.bytes }
    bytes += entry.key.messageID.bytes
    key = SHA256.digest(bytes.span)
    bytes += entry.digest
    content = SHA256.digest(bytes.span)
    expiresAt = entry.expiresAt
  }

  /// Puts a record together that was read.
  init(key: [UInt8], content: [UInt8], expiresAt: UnixTime) {
    self.key = key
    self.content = content
    self.expiresAt = expiresAt
  }
}
