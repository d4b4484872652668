import PushCore
import PushEnrolment
import PushKeys
import Testing

@Suite("A signed set of senders")
struct SenderKeySetTests {
  private let root = SenderSetFault.root
  private let senders = SenderSetFault.senders

  private var roots: PublicKeySet { get throws { try root.publicKeys } }

  private func sign(_ serial: Int64? = nil, at now: UnixTime = start) throws -> SenderKeySet {
    var editor = KeySetEditor(root)
    return try editor.signSenders(senders, for: Signed.topic, serial: serial, at: now)
  }

  @Test func saysWhatARootSigned() throws {
    let signed = try sign(7, at: start)
    let read = try SenderKeySet(signed.text, roots: roots)
    #expect(read == signed)
    #expect(read.topic == Signed.topic && read.serial == 7 && read.issuedAt == start)
    #expect(read.keys == senders && read.signer == root.records[0].id)
    #expect(read.expiresAt == start.advanced(by: .seconds(400 * 86_400)))
  }

  @Test func isReadAsOthersMayWriteIt() throws {
    let text = SenderSetFault.text(
      claims: SenderSetFault.claims(["exp": "1", "token": "[]", "aud": #""x""#]))
    let read = try SenderKeySet(text, roots: roots)
    #expect(read.keys == senders && read.expiresAt.seconds == 1)
  }

  @Test(arguments: SenderSetFault.headers + SenderSetFault.claims) func refuses(fault: SenderSetFault) throws
  {
    let roots = try roots
    #expect(throws: fault.error) { try SenderKeySet(fault.text, roots: roots) }
  }

  @Test func isOneOfSeveralRoots() throws {
    let other = KeySet(generating: .root, at: start)
    let keys = try [other, root].flatMap { try keyTexts(text($0.publicKeys)) }
    let both = try parsePublic(#"{"role":"root","keys":[\#(keys.joined(separator: ","))]}"#)
    #expect(try SenderKeySet(sign().text, roots: both).signer == root.records[0].id)
    #expect(throws: SignedSetError.unknownSigner) { try SenderKeySet(sign().text, roots: other.publicKeys) }
  }

  /// A key of another role is not meant to vouch for senders.
  @Test(arguments: [#""identity""#, nil]) func isNotOfAKeyThatIsNoRoot(role: String?) throws {
    let roots = try parsePublic(text(roots).setting("role", to: role))
    #expect(throws: SignedSetError.unknownSigner) { try SenderKeySet(sign().text, roots: roots) }
  }

  @Test func isTrustedWhateverARootsLifeSays() throws {
    let ended = try parsePublic(
      text(roots).setting("iat", to: #"1,"exp":2"#).setting("status", to: #""accepted""#))
    #expect(try SenderKeySet(sign().text, roots: ended).keys == senders)
  }

  @Test func isSignedByTheRootThatItNames() throws {
    let other = KeySet(generating: .root, at: start)
    let text = Signed.jws(header: SenderSetFault.header(), payload: SenderSetFault.claims(), by: other)
    let roots = try roots
    #expect(throws: SignedSetError.badSignature) { try SenderKeySet(text, roots: roots) }
  }

  @Test func hasNoBitThatMayFlip() throws {
    let roots = try roots
    var bytes = Array(try sign().text.utf8)
    for index in bytes.indices {
      bytes[index] ^= 1 << (index % 8)
      #expect(
        (try? SenderKeySet(parsing: bytes.span, roots: roots, topic: Signed.topic)) == nil, "byte \(index)")
      bytes[index] ^= 1 << (index % 8)
    }
  }

  @Test(arguments: [
    "", ".", "..", "a..b", "a.b", "a.b.c.d", "eyJ9.e30", ".e30.AA", "eyJ.e30.AA", "e30=.e30.AA",
  ])
  func isThreePartsOfBase64URL(text: String) throws {
    let roots = try roots
    #expect(throws: SignedSetError.malformedJWS) { try SenderKeySet(text, roots: roots) }
  }

  @Test(arguments: ["\n", " ", "=", "."]) func hasNothingBehindIt(end: String) throws {
    let text = try sign().text + end
    let roots = try roots
    #expect(throws: SignedSetError.malformedJWS) { try SenderKeySet(text, roots: roots) }
  }

  @Test func has64KiBAtMost() throws {
    let roots = try roots
    let long = String(repeating: "A", count: 65_536)
    #expect(throws: SignedSetError.malformedJWS) { try SenderKeySet(long, roots: roots) }
    #expect(throws: SignedSetError.tooLarge) { try SenderKeySet(long + "A", roots: roots) }
  }

  @Test func isForOneApp() throws {
    let roots = try roots
    #expect(throws: SignedSetError.otherTopic) {
      try SenderKeySet(sign().text, roots: roots, topic: Signed.otherTopic)
    }
  }

  @Test func isAStoreOfItsKeys() throws {
    let set = try sign()
    for record in senders.records {
      let key = try #require(set.senderKey(for: record.id.keyID, at: start))
      #expect(key.publicKey == record.publicKey && key.trustedUntil == set.expiresAt)
      #expect(senders.senderKey(for: record.id.keyID, at: start)?.trustedUntil == nil)
    }
    #expect(set.senderKey(for: root.records[0].id.keyID, at: start) == nil)
  }

  @Test func saysInTimeThatItEnds() throws {
    let (set, day) = (try sign(), 86_400 as Int64)
    #expect(set.finding(at: start) == nil)
    #expect(set.finding(at: set.expiresAt.advanced(by: .seconds(-90 * day - 1))) == nil)
    #expect(set.finding(at: set.expiresAt.advanced(by: .seconds(-90 * day))) == .endsSoon)
    #expect(set.finding(at: set.expiresAt) == .endsSoon)
    #expect(set.finding(at: set.expiresAt.advanced(by: .seconds(1))) == .ended)
    #expect(SenderSetFinding.allCases.map(\.rawValue) == ["set-ends-soon", "set-ended"])
    #expect(SenderSetFinding.allCases.map(\.severity) == [.warning, .error])
  }

  @Test func followsAnOlderOneOrItself() throws {
    let (seven, eight) = (try sign(7), try sign(8))
    #expect(throws: Never.self) { try eight.check(follows: seven) }
    #expect(throws: Never.self) { try seven.check(follows: seven) }
    #expect(throws: SignedSetError.olderSerial(last: 8)) { try seven.check(follows: eight) }
    // A set that has ended still shows which keys were removed.
    let ended = try sign(9, at: UnixTime(clamping: 0))
    #expect(throws: Never.self) { try ended.check(follows: eight) }
    #expect(throws: SignedSetError.olderSerial(last: 9)) { try eight.check(follows: ended) }
    let other = try sign(7, at: start.advanced(by: .seconds(1)))
    #expect(throws: SignedSetError.sameSerial) { try other.check(follows: seven) }
  }
}
