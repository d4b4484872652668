import PushCore
import PushKeys
import PushTesting
import Testing

/// A record of the true state of a set's keys: the editor sees only the clock, but the ledger knows the true time.
struct KeyLedger {
  /// The true time in seconds, which only goes forward.
  private(set) var truth = start.seconds

  /// The clock's time in seconds: the true time, or less.
  private(set) var clock = start.seconds

  /// The keys that were revoked.
  private(set) var revoked: Set<Thumbprint> = []

  /// For each key that was in force, the first second at which it may expire or be destroyed.
  private var floors: [Thumbprint: Int64] = [:]

  /// The clock's time when each key was made or became active: all that a set can know about the time.
  private var stamps: [Thumbprint: Int64]

  /// Starts with the keys of a set.
  init(_ records: [KeyRecord]) {
    stamps = Dictionary(uniqueKeysWithValues: records.map { ($0.id, start.seconds) })
  }

  /// The clock's time.
  var now: UnixTime { moment(clock) }

  /// Lets up to three weeks pass, or no time; after that the clock is right, or behind by up to 60 days.
  mutating func pass(_ random: inout SeededGenerator) {
    if Bool.random(using: &random) { truth += Int64.random(in: 0...21 * 86_400, using: &random) }
    let isBehind = Int.random(in: 0..<4, using: &random) == 0
    clock = truth - (isBehind ? Int64.random(in: 1...2 * month, using: &random) : 0)
  }

  /// Records that a key will be revoked.
  mutating func revoke(_ id: Thumbprint) { revoked.insert(id) }

  /// How much passed time the editor cannot know about.
  ///
  /// It is 0 if the clock is right, or if the newest key is from this very second.
  private var unseen: Int64 { truth - max(clock, stamps.values.max() ?? 0) }

  /// Checks and records the result of a step that gives replaced keys `grace` more seconds.
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
  /// Whether others still use the key for new messages, perhaps because they do not know yet that it was replaced.
  fileprivate var isInForce: Bool {
    life.status == .active || (life.status == .accepted && life.expiresAt == nil)
  }
}
