import Foundation
import PushCrypto
import PushCore
import PushKeys
import Testing

@Suite("A sender's next key")
struct NextKeyTests {
  private let later = start.advanced(by: .seconds(86_400))
  private let set = KeySet(generating: .sender, at: start)

  private var next: KeyRecord { self.set.records[1] }

  @Test func isMadeWithTheActiveOne() {
    #expect(set.records.map(\.life) == Kind.sender.newLives(at: start))
    #expect(set.records[0].id != next.id)
  }

  @Test func isHandedOutAsAnAcceptedOne() throws {
    let records = try set.publicKeys.records
    #expect(records.map(\.id) == set.records.map(\.id))
    #expect(records.map(\.life.status) == [.active, .accepted])
    #expect(try !text(set.publicKeys).contains(#""next""#))
  }

  @Test func isHandedOutWithItsTimes() throws {
    let set = try parse(text(self.set).settingLast("iat", to: #"1,"nbf":2,"exp":9"#))
    let life = try set.publicKeys.records[1].life
    #expect(
      life == KeyLife(issuedAt: moment(1), notBefore: moment(2), expiresAt: moment(9), status: .accepted))
  }

  @Test func doesNotSign() throws {
    #expect(try set.signingKey(at: start).publicKey == set.records[0].publicKey)
  }

  @Test func becomesTheActiveOneByARotation() throws {
    var editor = KeySetEditor(set)
    let rotation = try editor.rotate(again: true, at: later)
    let records = editor.keySet.records
    try #require(records.map(\.life.status) == [.accepted, .active, .next])
    #expect(rotation.added == [records[1]] && records[1].id == next.id)
    #expect(records[1].life.issuedAt == later && records[2].life.issuedAt == later)
    #expect(try editor.keySet.signingKey(at: later).publicKey == next.publicKey)
  }

  @Test func isAsYoungAsItsTimeAsTheActiveOne() throws {
    var editor = KeySetEditor(set)
    try editor.rotate(again: true, at: later)
    #expect(try editor.rotate(ifOlderThan: .seconds(1), again: true, at: later).isEmpty)
    #expect(
      try !editor.rotate(ifOlderThan: .seconds(1), again: true, at: later.advanced(by: .seconds(1))).isEmpty)
  }

  @Test func waitsWhenNothingIsOldEnough() throws {
    var editor = KeySetEditor(set)
    try editor.rotate(ifOlderThan: .seconds(86_401), again: true, at: later)
    #expect(text(editor.keySet) == text(set))
  }

  @Test func verifiesWithWhatWasHandedOutBeforeItTookOver() throws {
    let handedOut = try parsePublic(text(set.publicKeys))
    var editor = KeySetEditor(set)
    try editor.rotate(again: true, at: later)
    let message: [UInt8] = [1, 2, 3]
    let key = try editor.keySet.signingKey(at: later)
    let signature = key.sign(message.span)
    let known = try #require(handedOut.senderKey(for: key.publicKey.thumbprint.keyID, at: later))
    let point = known.publicKey.bytes
    let isValid = Ed25519.isValid(signature.span, on: message.span, publicKey: point.span)
    #expect(isValid)
  }

  @Test func takesTheActiveOnesPlaceWhenThatIsRevoked() throws {
    var editor = KeySetEditor(set)
    let revocation = try editor.revoke(set.records[0].id, at: later)
    let records = editor.keySet.records
    #expect(revocation.replacement == records[0] && records[0].id == next.id)
    #expect(revocation.lossEnds == later.advanced(by: .seconds(month)))
    #expect(records.map(\.life) == Kind.sender.newLives(at: later))
  }

  @Test func takesNoPlaceWhenAllAreRevoked() throws {
    var editor = KeySetEditor(set)
    try editor.rotate(again: true, at: later)
    let stolen = editor.keySet.records
    try #require(stolen.count == 3)
    let revocations = try editor.revokeAll(at: later)
    #expect(Set(revocations.map(\.record.id)) == Set(stolen.map(\.id)))
    let records = editor.keySet.records
    #expect(records.map(\.life) == Kind.sender.newLives(at: later))
    #expect(Set(records.map(\.id)).isDisjoint(with: stolen.map(\.id)))
  }

  @Test func staysWhenNotAllCanBeRevoked() {
    let root = KeySet(generating: .root, at: start)
    var editor = KeySetEditor(root)
    #expect(throws: KeySetError.wrongRole) { try editor.revokeAll(at: later) }
    #expect(editor.keySet.records == root.records)
  }

  @Test func isReplacedWhenItIsRevokedItself() throws {
    var editor = KeySetEditor(set)
    let revocation = try editor.revoke(next.id, at: later)
    let records = editor.keySet.records
    try #require(records.count == 2)
    #expect(revocation.record == next && revocation.replacement == records[1] && records[1].id != next.id)
    #expect(revocation.lossEnds == nil)
    #expect(records[0] == set.records[0])
    #expect(records[1].life == KeyLife(issuedAt: later, status: .next))
  }

  @Test func isMadeByTheFirstRotationOfASetWithoutOne() throws {
    // Nobody has the new key yet, so the active one stays.
    let old = Kind.sender.makeSet()
    var editor = KeySetEditor(old)
    let rotation = try editor.rotate(ifOlderThan: .zero, again: true, at: later)
    #expect(editor.keySet.records.map(\.life.status) == [.active, .next])
    #expect(
      rotation.kept == old.records && rotation.added.isEmpty && rotation.next == editor.keySet.records[1])
    #expect(!rotation.isEmpty)
  }

  @Test func mustBeAsOldAsTheKeyThatItReplaces() throws {
    var editor = KeySetEditor(Kind.sender.makeSet())
    try editor.rotate(again: true, at: later)
    let age = Duration.seconds(100)
    #expect(try editor.rotate(ifOlderThan: age, again: true, at: later.advanced(by: .seconds(99))).isEmpty)
    #expect(
      try editor.rotate(ifOlderThan: age, again: true, at: later.advanced(by: .seconds(100))).added.count == 1
    )
  }

  /// A phone without the set that has the key would show the placeholder.
  @Test(arguments: [0, 604_799] as [Int64]) func doesNotTakeOverBeforePhonesCanHaveIt(age: Int64) throws {
    let now = start.advanced(by: .seconds(age))
    var editor = KeySetEditor(set)
    #expect(throws: KeySetError.nextKeyTooYoung(until: moment(start.seconds + 604_800))) {
      try editor.rotate(at: now)
    }
    #expect(editor.keySet.records == set.records)
    #expect(try editor.rotate(again: true, at: now).added.map(\.id) == [next.id])
  }

  @Test func takesOverAfterSevenDays() throws {
    var editor = KeySetEditor(set)
    let week = start.advanced(by: KeySetEditor.minimumNotice)
    #expect(try editor.rotate(at: week).added.map(\.id) == [next.id])
    #expect(throws: KeySetError.nextKeyTooYoung(until: week.advanced(by: KeySetEditor.minimumNotice))) {
      try editor.rotate(at: week.advanced(by: .seconds(1)))
    }
  }

  @Test func takesOverOnlyAfterSevenDaysWhereYoungerKeysAreReplaced() throws {
    var editor = KeySetEditor(set)
    #expect(throws: KeySetError.nextKeyTooYoung(until: moment(start.seconds + 604_800))) {
      try editor.rotate(ifOlderThan: .zero, at: later)
    }
    #expect(try editor.rotate(ifOlderThan: .seconds(86_401), at: later).isEmpty)
  }

  @Test func waitsAfterARevocation() throws {
    let old = start.advanced(by: .seconds(-2 * month))
    var editor = KeySetEditor(KeySet(generating: .sender, at: old))
    try editor.revoke(editor.keySet.records[0].id, at: start)
    #expect(throws: KeySetError.nextKeyTooYoung(until: moment(start.seconds + 604_800))) {
      try editor.rotate(at: later)
    }
    #expect(throws: Never.self) { try editor.revoke(editor.keySet.records[0].id, at: later) }
  }

  @Test func waitsAsIfItWereNewWhenItIsFromTheFuture() throws {
    var editor = KeySetEditor(set)
    let now = start.advanced(by: .seconds(-400 * 86_400))
    #expect(throws: KeySetError.nextKeyTooYoung(until: now.advanced(by: KeySetEditor.minimumNotice))) {
      try editor.rotate(at: now)
    }
  }

  @Test func doesNotWaitWhereNothingCanSign() throws {
    let ended = text(set).replacingOccurrences(
      of: #","status":"active""#, with: #","exp":\#(start.seconds),"status":"active""#)
    var editor = KeySetEditor(try parse(ended))
    #expect(try editor.rotate(at: later).added.map(\.id) == [next.id])
  }

  @Test func isNotReplacedWithoutAnEnd() {
    // An old signing key would be trusted forever.
    var editor = KeySetEditor(set)
    #expect(throws: KeySetError.wrongRole) { try editor.rotate(grace: nil, at: later) }
  }

  @Test(arguments: [5, 45] as [Int64]) func keepsAnEarlierEndOfItsOwn(days: Int64) throws {
    let end = start.advanced(by: .seconds(days * 86_400))
    let ending = text(set).replacingOccurrences(
      of: #","status":"active""#, with: #","exp":\#(end.seconds),"status":"active""#)
    var editor = KeySetEditor(try parse(ending))
    try editor.rotate(again: true, at: start)
    #expect(editor.keySet.records[0].life.expiresAt == min(end, start.advanced(by: .seconds(month))))
  }

  @Test func comesWithAnImportedKey() throws {
    let key = try #require(Kind.sender.makeSet().privateKey(for: Kind.sender.makeSet().records[0].id))
    #expect(KeySet(importing: key, at: start).records.map(\.life.status) == [.active, .next])
  }

  @Test func staysWhenAKeyIsImported() throws {
    var editor = KeySetEditor(set)
    let other = Kind.sender.makeSet(seed: 9)
    try editor.importKey(try #require(other.privateKey(for: other.records[0].id)), at: later)
    #expect(editor.keySet.records[1] == next)
    #expect(editor.keySet.records.map(\.life.status) == [.accepted, .next, .active])
  }

  @Test func staysWhenOthersArePruned() throws {
    var editor = KeySetEditor(try parse(text(set).settingLast("iat", to: #"1,"exp":2"#)))
    #expect(editor.prune(at: later).isEmpty)
    #expect(editor.keySet.records[1].life.status == .next)
  }

  @Test func isReadFromTheFile() throws {
    #expect(try parse(text(set)).records == set.records)
  }

  @Test func isAloneInASet() throws {
    let other = keyTexts(text(KeySet(generating: .sender, at: start)))[1]
    #expect(throws: KeySetError.misplacedNextKey) { try parse(setText(keyTexts(text(set)) + [other])) }
  }

  @Test(arguments: [Kind.x25519, .p256, .shared]) func isNoOthersThanASenders(kind: Kind) {
    let keys = keyTexts(text(kind.makeSet()))
    let other = keyTexts(text(kind.makeSet(seed: 9)))[0].setting("status", to: #""next""#)
    #expect(throws: KeySetError.misplacedNextKey) { try parse(setText(keys + [other])) }
  }

  @Test func isNotTheOnlyKey() {
    let text = text(Kind.sender.makeSet()).setting("status", to: #""next""#)
    #expect(throws: KeySetError.noActiveKey) { try parse(text) }
  }

  @Test(arguments: Kind.pairs) func isInNoPublicSet(kind: Kind) {
    let text = publicText(kind.makeSet()).setting("status", to: #""next""#)
    #expect(throws: KeySetError.invalidMember(index: 0, member: "status")) { try parsePublic(text) }
  }
}
