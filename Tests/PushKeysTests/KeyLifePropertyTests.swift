import PushEnvelope
import PushKeys
import PushTesting
import Testing

@Suite("Any life of a set", .timeLimit(.minutes(1)))
struct KeyLifePropertyTests {
  /// What the set should have, written down beside the editor.
  private struct Ledger {
    /// When each key was last active; the active ones are not there.
    var lastActive: [Thumbprint: UnixTime] = [:]
    var grace: [Thumbprint: Int64] = [:]
    var present: Set<Thumbprint>
    var revoked: Set<Thumbprint> = []
  }

  @Test(arguments: Kind.allCases, 0..<6 as Range<UInt64>)
  func keepsWhatMayBeNeeded(kind: Kind, seed: UInt64) throws {
    var random = SeededGenerator(seed &* 7 &+ UInt64(kind.rawValue.count))
    var editor = KeySetEditor(kind.makeSet())
    var ledger = Ledger(present: Set(editor.keySet.records.map(\.id)))
    var now = start
    for step in 0..<250 {
      // Mostly forwards, by up to three weeks; at times the clock goes back.
      let days = Int64.random(in: 0..<10, using: &random) == 0 ? -9...0 : 0...21 as ClosedRange<Int64>
      now = now.advanced(by: Int64.random(in: days, using: &random) * 86_400 + 17)
      let before = editor.keySet.records
      try change(&editor, &ledger, at: now, &random)
      check(editor.keySet, after: before, ledger, at: now, "\(kind) \(seed), step \(step)")
    }
    #expect(try parse(text(editor.keySet)).records == editor.keySet.records)
  }

  private func change(
    _ editor: inout KeySetEditor, _ ledger: inout Ledger, at now: UnixTime, _ random: inout SeededGenerator
  ) throws {
    let records = editor.keySet.records
    let grace = Int64.random(in: month...2 * month, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: note(try editor.rotate(grace: .seconds(grace), at: now), grace, &ledger, now)
    case 1:
      let age = Duration.seconds(Int64.random(in: 0...2 * month, using: &random))
      let rotation = try editor.rotate(ifOlderThan: age, grace: .seconds(grace), at: now)
      let isOld = { (record: KeyRecord) in
        .seconds(now.seconds - record.life.issuedAt.seconds) >= age
      }
      let active = records.filter { $0.life.status == .active }
      #expect(rotation.kept == active.filter { !isOld($0) })
      #expect(rotation.replaced.map(\.id) == active.filter(isOld).map(\.id))
      note(rotation, grace, &ledger, now)
    case 2:
      let id = try #require(records.randomElement(using: &random)).id
      ledger.revoked.insert(id)
      ledger.present.remove(id)
      if let new = try editor.revoke(id, at: now).replacement { ledger.present.insert(new.id) }
      #expect(throws: KeySetError.noSuchKey) { try editor.revoke(id, at: now) }
    case 3 where records[0].publicKey != nil:
      let algorithm = try #require(records.randomElement(using: &random)).algorithm
      let bytes = random.bytes(32)
      let key = try PrivateKey(raw: bytes.span, algorithm)
      note(try editor.importKey(key, grace: .seconds(grace), at: now), grace, &ledger, now)
      #expect(throws: KeySetError.duplicateKey) { try editor.importKey(key, at: now) }
    case 4 where editor.keySet.role == .device:
      let suite = records.contains { $0.algorithm == .x25519 } ? Suite.p256AESGCM : .x25519ChaChaPoly
      guard !records.contains(where: { $0.algorithm.suite == suite }) else { break }
      ledger.present.insert(try editor.add(suite, at: now).id)
    default: for id in editor.prune(at: now) { ledger.present.remove(id) }
    }
  }

  private func note(_ rotation: Rotation, _ grace: Int64, _ ledger: inout Ledger, _ now: UnixTime) {
    for record in rotation.replaced {
      ledger.lastActive[record.id] = now
      ledger.grace[record.id] = grace
    }
    ledger.present.formUnion(rotation.added.map(\.id))
  }

  private func check(
    _ set: KeySet, after before: [KeyRecord], _ ledger: Ledger, at now: UnixTime, _ place: Comment
  ) {
    let records = set.records
    let active = records.filter { $0.life.status == .active }
    #expect(Set(records.map(\.id)) == ledger.present, place)
    #expect(Set(records.map(\.id.keyID)).count == records.count, place)
    #expect(Set(active.map(\.algorithm)) == Set(records.map(\.algorithm)), place)
    #expect(active.count == Set(active.map(\.algorithm)).count, place)
    #expect(records.count <= 16_384 && Set(records.map { $0.algorithm == .ed25519 }).count == 1, place)
    for record in records where record.life.status == .accepted {
      let end = ledger.lastActive[record.id].map { $0.advanced(by: ledger.grace[record.id] ?? 0) }
      #expect(record.life.expiresAt == end, place)
    }
    // What is gone was revoked, or could no longer be in use.
    let ids = Set(records.map(\.id))
    for record in before where !ids.contains(record.id) && !ledger.revoked.contains(record.id) {
      #expect(ledger.lastActive[record.id].map { $0.advanced(by: month) < now } == true, place)
    }
    // What was there keeps its order, and what is new is behind it.
    let kept = before.map(\.id).filter(ids.contains)
    #expect(records.map(\.id).starts(with: kept), place)
  }
}
