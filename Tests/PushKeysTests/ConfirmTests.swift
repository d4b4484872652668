import PushCore
import PushKeys
import Testing

@Suite("A rotation that is to be confirmed")
struct ConfirmTests {
  private let later = start.advanced(by: .seconds(86_400))

  /// A set that was rotated at the start, with no end for the old key until it is confirmed.
  private func rotated(_ kind: Kind = .x25519) throws -> KeySetEditor {
    var editor = KeySetEditor(kind.makeSet())
    try editor.rotate(grace: nil, at: start)
    return editor
  }

  @Test(arguments: [Kind.x25519, .p256, .shared]) func keepsTheOldKeyWithoutAnEnd(kind: Kind) throws {
    let editor = try rotated(kind)
    #expect(editor.keySet.records[0].life == KeyLife(issuedAt: start, status: .accepted))
  }

  @Test func destroysNothingHoweverLongItTakes() throws {
    var editor = try rotated()
    let old = editor.keySet.records[0].id
    let decades = start.advanced(by: .seconds(500 * month))
    #expect(editor.prune(at: decades).isEmpty)
    #expect(editor.keySet.deviceKey(for: old.keyID, at: decades) != nil)
  }

  @Test(arguments: [Kind.x25519, .p256, .shared]) func endsTheOldKeyAfterTheGrace(kind: Kind) throws {
    var editor = try rotated(kind)
    let ended = try editor.confirm(grace: .seconds(month + 5), at: later)
    #expect(ended == [editor.keySet.records[0]])
    #expect(ended[0].life.expiresAt == later.advanced(by: .seconds(month + 5)))
    #expect(editor.prune(at: later.advanced(by: .seconds(month + 5))).isEmpty)
    #expect(editor.prune(at: later.advanced(by: .seconds(month + 6))) == ended.map(\.id))
  }

  @Test func endsTheOldKeysOfAllRotations() throws {
    var editor = try rotated()
    try editor.rotate(grace: nil, at: start)
    #expect(try editor.confirm(at: later).count == 2)
    let end = later.advanced(by: .seconds(month + 86_400))
    #expect(editor.keySet.records.map(\.life.expiresAt) == [end, end, nil])
  }

  @Test func leavesTheEndsThatThereAre() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    let before = editor.keySet.records
    #expect(try editor.confirm(at: later).isEmpty)
    #expect(editor.keySet.records == before)
  }

  @Test(arguments: [.zero, .seconds(-1), .seconds(month) - .nanoseconds(1)] as [Duration])
  func refusesAShortGrace(grace: Duration) throws {
    var editor = try rotated()
    let before = editor.keySet.records
    #expect(throws: KeySetError.graceTooShort) { try editor.confirm(grace: grace, at: later) }
    #expect(editor.keySet.records == before)
  }

  @Test func doesNothingTwice() throws {
    var editor = try rotated()
    try editor.confirm(at: later)
    let before = editor.keySet.records
    #expect(try editor.confirm(at: later.advanced(by: .seconds(month))).isEmpty)
    #expect(editor.keySet.records == before)
  }

  @Test(arguments: Kind.allCases) func doesNothingToANewSet(kind: Kind) throws {
    var editor = KeySetEditor(KeySet(generating: kind.role, at: start))
    let before = text(editor.keySet)
    #expect(try editor.confirm(at: later).isEmpty)
    #expect(text(editor.keySet) == before)
  }

  @Test func endsNothingEarlyWhenTheClockWentBack() throws {
    var editor = try rotated()
    try editor.rotate(grace: nil, at: later)
    try editor.confirm(at: start.advanced(by: .seconds(-1_000_000)))
    #expect(editor.keySet.records[0].life.expiresAt == later.advanced(by: .seconds(month + 86_400)))
  }

  @Test func importsAKeyThatIsToBeConfirmed() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    let other = Kind.x25519.makeSet(seed: 9)
    try editor.importKey(try #require(other.privateKey(for: other.records[0].id)), grace: nil, at: later)
    #expect(editor.keySet.records[0].life == KeyLife(issuedAt: start, status: .accepted))
  }

  @Test func mayLoseUpTo30DaysByAKeyWithoutAnEnd() throws {
    var editor = try rotated()
    let revocation = try editor.revoke(editor.keySet.records[0].id, at: later)
    #expect(revocation.lossEnds == later.advanced(by: .seconds(month)) && revocation.replacement == nil)
  }
}
