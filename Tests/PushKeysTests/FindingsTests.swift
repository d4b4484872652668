import PushCore
import PushKeys
import Testing

@Suite("What is wrong with a set")
struct FindingsTests {
  private typealias Line = [String]

  private func lines(_ set: KeySet, days: Int64, copy: PublicKeySet? = nil) throws -> [Line] {
    try set.findings(at: start.advanced(by: .seconds(days * 86_400)), copy: copy).map { finding in
      let place = set.records.firstIndex { $0.id == finding.key }
      return [finding.severity.rawValue, finding.code.rawValue, place.map(String.init) ?? "other"]
    }
  }

  @Test(arguments: Kind.allCases) func nothingIsWrongWithANewSet(kind: Kind) throws {
    #expect(try lines(kind.makeSet(), days: 29).isEmpty)
    #expect(try kind == .shared || lines(kind.makeSet(), days: 29, copy: kind.makeSet().publicKeys).isEmpty)
  }

  @Test func oldKeys() throws {
    let set = Kind.x25519.makeSet()
    #expect(try lines(set, days: 30) == [["note", "old-active-key", "0"]])
    #expect(try lines(set, days: 89) == [["note", "old-active-key", "0"]])
    #expect(try lines(set, days: 90) == [["warning", "old-active-key", "0"]])
    let (early, due) = (start.advanced(by: .seconds(59 * 86_400)), start.advanced(by: .seconds(60 * 86_400)))
    #expect(try set.findings(at: early, rotatedAfter: 60).isEmpty)
    #expect(try set.findings(at: due, rotatedAfter: 60).map(\.severity) == [.note])
  }

  @Test func endedKeys() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start.advanced(by: .seconds(86_400)))
    #expect(try lines(editor.keySet, days: 29).isEmpty)
    #expect(try lines(editor.keySet, days: 32).first == ["warning", "accepted-ended", "0"])
    let active = try parse(text(Kind.sender.makeSet()).setting("iat", to: #"1700000000,"exp":1700000001"#))
    #expect(try lines(active, days: 1) == [["error", "active-ended", "0"]])
    let endless = keyTexts(text(Kind.x25519.makeSet(seed: 2)).setting("status", to: #""accepted""#))
    let set = try parse(setText(endless + keyTexts(text(Kind.x25519.makeSet()))))
    #expect(try lines(set, days: 1) == [["warning", "accepted-without-end", "0"]])
  }

  @Test func sayWhatIsWrongAndWhatToDo() throws {
    let set = Kind.x25519.makeSet()
    let key = set.records[0].id
    let texts = try [30, 90, -1].map { days in
      try set.findings(at: start.advanced(by: .seconds(days * 86_400))).map(\.description)
    }
    #expect(
      texts == [
        ["\(key): the active key is due for rotation; rotate the set"],
        ["\(key): the active key is more than 90 days old; rotate the set"],
        [
          "\(key): it was made in the future: the clock that made it was wrong, or this one is; "
            + "correct the clock; if it is right, rotate the set"
        ],
      ])
    let ended = try parse(text(Kind.sender.makeSet()).setting("iat", to: #"1700000000,"exp":1700000001"#))
    let finding = try #require(try ended.findings(at: start.advanced(by: .seconds(60))).first)
    #expect(finding.text == "the active key has expired: nothing can be sealed or signed with it")
    #expect(finding.remedy == "rotate the set, then prune it")
  }

  @Test func aKeyFromTheFuture() throws {
    #expect(try lines(Kind.x25519.makeSet(), days: -1) == [["warning", "made-in-future", "0"]])
  }

  @Test func aDevicesKeyThatBackendsDoNotHave() throws {
    let copy = try Kind.x25519.makeSet().publicKeys
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    #expect(try lines(editor.keySet, days: 1, copy: copy) == [["warning", "not-handed-out", "1"]])
    // Backends seal to a key that is gone.
    try editor.revoke(editor.keySet.records[0].id, at: start)
    let gone = [["error", "not-handed-out", "0"], ["error", "gone-key-in-use", "other"]]
    #expect(try lines(editor.keySet, days: 1, copy: copy) == gone)
  }

  @Test func aSendersKeyThatDevicesDoNotHave() throws {
    let whole = Kind.sender.makeWholeSet()
    let copy = try parsePublic(setText([keyTexts(publicText(whole))[0]]))
    var editor = KeySetEditor(whole)
    try editor.rotate(again: true, at: start)
    let missing = [["error", "not-handed-out", "1"], ["warning", "not-handed-out", "2"]]
    #expect(try lines(editor.keySet, days: 1, copy: copy) == missing)
    #expect(try lines(editor.keySet, days: 1, copy: editor.keySet.publicKeys).isEmpty)
    // Devices trust a key that was stolen.
    let old = try editor.keySet.publicKeys
    try editor.revoke(editor.keySet.records[0].id, at: start)
    #expect(try lines(editor.keySet, days: 1, copy: old) == [["warning", "gone-key-in-use", "other"]])
    // Devices go by the key's expiration in their copy.
    #expect(try lines(editor.keySet, days: 31, copy: old).allSatisfy { $0[1] == "old-active-key" })
  }

  @Test func aSendersNextKeyThatDevicesDoNotHave() throws {
    var editor = KeySetEditor(KeySet(generating: .sender, at: start))
    let copy = try editor.keySet.publicKeys
    #expect(try lines(editor.keySet, days: 1, copy: copy).isEmpty)
    // Devices have the key that became active, but not the new next key.
    try editor.rotate(again: true, at: start)
    #expect(try lines(editor.keySet, days: 1, copy: copy) == [["warning", "not-handed-out", "2"]])
  }

  @Test func aNextKeyThatWasGivenUp() throws {
    var editor = KeySetEditor(KeySet(generating: .sender, at: start))
    let copy = try editor.keySet.publicKeys
    try editor.revoke(editor.keySet.records[1].id, at: start)
    let found = [["warning", "not-handed-out", "1"], ["warning", "gone-key-in-use", "other"]]
    #expect(try lines(editor.keySet, days: 1, copy: copy) == found)
  }

  @Test func anUnconfirmedRotation() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(grace: nil, at: start)
    #expect(try lines(editor.keySet, days: 1) == [["warning", "accepted-without-end", "0"]])
    try editor.confirm(at: start)
    #expect(try lines(editor.keySet, days: 1).isEmpty)
  }

  /// They are permanent, so nothing can be done about their age.
  @Test(arguments: [KeyRole.identity, .root]) func nothingIsWrongWithAnOldIdentityOrRoot(role: KeyRole) throws
  {
    let set = KeySet(generating: role, at: start)
    #expect(try lines(set, days: 4_000, copy: set.publicKeys).isEmpty)
  }

  @Test func aCopyOfAnotherKind() throws {
    let device = try Kind.x25519.makeSet().publicKeys
    #expect(throws: KeySetError.wrongRole) { try lines(Kind.sender.makeSet(), days: 1, copy: device) }
    #expect(throws: KeySetError.noPublicHalf) { try lines(Kind.shared.makeSet(), days: 1, copy: device) }
  }
}
