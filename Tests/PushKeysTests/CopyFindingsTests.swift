import PushCore
import PushKeys
import Testing

@Suite("What is wrong with a set, as others have it")
struct CopyFindingsTests {
  private func lines(
    _ set: KeySet, days: Int64, copy: PublicKeySet? = nil
  ) throws -> [[String]] {
    try set.findings(at: start.advanced(by: .seconds(days * 86_400)), copy: copy).map { finding in
      let place = set.records.firstIndex { $0.id == finding.key }
      return [finding.severity.rawValue, finding.code.rawValue, place.map(String.init) ?? "other"]
    }
  }

  @Test func anOlderKeyCountsUntilItsEnd() throws {
    let copy = try Kind.x25519.makeSet().publicKeys
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    #expect(try lines(editor.keySet, days: 30, copy: copy).contains(["warning", "not-handed-out", "1"]))
    let late = try lines(editor.keySet, days: 31, copy: copy)
    #expect(late.contains(["error", "not-handed-out", "1"]))
    #expect(late.contains(["error", "gone-key-in-use", "0"]))
  }

  @Test(arguments: [Kind.x25519, .p256]) func aKeyThatOthersDoNotSealTo(kind: Kind) throws {
    let set = kind.makeSet()
    let copy = try parsePublic(publicText(set).setting("status", to: #""accepted""#))
    #expect(try lines(set, days: 0, copy: copy) == [["error", "not-handed-out", "0"]])
  }

  @Test func theOtherSuitesKeyIsNoSubstitute() throws {
    let (both, one) = (try twoSuiteSet(), try Kind.p256.makeSet().publicKeys)
    #expect(try lines(both, days: 0, copy: one) == [["error", "not-handed-out", "0"]])
  }

  @Test func aSendersNextKey() throws {
    let set = KeySet(generating: .sender, at: start)
    let copy = try parsePublic(setText(Array(keyTexts(publicText(set)).prefix(1))))
    #expect(try lines(set, days: 0, copy: copy) == [["warning", "not-handed-out", "1"]])
    #expect(try lines(set, days: 0, copy: set.publicKeys).isEmpty)
    var editor = KeySetEditor(set)
    try editor.rotate(again: true, at: start)
    #expect(try lines(editor.keySet, days: 0, copy: set.publicKeys) == [["warning", "not-handed-out", "2"]])
  }

  @Test func otherSendersKeys() throws {
    let (one, other) = (Kind.sender.makeSet(seed: 1), Kind.sender.makeSet(seed: 2))
    let copy = try one.publicKeys(beside: other.publicKeys)
    #expect(copy.records.map(\.id) == (one.records + other.records).map(\.id))
    #expect(try lines(one, days: 0, copy: copy) == [["warning", "gone-key-in-use", "other"]])
    let gone = other.records[0].id
    #expect(try one.publicKeys(beside: copy, without: gone) == one.publicKeys)
    // The set's own keys count as current, wherever they are in the copy.
    var editor = KeySetEditor(one)
    try editor.rotate(again: true, at: start)
    let merged = try editor.keySet.publicKeys(beside: copy)
    #expect(try merged.records == editor.keySet.publicKeys.records + other.records)
    #expect(throws: KeySetError.wrongRole) { try one.publicKeys(beside: Kind.p256.makeSet().publicKeys) }
    #expect(throws: KeySetError.twoActiveKeys) {
      try Kind.x25519.makeSet(seed: 1).publicKeys(beside: Kind.x25519.makeSet(seed: 2).publicKeys)
    }
  }

  @Test func aSendersKeyThatHasEndedNeedNotBeKnown() throws {
    var editor = KeySetEditor(Kind.sender.makeSet())
    try editor.rotate(again: true, at: start)
    #expect(
      try lines(editor.keySet, days: 31, copy: editor.keySet.publicKeys)
        .allSatisfy { $0[1] != "not-handed-out" })
  }

  @Test(arguments: Kind.allCases) func anActiveKeyThatHasNotBegun(kind: Kind) throws {
    let text = text(kind.makeSet()).setting("iat", to: "1700000000,\"nbf\":1700086400")
    let found = try lines(parse(text), days: 0)
    #expect(found == (kind == .sender ? [["error", "active-not-begun", "0"]] : []))
    #expect(try lines(parse(text), days: 1).isEmpty)
  }

  @Test(arguments: [KeyRole.identity, .root]) func keysThatAreForEver(role: KeyRole) throws {
    let set = KeySet(generating: role, at: start)
    for days in [-400, 0, 4000] as [Int64] { #expect(try lines(set, days: days).isEmpty) }
  }

  @Test func aKeyThatWasMadeByAClockAheadIsOld() throws {
    for (seconds, isOld) in [(86_400, false), (86_401, true), (10 * 366 * 86_400, true)] as [(Int64, Bool)] {
      var editor = KeySetEditor(Kind.x25519.makeSet())
      let rotation = try editor.rotate(
        ifOlderThan: .seconds(month), at: start.advanced(by: .seconds(-seconds)))
      #expect(rotation.isEmpty == !isOld)
      guard isOld else { continue }
      // The old key still opens messages from a sender whose clock is ahead.
      #expect(rotation.replaced.map(\.life.expiresAt) == [start.advanced(by: .seconds(month))])
    }
  }
}
