import PushTesting
import PushCore
import PushKeys
import Testing

@Suite("Changing a set")
struct KeySetEditorTests {
  @Test(arguments: Kind.allCases) func makesOneActiveKey(kind: Kind) throws {
    let set = try KeySet(
      generating: kind.role, suite: kind == .p256 ? .p256AESGCM : .x25519ChaChaPoly, at: start)
    #expect(set.records.map(\.life) == kind.newLives(at: start))
    let suites: [Kind: Suite] = [
      .x25519: .x25519ChaChaPoly, .p256: .p256AESGCM, .shared: .sharedChaChaPoly,
    ]
    #expect(set.records[0].algorithm.suite == suites[kind])
  }

  @Test func makesAnotherKeyEachTime() {
    let ids = (0..<20).map { _ in KeySet(generating: .device, at: start).records[0].id }
    #expect(Set(ids).count == 20)
  }

  @Test(arguments: Kind.allCases) func rotates(kind: Kind) throws {
    let old = kind.makeWholeSet()
    var editor = KeySetEditor(old)
    let now = start.advanced(by: .seconds(100))
    try editor.rotate(grace: .seconds(month + 5), again: true, at: now)
    let records = editor.keySet.records
    #expect(records[0].publicKey == old.records[0].publicKey)
    #expect(
      records[0].life
        == KeyLife(issuedAt: start, expiresAt: now.advanced(by: .seconds(month + 5)), status: .accepted))
    #expect(records.dropFirst().map(\.life) == kind.newLives(at: now))
  }

  @Test func rotatesEachSuite() throws {
    var editor = KeySetEditor(try twoSuiteSet())
    try editor.rotate(again: true, at: start)
    let records = editor.keySet.records
    #expect(records.map(\.life.status) == [.accepted, .accepted, .active, .active])
    #expect(records.map(\.algorithm) == [.x25519, .p256, .x25519, .p256])
    #expect(try editor.keySet.publicKeys.records == Array(records[2...]))
  }

  @Test func handsOutASendersAcceptedKeys() throws {
    var editor = KeySetEditor(Kind.sender.makeWholeSet())
    try editor.rotate(again: true, at: start)
    let (own, others) = (editor.keySet.records, try editor.keySet.publicKeys.records)
    try #require(others.count == 3 && others.map(\.publicKey) == own.map(\.publicKey))
    #expect(others.prefix(2) == own.prefix(2))
    #expect(others[2].life == KeyLife(issuedAt: start, status: .accepted))
  }

  @Test(
    arguments: [.zero, .seconds(-1), .seconds(month - 1), .seconds(month) - .nanoseconds(1)] as [Duration])
  func refusesAShortGrace(grace: Duration) {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    #expect(throws: KeySetError.graceTooShort) { try editor.rotate(grace: grace, at: start) }
    #expect(editor.keySet.records == Kind.x25519.makeSet().records)
  }

  @Test func roundsTheGraceUp() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(grace: .seconds(month) + .nanoseconds(1), at: start)
    #expect(editor.keySet.records[0].life.expiresAt == start.advanced(by: .seconds(month + 1)))
  }

  @Test func takesTheLongestGrace() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(grace: .seconds(Int64.max), at: start)
    #expect(editor.keySet.records[0].life.expiresAt == UnixTime(clamping: .max))
  }

  @Test func rotatesWhenTheClockWentBack() throws {
    var editor = KeySetEditor(Kind.sender.makeWholeSet())
    let earlier = start.advanced(by: .seconds(-1_000_000))
    try editor.rotate(again: true, at: earlier)
    #expect(editor.keySet.records.map(\.life.issuedAt) == [start, earlier, earlier])
    // The old key was active at its own start, whatever the clock says.
    #expect(editor.keySet.records[0].life.expiresAt == start.advanced(by: .seconds(month)))
    #expect(try editor.keySet.signingKey().publicKey == editor.keySet.records[1].publicKey)
  }

  @Test func changesNothingIfTheNewKeyIsAnOldOne() {
    var editor = KeySetEditor(Kind.x25519.makeSet(seed: 1))
    #expect(throws: KeySetError.duplicateKey) { try editor.rotate(at: start, random: SeededRandom(seed: 1)) }
    #expect(editor.keySet.records == Kind.x25519.makeSet(seed: 1).records)
  }

  @Test func prunesAfterTheLastSecond() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    let records = editor.keySet.records
    #expect(editor.prune(at: start.advanced(by: .seconds(month))).isEmpty)
    #expect(editor.prune(at: start.advanced(by: .seconds(month + 1))) == [records[0].id])
    #expect(editor.keySet.records == [records[1]])
  }

  @Test func prunesNoActiveKeyAndNoneWithoutAnEnd() throws {
    let active = keyTexts(text(Kind.x25519.makeSet()).setting("iat", to: #"1,"exp":2"#))
    let endless = keyTexts(text(Kind.x25519.makeSet(seed: 9)).setting("status", to: #""accepted""#))
    var editor = KeySetEditor(try parse(setText(active + endless)))
    #expect(editor.prune(at: start).isEmpty)
    #expect(editor.keySet.records.count == 2)
  }

  @Test func leavesTheOldSetAsItWas() throws {
    let old = Kind.x25519.makeSet()
    var editor = KeySetEditor(old)
    try editor.rotate(at: start)
    #expect(old.records.map(\.life.status) == [.active])
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func keepsEveryInvariant(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = KeySetEditor(try seed.isMultiple(of: 2) ? twoSuiteSet() : Kind.sender.makeSet())
    var now = start
    for _ in 0..<20 {
      let before = editor.keySet.records
      // The clock usually goes forwards, sometimes backwards.
      now = now.advanced(by: .seconds(Int64.random(in: -month...2 * month, using: &random)))
      if Bool.random(using: &random) {
        try editor.rotate(
          grace: .seconds(Int64.random(in: month...2 * month, using: &random)), again: true, at: now)
        #expect(editor.keySet.records.map(\.id).starts(with: before.map(\.id)))
      } else {
        let destroyed = Set(editor.prune(at: now))
        let kept = before.filter { !destroyed.contains($0.id) }
        #expect(editor.keySet.records == kept)
        #expect(before.filter { destroyed.contains($0.id) }.allSatisfy { $0.mayBeDestroyed(at: now) })
        #expect(!kept.contains { $0.mayBeDestroyed(at: now) })
      }
      expectInvariants(of: editor.keySet, at: now)
      #expect(try parse(text(editor.keySet)).records == editor.keySet.records)
    }
  }

  private func expectInvariants(of set: KeySet, at now: UnixTime) {
    let active = set.records.filter { $0.life.status == .active }.map(\.algorithm)
    #expect(active.count == Set(active).count)
    #expect(Set(active) == Set(set.records.map(\.algorithm)))
    #expect(Set(set.records.map(\.id.keyID)).count == set.records.count)
    for record in set.records where set.role == .device {
      #expect((set.deviceKey(for: record.id.keyID, at: now) == nil) == record.life.hasExpired(at: now))
    }
  }
}

extension KeyRecord {
  fileprivate func mayBeDestroyed(at now: UnixTime) -> Bool {
    guard life.status == .accepted, let end = life.expiresAt else { return false }
    return end < now
  }
}
