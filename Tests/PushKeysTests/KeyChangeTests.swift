import PushCore
import PushKeys
import Testing

@Suite("Keys that come and go")
struct KeyChangeTests {
  private let later = start.advanced(by: .seconds(10 * 86_400))

  @Test(arguments: Kind.allCases) func revokesAnActiveKey(kind: Kind) throws {
    var editor = KeySetEditor(kind.makeSet())
    let old = editor.keySet.records[0]
    let revocation = try editor.revoke(old.id, at: later)
    #expect(revocation.record == old)
    #expect(revocation.lossEnds == later.advanced(by: .seconds(month)))
    let records = editor.keySet.records
    #expect(records[0] == (try #require(revocation.replacement)))
    #expect(records.allSatisfy { $0.id != old.id && $0.algorithm == old.algorithm })
    #expect(records.map(\.life) == kind.newLives(at: later))
  }

  @Test func revokesAnAcceptedKeyAlone() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    let records = editor.keySet.records
    let revocation = try editor.revoke(records[0].id, at: later)
    #expect(revocation.replacement == nil)
    #expect(revocation.lossEnds == start.advanced(by: .seconds(month)))
    #expect(editor.keySet.records == [records[1]])
    #expect(editor.keySet.deviceKey(for: records[0].id.keyID, at: later) == nil)
  }

  @Test func losesNothingByAKeyThatHasEnded() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    let id = editor.keySet.records[0].id
    #expect(try editor.revoke(id, at: start.advanced(by: .seconds(month + 1))).lossEnds == nil)
  }

  @Test func losesNoMoreThan30DaysByALongGrace() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(grace: .seconds(5 * month), at: start)
    let id = editor.keySet.records[0].id
    #expect(try editor.revoke(id, at: later).lossEnds == later.advanced(by: .seconds(month)))
  }

  @Test func revokesOneSuiteOfTwo() throws {
    var editor = KeySetEditor(try twoSuiteSet())
    let records = editor.keySet.records
    let new = try #require(try editor.revoke(records[1].id, at: later).replacement)
    #expect(editor.keySet.records == [records[0], new])
    #expect(new.algorithm == .p256)
  }

  @Test func doesNotRevokeWhatIsNotThere() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet(seed: 1))
    let other = Kind.x25519.makeSet(seed: 2).records[0].id
    #expect(throws: KeySetError.noSuchKey) { try editor.revoke(other, at: start) }
    #expect(editor.keySet.records == Kind.x25519.makeSet(seed: 1).records)
  }

  @Test func addsASuite() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    let new = try editor.add(.p256AESGCM, at: later)
    #expect(editor.keySet.records == Kind.x25519.makeSet().records + [new])
    #expect(new.life == KeyLife(issuedAt: later, status: .active))
    #expect(throws: KeySetError.suitePresent) { try editor.add(.p256AESGCM, at: later) }
    #expect(throws: KeySetError.wrongRole) { try editor.add(.sharedChaChaPoly, at: later) }
  }

  @Test(arguments: [Kind.sender, .shared]) func addsASuiteToNoOther(kind: Kind) {
    var editor = KeySetEditor(kind.makeSet())
    #expect(throws: KeySetError.wrongRole) { try editor.add(.p256AESGCM, at: start) }
  }

  @Test func rotatesWhatIsOldAlone() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.add(.p256AESGCM, at: later)
    let records = editor.keySet.records
    let rotation = try editor.rotate(ifOlderThan: .seconds(10 * 86_400), at: later)
    #expect(rotation.kept == [records[1]])
    #expect(rotation.replaced.map(\.id) == [records[0].id])
    #expect(editor.keySet.records == rotation.replaced + [records[1]] + rotation.added)
  }

  @Test(arguments: [1, 1_000_000] as [Int64]) func keepsWhatIsYoung(seconds: Int64) throws {
    let set = Kind.sender.makeWholeSet()
    var editor = KeySetEditor(set)
    let age = Duration.seconds(10 * 86_400 + seconds)
    let rotation = try editor.rotate(ifOlderThan: age, again: true, at: later)
    #expect(rotation.isEmpty && rotation.kept == [set.records[0]])
    #expect(editor.keySet.records == set.records)
  }

  @Test func keepsAKeyFromTheFuture() throws {
    var editor = KeySetEditor(Kind.sender.makeWholeSet())
    #expect(try editor.rotate(ifOlderThan: .zero, again: true, at: start.advanced(by: .seconds(-1))).isEmpty)
    #expect(try !editor.rotate(ifOlderThan: .zero, again: true, at: start).isEmpty)
  }

  @Test(arguments: Kind.pairs) func importsAKey(kind: Kind) throws {
    var editor = KeySetEditor(kind.makeSet(seed: 1))
    let old = editor.keySet.records[0]
    let key = try #require(kind.makeSet(seed: 2).privateKey(for: kind.makeSet(seed: 2).records[0].id))
    let rotation = try editor.importKey(key, grace: .seconds(month + 7), at: later)
    #expect(rotation.replaced.map(\.id) == [old.id] && rotation.added.map(\.id) == [key.thumbprint])
    #expect(editor.keySet.records[0].life.expiresAt == later.advanced(by: .seconds(month + 7)))
    #expect(editor.keySet.records[1].life == KeyLife(issuedAt: later, status: .active))
    #expect(throws: KeySetError.duplicateKey) { try editor.importKey(key, at: later) }
    #expect(throws: KeySetError.graceTooShort) { try editor.importKey(key, grace: .zero, at: later) }
  }

  @Test func importsNoKeyOfAnotherRole() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    let sender = Kind.sender.makeSet()
    let key = try #require(sender.privateKey(for: sender.records[0].id))
    #expect(throws: KeySetError.mixedRoles) { try editor.importKey(key, at: start) }
    #expect(editor.keySet.records == Kind.x25519.makeSet().records)
  }
}
