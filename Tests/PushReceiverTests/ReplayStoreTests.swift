import PushCore
import PushReceiver
import TestSupport
import Testing

/// The rules that both stores keep.
@Suite("Replay stores", .hangGuard)
struct ReplayStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func verdicts(
    _ kind: ReplayStoreKind, capacity: Int = 8, _ steps: [(ReplayEntry, at: Int64)]
  ) throws -> [ReplayVerdict] {
    let store = kind.makeStore(capacity: capacity, in: folder)
    return try steps.map { try store.record($0.0, at: UnixTime(clamping: $0.at)) }
  }

  @Test("the same again is a duplicate, another content is a conflict", arguments: ReplayStoreKind.allCases)
  func again(kind: ReplayStoreKind) throws {
    let (entry, other) = (ReplayEntry.sample(1), ReplayEntry.sample(1, content: 1))
    let found = try verdicts(kind, [(entry, 0), (entry, 0), (other, 0), (other, 0), (entry, 0)])
    #expect(found == [.first, .duplicate, .conflict, .conflict, .duplicate])
  }

  @Test(
    "each sender, and each of the device's keys, has its own identities", arguments: ReplayStoreKind.allCases)
  func keys(kind: ReplayStoreKind) throws {
    let entries = [
      ReplayEntry.sample(1, from: 1), .sample(1, from: 2), .sample(1, from: nil, to: 1),
      .sample(1, from: nil, to: 2), .sample(1, from: nil, to: nil), .sample(1, from: 1, to: 1),
      .sample(2, from: 1),
    ]
    let found = try verdicts(kind, (entries + entries).map { ($0, 0) })
    #expect(found == Array(repeating: .first, count: 7) + Array(repeating: .duplicate, count: 7))
  }

  @Test("what the app marks is seen once, and then a duplicate", arguments: ReplayStoreKind.allCases)
  func marked(kind: ReplayStoreKind) throws {
    let store = kind.makeStore(capacity: 8, in: folder)
    let (marked, other, now) = (ReplayEntry.sample(1), ReplayEntry.sample(2), UnixTime(clamping: 0))
    try store.markSeen(marked.key.messageID, at: now)
    #expect(try store.record(other, at: now) == .first)
    #expect(try store.record(marked, at: now) == .seen)
    #expect(try store.record(marked, at: now) == .duplicate)
    #expect(try store.record(.sample(1, content: 1), at: now) == .conflict)
  }

  @Test("a mark says nothing of what was shown before it", arguments: ReplayStoreKind.allCases)
  func markedLate(kind: ReplayStoreKind) throws {
    let store = kind.makeStore(capacity: 8, in: folder)
    let (entry, now) = (ReplayEntry.sample(1), UnixTime(clamping: 0))
    #expect(try store.record(entry, at: now) == .first)
    try store.markSeen(entry.key.messageID, at: now)
    #expect(try store.record(entry, at: now) == .duplicate)
  }

  @Test("a mark lasts as long as a message can", arguments: ReplayStoreKind.allCases)
  func markEnds(kind: ReplayStoreKind) throws {
    let end = Int64(Lifetime.maximum.seconds) + 300
    for (time, verdict) in [(end, ReplayVerdict.seen), (end + 1, .first)] {
      let store = kind.makeStore(capacity: 8, in: try TemporaryFolder())
      let entry = ReplayEntry.sample(1, expiresAt: end + 1000)
      try store.markSeen(entry.key.messageID, at: UnixTime(clamping: 0))
      #expect(try store.record(entry, at: UnixTime(clamping: time)) == verdict)
    }
  }

  @Test("a marked message that came too late to be shown is seen again", arguments: ReplayStoreKind.allCases)
  func markedAndForgotten(kind: ReplayStoreKind) throws {
    let store = kind.makeStore(capacity: 8, in: folder)
    let (entry, now) = (ReplayEntry.sample(1), UnixTime(clamping: 0))
    try store.markSeen(entry.key.messageID, at: now)
    for _ in 0..<2 {
      #expect(try store.record(entry, at: now) == .seen)
      store.forget(entry)
    }
  }

  @Test(
    "what is forgotten is new, and what has another content is not forgotten",
    arguments: ReplayStoreKind.allCases)
  func forgotten(kind: ReplayStoreKind) throws {
    let store = kind.makeStore(capacity: 8, in: folder)
    let (entry, other, kept) = (
      ReplayEntry.sample(1), ReplayEntry.sample(1, content: 1), ReplayEntry.sample(2)
    )
    let now = UnixTime(clamping: 0)
    for entry in [entry, kept] { _ = try store.record(entry, at: now) }
    store.forget(other)
    #expect(try store.record(entry, at: now) == .duplicate)
    store.forget(entry)
    #expect(try store.record(entry, at: now) == .first)
    #expect(try store.record(kept, at: now) == .duplicate)
  }

  @Test("a digest of any length is compared whole", arguments: ReplayStoreKind.allCases)
  func digests(kind: ReplayStoreKind) throws {
    let digests: [[UInt8]] = [[], [0], [0, 0], Array(repeating: 0, count: 100)]
    for (message, digest) in digests.enumerated() {
      let entries = ([digest] + digests).map {
        ReplayEntry(
          key: ReplayEntry.sample(UInt64(message)).key, digest: $0, issuedAt: UnixTime(clamping: 0),
          expiresAt: UnixTime(clamping: 1000))
      }
      let expected = [.first] + digests.map { $0 == digest ? ReplayVerdict.duplicate : .conflict }
      #expect(try verdicts(kind, entries.map { ($0, 0) }) == expected)
    }
  }

  /// Messages 1 to 4 are issued one after another; the store has room for two.
  @Test("what was dropped is never the first again", arguments: ReplayStoreKind.allCases)
  func dropped(kind: ReplayStoreKind) throws {
    let messages = (1...4).map { ReplayEntry.sample($0) }
    let again: [ReplayEntry] = [
      .sample(1), .sample(2), .sample(2), .sample(3), .sample(9, issuedAt: 2), .sample(9, issuedAt: 3),
      .sample(9, from: 2, issuedAt: 2),
    ]
    let found = try verdicts(kind, capacity: 2, (messages + again).map { ($0, 0) })
    #expect(found.prefix(4).allSatisfy { $0 == .first })
    #expect(
      found.dropFirst(4) == [.forgotten, .forgotten, .forgotten, .duplicate, .forgotten, .first, .first])
  }

  @Test("it is known in its last second, and free after it", arguments: ReplayStoreKind.allCases)
  func end(kind: ReplayStoreKind) throws {
    let entry = ReplayEntry.sample(1, expiresAt: 10)
    let other = ReplayEntry.sample(1, content: 1, expiresAt: 20)
    let found = try verdicts(kind, [(entry, 0), (entry, 10), (other, 11), (entry, 11), (other, 20)])
    #expect(found == [.first, .duplicate, .first, .conflict, .duplicate])
  }

  @Test("an attempt that is good for longer is remembered for longer", arguments: ReplayStoreKind.allCases)
  func longer(kind: ReplayStoreKind) throws {
    let (short, long) = (ReplayEntry.sample(1, expiresAt: 10), ReplayEntry.sample(1, expiresAt: 20))
    let found = try verdicts(kind, [(short, 0), (long, 5), (short, 6), (long, 20), (long, 21)])
    #expect(found == [.first, .duplicate, .duplicate, .duplicate, .first])
  }

  @Test("a conflict changes nothing", arguments: ReplayStoreKind.allCases)
  func conflict(kind: ReplayStoreKind) throws {
    let entry = ReplayEntry.sample(1, expiresAt: 10)
    let other = ReplayEntry.sample(1, content: 1, expiresAt: 20)
    let found = try verdicts(kind, [(entry, 0), (other, 0), (entry, 10), (other, 11)])
    #expect(found == [.first, .conflict, .duplicate, .first])
  }

  @Test("when it is full, what expired goes first", arguments: ReplayStoreKind.allCases)
  func expiredOut(kind: ReplayStoreKind) throws {
    let (long, short) = (ReplayEntry.sample(1), ReplayEntry.sample(2, expiresAt: 10))
    let third = ReplayEntry.sample(3)
    let found = try verdicts(
      kind, capacity: 2, [(long, 0), (short, 0), (third, 11), (long, 11), (third, 11)])
    #expect(found == [.first, .first, .first, .duplicate, .duplicate])
  }

  @Test("then what was recorded first, however often it came again", arguments: ReplayStoreKind.allCases)
  func oldestOut(kind: ReplayStoreKind) throws {
    let entries = (1...3).map { ReplayEntry.sample($0) }
    let steps = [entries[0], entries[1], entries[0], entries[2], entries[1], entries[2], entries[0]]
    let found = try verdicts(kind, capacity: 2, steps.map { ($0, 0) })
    #expect(found == [.first, .first, .duplicate, .first, .duplicate, .duplicate, .forgotten])
  }

  @Test("what came anew after its end is as young as that", arguments: ReplayStoreKind.allCases)
  func anew(kind: ReplayStoreKind) throws {
    let (old, other) = (ReplayEntry.sample(1, expiresAt: 10), ReplayEntry.sample(2))
    let new = ReplayEntry.sample(1)
    let steps = [(old, at: Int64(0)), (other, 0), (new, 11), (.sample(3), 11), (new, 11), (other, 11)]
    #expect(
      try verdicts(kind, capacity: 2, steps) == [.first, .first, .first, .first, .duplicate, .forgotten])
  }

  @Test("a capacity below 1 is 1", arguments: ReplayStoreKind.allCases, [0, -1, .min])
  func smallest(kind: ReplayStoreKind, capacity: Int) throws {
    let (left, right) = (ReplayEntry.sample(1), ReplayEntry.sample(2))
    let found = try verdicts(kind, capacity: capacity, [left, left, right, left].map { ($0, 0) })
    #expect(found == [.first, .duplicate, .first, .forgotten])
  }

  @Test("dates at the ends of time", arguments: ReplayStoreKind.allCases)
  func dates(kind: ReplayStoreKind) throws {
    let (never, always) = (ReplayEntry.sample(1, expiresAt: 0), ReplayEntry.sample(2, expiresAt: .max))
    let found = try verdicts(
      kind, [(never, 0), (always, 0), (never, 0), (always, .max), (never, 1), (never, .max)])
    #expect(found == [.first, .first, .duplicate, .duplicate, .first, .first])
  }
}
