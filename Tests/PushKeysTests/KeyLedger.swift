import PushCore
import PushKeys
import PushTesting
import Testing

/// What is true of a set's keys, written down beside the editor: it sees the clock alone, and this the true time.
struct KeyLedger {
  /// The true time in seconds, which only goes forward.
  private(set) var truth = start.seconds

  /// What the clock says: the true time, or less.
  private(set) var clock = start.seconds

  /// What was revoked.
  private(set) var revoked: Set<Thumbprint> = []

  /// The second before which a key that was in force must neither end nor be destroyed.
  private var floors: [Thumbprint: Int64] = [:]

  /// What the clock said when each key was made or took over: all that a set can know of the time.
  private var stamps: [Thumbprint: Int64]

  /// Starts with a set's keys.
  init(_ records: [KeyRecord]) {
    stamps = Dictionary(uniqueKeysWithValues: records.map { ($0.id, start.seconds) })
  }

  /// The clock's time.
  var now: UnixTime { moment(clock) }

  /// Lets the time go on for up to three weeks, or not at all; then the clock is right, or behind by up to 60 days.
  mutating func pass(_ random: inout SeededGenerator) {
    if Bool.random(using: &random) { truth += Int64.random(in: 0...21 * 86_400, using: &random) }
    let isBehind = Int.random(in: 0..<4, using: &random) == 0
    clock = truth - (isBehind ? Int64.random(in: 1...2 * month, using: &random) : 0)
  }

  /// Writes down that a key is to be destroyed at once.
  mutating func revoke(_ id: Thumbprint) { revoked.insert(id) }

  /// How much of the time that has passed nothing tells: none with a clock that is right, nor while the newest key is
  /// of this very second.
  private var unseen: Int64 { truth - max(clock, stamps.values.max() ?? 0) }

  /// Takes a step's outcome, whose ends are `grace` away.
  mutating func note(_ records: [KeyRecord], after before: [KeyRecord], grace: Int64, _ place: Comment) {
    let after = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.life) })
    for record in before {
      guard let life = after[record.id] else {
        #expect(revoked.contains(record.id) || (floors[record.id] ?? .max) < truth, place)
        stamps[record.id] = nil
        continue
      }
      if record.isInForce, let end = life.expiresAt {
        floors[record.id] = truth + month - unseen
        #expect(end.seconds <= truth + grace, place)
      }
      #expect(life.expiresAt.map { $0.seconds >= floors[record.id] ?? .max } ?? true, place)
    }
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0.life.status) })
    for record in records
    where old[record.id] == nil || (old[record.id] == .next && record.life.status == .active) {
      stamps[record.id] = clock
      #expect(record.life.issuedAt == now, place)
    }
    #expect(stamps.count == records.count, place)
  }
}

extension KeyRecord {
  /// Whether others use it for what they send from now on, or may not know yet that they should not.
  fileprivate var isInForce: Bool {
    life.status == .active || (life.status == .accepted && life.expiresAt == nil)
  }
}
