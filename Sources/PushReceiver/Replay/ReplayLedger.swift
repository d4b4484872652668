internal import PushCrypto
internal import PushEnvelope

/// The messages that a replay store remembers: a bounded number, in the order of their arrival.
///
/// When it is full, it drops expired messages first, then the oldest.
struct ReplayLedger {
  private var records: [[UInt8]: ReplayRecord] = [:]
  private var order: [[UInt8]] = []
  /// No record expires before this.
  private var earliestEnd = UnixTime.distantFuture
  private let capacity: Int

  /// Makes an empty ledger for at most `capacity` messages, at least one.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Makes a ledger of existing records, oldest first; nil if a message occurs twice.
  ///
  /// If there are more than `capacity`, the surplus stays until the next message is recorded.
  init?(_ remembered: [ReplayRecord], capacity: Int) {
    self.init(capacity: capacity)
    for record in remembered { append(record) }
    guard records.count == remembered.count else { return nil }
  }

  /// The records, oldest first.
  var remembered: [ReplayRecord] { order.compactMap { records[$0] } }

  /// Records a message, and returns whether it was recorded before.
  mutating func record(_ new: ReplayRecord, at now: UnixTime) -> ReplayVerdict {
    if let known = records[new.key] {
      if known.expiresAt >= now {
        guard known.content == new.content else { return .conflict }
        // A retried job may be valid for longer.
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

  /// Forgets a message, unless the record differs.
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

/// A message in a ledger: hashes that identify nobody, and a date.
struct ReplayRecord: Equatable {
  /// The length of each hash, in bytes.
  static let hashSize = 32

  /// SHA-256 of who sent which message: which keys are present (1: the sender's, 2: the device's), the keys, and the
  /// message's id.
  let key: [UInt8]

  /// SHA-256 of the same and the content's digest.
  ///
  /// Because it includes the message's id, nobody who reads a ledger can confirm a guess of the content.
  let content: [UInt8]

  /// The last moment at which the message can be opened.
  let expiresAt: UnixTime

  /// Hashes an entry.
  init(_ entry: ReplayEntry) {
    let (sender, recipient) = (entry.key.sender, entry.key.recipient)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 + 2 * Thumbprint.size + MessageID.size + entry.digest.count)
    bytes.append((sender == nil ? 0 : 1) | (recipient == nil ? 0 : 2))
    if let sender { bytes += sender.bytes }
    if let recipient { bytes += recipient.bytes }
    bytes += entry.key.messageID.bytes
    key = SHA256.digest(bytes.span)
    bytes += entry.digest
    content = SHA256.digest(bytes.span)
    expiresAt = entry.expiresAt
  }

  /// Makes a record from the parts that were read.
  init(key: [UInt8], content: [UInt8], expiresAt: UnixTime) {
    self.key = key
    self.content = content
    self.expiresAt = expiresAt
  }
}
