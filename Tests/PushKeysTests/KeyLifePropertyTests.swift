import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

/// The sets with which a random life starts.
enum Beginning: String, CaseIterable, Sendable {
  case x25519, p256, bothSuites, sender, shared, identity, root

  /// Generates the set.
  func makeSet() throws -> KeySet {
    switch self {
    case .x25519: KeySet(generating: .device, at: start)
    case .p256: try KeySet(generating: .device, suite: .p256AESGCM, at: start)
    case .bothSuites: try twoSuiteSet()
    case .sender: KeySet(generating: .sender, at: start)
    case .shared: KeySet(generating: .shared, at: start)
    case .identity: KeySet(generating: .identity, at: start)
    case .root: KeySet(generating: .root, at: start)
    }
  }
}

@Suite("A set in any sequence of changes", .hangGuard)
struct KeyLifePropertyTests {
  @Test(arguments: Beginning.allCases, 0..<6 as Range<UInt64>)
  func keepsWhatMayBeNeeded(beginning: Beginning, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &* 7 &+ UInt64(beginning.rawValue.count))
    var editor = KeySetEditor(try beginning.makeSet())
    var ledger = KeyLedger(editor.keySet.records)
    for step in 0..<250 {
      ledger.pass(&random)
      let place: Comment = "\(beginning) \(seed), step \(step)"
      let before = editor.keySet.records
      let grace = Int64.random(in: month...2 * month, using: &random)
      if editor.keySet.serial == nil {
        try change(&editor, &ledger, grace: grace, &random)
      } else {
        expectNoChange(of: editor, at: ledger.now, place)
      }
      ledger.note(editor.keySet.records, after: before, grace: grace, place)
      SetRules(place: place).judge(editor.keySet)
      SetRules(place: place).judge(
        editor.keySet.records, after: before, revoked: ledger.revoked, at: ledger.now)
    }
    #expect(try parse(text(editor.keySet)).records == editor.keySet.records)
  }

  private func change(
    _ editor: inout KeySetEditor, _ ledger: inout KeyLedger, grace: Int64, _ random: inout SeededGenerator
  ) throws {
    let (records, now) = (editor.keySet.records, ledger.now)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: try editor.rotate(grace: .seconds(grace), again: true, at: now)
    case 1: try rotateTheOld(&editor, grace: grace, at: now, &random)
    case 2 where editor.keySet.role == .sender:
      #expect(throws: KeySetError.wrongRole) { try editor.rotate(grace: nil, at: now) }
    case 2: #expect(try editor.rotate(grace: nil, at: now).replaced.allSatisfy { $0.life.expiresAt == nil })
    case 3:
      let endless = records.filter { $0.life.status == .accepted && $0.life.expiresAt == nil }.map(\.id)
      #expect(try editor.confirm(grace: .seconds(grace), at: now).map(\.id) == endless)
    case 4: try revoke(&editor, &ledger, &random)
    case 5 where records[0].publicKey != nil:
      let algorithm = try #require(records.randomElement(using: &random)).algorithm
      let bytes = random.bytes(count: 32)
      let key = try PrivateKey(raw: bytes.span, algorithm: algorithm)
      let rotation = try editor.importKey(key, grace: .seconds(grace), at: now)
      #expect(rotation.added.map(\.id) == [key.thumbprint])
      #expect(throws: KeySetError.duplicateKey) { try editor.importKey(key, at: now) }
    case 6 where editor.keySet.role == .device:
      let suite = records.contains { $0.algorithm == .x25519 } ? Suite.p256AESGCM : .x25519ChaChaPoly
      guard !records.contains(where: { $0.algorithm.suite == suite }) else { break }
      #expect(try editor.add(suite, at: now).algorithm.suite == suite)
    default:
      let gone = Set(editor.prune(at: now))
      #expect(editor.keySet.records == records.filter { !gone.contains($0.id) })
    }
  }

  private func rotateTheOld(
    _ editor: inout KeySetEditor, grace: Int64, at now: UnixTime, _ random: inout SeededGenerator
  ) throws {
    let age = Int64.random(in: 0...2 * month, using: &random)
    let before = editor.keySet.records
    let active = before.filter { $0.life.status == .active }
    let rotation = try editor.rotate(ifOlderThan: .seconds(age), grace: .seconds(grace), again: true, at: now)
    let isThatOld = { (record: KeyRecord) in
      now.seconds - record.life.issuedAt.seconds >= age || record.life.issuedAt.seconds - now.seconds > 86_400
    }
    let isReady = before.filter { $0.life.status == .next }.allSatisfy(isThatOld)
    let isOld = { (record: KeyRecord) in isReady && isThatOld(record) }
    #expect(rotation.kept == active.filter { !isOld($0) })
    #expect(rotation.replaced.map(\.id) == active.filter(isOld).map(\.id))
  }

  private func revoke(
    _ editor: inout KeySetEditor, _ ledger: inout KeyLedger, _ random: inout SeededGenerator
  ) throws {
    let old = try #require(editor.keySet.records.randomElement(using: &random))
    ledger.revoke(old.id)
    let revocation = try editor.revoke(old.id, at: ledger.now)
    #expect(revocation.record == old)
    #expect((revocation.replacement == nil) == (old.life.status == .accepted))
    #expect(revocation.replacement.map { $0.life.status == old.life.status } ?? true)
    #expect(throws: KeySetError.noSuchKey) { try editor.revoke(old.id, at: ledger.now) }
  }

  /// An identity's or a root's key is permanent.
  private func expectNoChange(of editor: KeySetEditor, at now: UnixTime, _ place: Comment) {
    var changed = editor
    let record = editor.keySet.records[0]
    let seed = [UInt8](1...32)
    let key = try? PrivateKey(raw: seed.span, algorithm: .ed25519)
    #expect(throws: KeySetError.wrongRole, place) { try changed.rotate(at: now) }
    #expect(throws: KeySetError.wrongRole, place) { try changed.rotate(grace: nil, at: now) }
    #expect(throws: KeySetError.wrongRole, place) { try changed.rotate(ifOlderThan: .zero, at: now) }
    #expect(throws: KeySetError.wrongRole, place) { try changed.revoke(record.id, at: now) }
    #expect(throws: KeySetError.wrongRole, place) { try changed.add(.p256AESGCM, at: now) }
    #expect(throws: KeySetError.wrongRole, place) { try changed.importKey(#require(key), at: now) }
    #expect(changed.prune(at: now).isEmpty, place)
    #expect(text(changed.keySet) == text(editor.keySet), place)
  }
}
