internal import PushCrypto
internal import PushCore

/// The messages that a replay store remembers: a bounded number, in the order of their arrival.
///
/// When it is full, it drops expired messages first, then the oldest. For each sender of the latter it keeps a floor, a
/// time: a message that was issued then or earlier may be one of those that were dropped.
struct ReplayLedger {
  /// The latest time of issue among the messages of a sender that were dropped before they expired.
  struct Floor: Equatable {
    /// ``ReplayRecord/sender``.
    let sender: ReplayHash
    let issuedAt: UnixTime
  }

  /// The most floors: more senders than an app has.
  static let maximumFloorCount = 64

  private var records: [ReplayHash: ReplayRecord] = [:]
  private var order: [ReplayHash] = []
  /// At most ``maximumFloorCount``.
  private(set) var floors: [Floor] = []
  /// No record expires before this.
  private var earliestEnd = UnixTime.distantFuture
  private let capacity: Int

  /// Makes an empty ledger for at most `capacity` messages, at least one.
  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Makes a ledger from existing records, oldest first, and floors; nil if a message or a sender's floor occurs twice.
  ///
  /// If there are more than `capacity`, the surplus stays until the next message is recorded.
  init?(remembered: [ReplayRecord], floors: [Floor], capacity: Int) {
    self.init(capacity: capacity)
    for record in remembered { append(record) }
    guard records.count == remembered.count, Set(floors.map(\.sender)).count == floors.count else {
      return nil
    }
    self.floors = floors
  }

  /// The records, oldest first.
  var remembered: [ReplayRecord] { order.compactMap { records[$0] } }

  /// Records a message, and returns whether it was recorded before, or is marked.
  mutating func record(_ new: ReplayRecord, markedBy mark: ReplayHash, at now: UnixTime) -> ReplayVerdict {
    let known = records[new.key]
    if let known, known.expiresAt >= now {
      guard known.content == new.content else { return .conflict }
      // A retried job may be valid for longer.
      if new.expiresAt > known.expiresAt { records[new.key] = new.issued(noEarlierThan: known) }
      return .duplicate
    }
    let isMarked = isMarked(by: mark, at: now)
    guard !isBelowFloor(new) else { return isMarked ? .seen : .forgotten }
    if known != nil {
      order.removeAll { $0 == new.key }
    } else {
      makeRoom(at: now)
    }
    append(new)
    return isMarked ? .seen : .first
  }

  private func isMarked(by mark: ReplayHash, at now: UnixTime) -> Bool {
    // Without a digest, the hash of the content is that of the key.
    records[mark].map { $0.content == mark && $0.expiresAt >= now } ?? false
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
    dropEndedFloors(at: now)
    for key in order.prefix(surplus) {
      if let dropped = records.removeValue(forKey: key) { raiseFloor(over: dropped) }
    }
    order.removeFirst(surplus)
  }

  private mutating func dropExpired(at now: UnixTime) {
    records = records.filter { $0.value.expiresAt >= now }
    order.removeAll { records[$0] == nil }
    earliestEnd = records.values.map(\.expiresAt).min() ?? .distantFuture
  }
}

// MARK: Floors

extension ReplayLedger {
  private func isBelowFloor(_ record: ReplayRecord) -> Bool {
    floors.contains { $0.sender == record.sender && record.issuedAt <= $0.issuedAt }
  }

  private mutating func raiseFloor(over dropped: ReplayRecord) {
    let old = floors.firstIndex { $0.sender == dropped.sender }.map { floors.remove(at: $0) }
    let issuedAt = max(old?.issuedAt ?? dropped.issuedAt, dropped.issuedAt)
    if floors.count == Self.maximumFloorCount { dropLowestFloor() }
    floors.append(Floor(sender: dropped.sender, issuedAt: issuedAt))
  }

  /// Makes room for one more sender, at the cost of the one whose dropped messages expire first.
  private mutating func dropLowestFloor() {
    guard let lowest = floors.indices.min(by: { floors[$0].issuedAt < floors[$1].issuedAt }) else { return }
    floors.remove(at: lowest)
  }

  /// Drops each floor below which every message has expired.
  private mutating func dropEndedFloors(at now: UnixTime) {
    floors.removeAll { now > $0.issuedAt.advanced(by: .seconds(Lifetime.maximum.seconds) + Claims.skew) }
  }
}

/// A SHA-256 hash, stored inline because a ledger has many.
struct ReplayHash: Hashable {
  /// The length, in bytes.
  static let size = 32

  private let words: SIMD4<UInt64>

  /// Computes the hash of `bytes`.
  init(of bytes: [UInt8]) { self.init(bytes: SHA256.digest(bytes.span)[...]) }

  /// Takes the 32 bytes of a hash.
  init(bytes: ArraySlice<UInt8>) {
    precondition(bytes.count == Self.size, "a hash has 32 bytes")
    words = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: SIMD4<UInt64>.self) }
  }

  /// Appends the 32 bytes.
  func append(to bytes: inout [UInt8]) {
    unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Hashes one word only, which is as evenly distributed as the whole.
  func hash(into hasher: inout Hasher) { hasher.combine(words.x) }
}

/// A message in a ledger: dates, and hashes instead of keys and IDs.
struct ReplayRecord: Equatable {
  /// SHA-256 of a byte for the keys that are present (1: the sender's, 2: the device's), and of these keys'
  /// thumbprints.
  let sender: ReplayHash

  /// SHA-256 of the input of `sender`, the message's type and its ID.
  let key: ReplayHash

  /// SHA-256 of the input of `key` and the content's digest.
  ///
  /// Because it includes the message's ID, nobody who reads a ledger can confirm a guess about the content.
  let content: ReplayHash

  /// When the message was issued.
  let issuedAt: UnixTime

  /// The last moment at which the message can be opened.
  let expiresAt: UnixTime

  /// Hashes an entry.
  init(_ entry: ReplayEntry) {
    let (sender, recipient) = (entry.key.sender, entry.key.recipient)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 + 2 * Thumbprint.size + MessageID.size + entry.digest.count)
    bytes.append((sender == nil ? 0 : 1) | (recipient == nil ? 0 : 2))
    if let sender { bytes += sender.bytes }
    if let recipient { bytes += recipient.bytes }
    self.sender = ReplayHash(of: bytes)
    bytes.append(entry.key.type.rawValue)
    bytes += entry.key.messageID.bytes
    key = ReplayHash(of: bytes)
    bytes += entry.digest
    content = ReplayHash(of: bytes)
    issuedAt = entry.issuedAt
    expiresAt = entry.expiresAt
  }

  /// The key of a message's mark: ``ReplayEntry/mark(of:at:)``.
  static func mark(of messageID: MessageID) -> ReplayHash {
    ReplayHash(of: [0, ContentType.notification.rawValue] + messageID.bytes)
  }

  /// Makes a record from the parts that were read.
  init(
    sender: ReplayHash, key: ReplayHash, content: ReplayHash, issuedAt: UnixTime, expiresAt: UnixTime
  ) {
    self.sender = sender
    self.key = key
    self.content = content
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// The same record, with the later one of two times of issue.
  func issued(noEarlierThan other: ReplayRecord) -> ReplayRecord {
    ReplayRecord(
      sender: sender, key: key, content: content, issuedAt: max(issuedAt, other.issuedAt),
      expiresAt: expiresAt)
  }
}
