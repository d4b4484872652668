import PushCrypto
import PushCore
import PushKeys
import PushTesting
import Testing

/// A private set of a shared key with one fault, and the expected error.
private struct SharedFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: KeySetError

  private static let good = PushKeysTests.text(Kind.shared.makeSet())
  private static let other = PushKeysTests.text(Kind.shared.makeSet(seed: 9))
  private static let zero = String(repeating: "A", count: 43)

  private static func invalid(_ name: String, _ member: String, _ value: String?) -> Self {
    Self(
      testDescription: name, text: good.setting(member, to: value),
      error: .invalidMember(index: 0, member: member))
  }

  private static func added(_ member: String, _ error: KeySetError? = nil) -> Self {
    Self(
      testDescription: "\(member) beside k", text: good.setting("use", to: #""enc","\#(member)":"\#(zero)""#),
      error: error ?? .invalidMember(index: 0, member: member))
  }

  static let all: [Self] = [
    invalid("k of zeros", "k", quoted(zero)),
    invalid("k of 31 bytes", "k", quoted(String(good.member("k").prefix(42)))),
    invalid("k of 33 bytes", "k", quoted(good.member("k") + "A")),
    invalid("k with padding", "k", quoted(good.member("k") + "=")),
    invalid("k that is a number", "k", "1"),
    invalid("another suite's alg", "alg", #""HPKE-4""#), invalid("no alg", "alg", nil),
    invalid("a sender's use", "use", #""sig""#), invalid("no kid", "kid", nil),
    invalid("no iat", "iat", nil), invalid("no status", "status", nil),
    added("crv"), added("x"), added("y"), added("d"),
    Self(
      testDescription: "no k", text: good.setting("k", to: nil), error: .missingPrivateKey(index: 0)),
    Self(
      testDescription: "another k", text: good.setting("k", to: quoted(other.member("k"))),
      error: .wrongKeyID(index: 0, thumbprint: Kind.shared.makeSet(seed: 9).records[0].id)),
    Self(
      testDescription: "another kid", text: good.setting("kid", to: quoted(other.member("kid"))),
      error: .wrongKeyID(index: 0, thumbprint: Kind.shared.makeSet().records[0].id)),
    Self(
      testDescription: "two active keys", text: setText(keyTexts(good) + keyTexts(other)),
      error: .twoActiveKeys),
    Self(
      testDescription: "a device's key beside it",
      text: setText(keyTexts(good) + keyTexts(PushKeysTests.text(Kind.x25519.makeSet()))), error: .mixedRoles),
    Self(
      testDescription: "a key pair with k",
      text: PushKeysTests.text(Kind.x25519.makeSet()).setting("use", to: #""enc","k":"\#(zero)""#),
      error: .invalidMember(index: 0, member: "k")),
  ]
}

@Suite("Shared keys")
struct SharedKeyTests {
  private let set = Kind.shared.makeSet()
  private let topic = (try? Topic("com.example.app"))!

  @Test(arguments: SharedFault.all) private func refuses(fault: SharedFault) {
    #expect(throws: fault.error) { try parse(fault.text) }
  }

  @Test func isWrittenAsTheFormatSays() {
    let record = set.records[0]
    let key = text(set).member("k")
    #expect(
      keyTexts(text(set)) == [
        #"{"kty":"oct","k":"\#(key)","kid":"\#(record.id.text)","use":"enc","alg":"shared-chachapoly","#
          + #""iat":1700000000,"status":"active"}"#
      ])
    #expect(record.publicKey == nil && record.algorithm == .shared)
  }

  @Test func hasTheThumbprintOfTheFormat() throws {
    let key = try Base64URL.decode(text(set).member("k"))
    let info = Array("sealed-push v1 shared id".utf8)
    let prk = HKDFSHA256.extract(salt: Span()) { $0.update(key.span) }
    let okm = HKDFSHA256.expand(prk.exposedBytes, count: 32) { $0.update(info.span) }
    let bytes = [UInt8](copying: okm.exposedBytes)
    #expect(set.records[0].id.bytes == bytes)
  }

  @Test func hasNoPublicHalf() throws {
    #expect(throws: KeySetError.noPublicHalf) { try set.publicKeys }
    let key = try #require(set.deviceKey(for: set.records[0].id.keyID, at: start))
    #expect(key.publicKey == nil && key.suite == .sharedChaChaPoly)
    #expect(throws: KeySetError.noPublicHalf) { try PublicKeySet(key, issuedAt: start) }
    #expect(try set.recipient(at: start).publicKey == nil)
    #expect(throws: ValueError.self) { try PublicKey(algorithm: .shared, bytes: [UInt8](1...32)) }
  }

  @Test func isRefusedInAPublicSet() {
    #expect(throws: KeySetError.privateKeyInPublicSet(index: 0)) { try parsePublic(text(set)) }
    let bare = text(set).setting("k", to: nil)
    for text in [bare, #"{"keys":[{"kty":"oct","alg":"HS256"}]}"#] {
      #expect(throws: KeySetError.invalidMember(index: 0, member: "kty")) { try parsePublic(text) }
    }
  }

  @Test func opensWhatItSealed() throws {
    let recipient = try set.recipient(at: start)
    let key = try #require(set.deviceKey(for: recipient.thumbprint.keyID, at: start))
    #expect(recipient.suite == .sharedChaChaPoly && recipient.thumbprint == set.records[0].id)
    #expect(try key.opens(to: recipient))
  }

  @Test func anotherKeyDoesNotOpen() throws {
    let message: [UInt8] = [1, 2, 3]
    let sealed = try set.recipient(at: start).seal(message.span, for: topic, random: SystemRandom())
    let other = Kind.shared.makeSet(seed: 9)
    let key = try #require(other.deviceKey(for: other.records[0].id.keyID, at: start))
    #expect(throws: CryptoError.notAuthentic) { _ = try key.open(sealed, for: topic) }
  }

  @Test func sealsWithTheNewestAndOpensWithAll() throws {
    let old = try set.recipient(at: start)
    var editor = KeySetEditor(set)
    try editor.rotate(at: start)
    let rotated = editor.keySet
    let new = try rotated.recipient(at: start)
    #expect(new != old && new.thumbprint == rotated.records[1].id)
    for recipient in [old, new] {
      let key = try #require(rotated.deviceKey(for: recipient.thumbprint.keyID, at: start))
      #expect(try key.opens(to: recipient))
    }
    let end = start.advanced(by: .seconds(month))
    #expect(rotated.deviceKey(for: old.thumbprint.keyID, at: end) != nil)
    #expect(rotated.deviceKey(for: old.thumbprint.keyID, at: end.advanced(by: .seconds(1))) == nil)
    #expect(editor.prune(at: end.advanced(by: .seconds(1))) == [old.thumbprint])
  }

  @Test func anEndedKeySealsNothing() throws {
    let ended = try parse(text(set).setting("iat", to: #"1,"exp":\#(start.seconds)"#))
    #expect(try ended.recipient(at: start).thumbprint == set.records[0].id)
    #expect(throws: KeySetError.keyEnded) { try ended.recipient(at: start.advanced(by: .seconds(1))) }
  }

  @Test(arguments: Kind.pairs) func otherSetsAreNoRecipients(kind: Kind) {
    #expect(throws: KeySetError.wrongRole) { try kind.makeSet().recipient(at: start) }
  }

  @Test func signsNothing() {
    #expect(throws: KeySetError.wrongRole) { try set.signingKey(at: start) }
  }

  @Test func recipientsAreEqualByKey() throws {
    let (one, again) = (try set.recipient(at: start), try parse(text(set)).recipient(at: start))
    #expect(one == again && Set([one, again]).count == 1)
    #expect(try one != Kind.shared.makeSet(seed: 9).recipient(at: start))
    #expect(try one != Kind.x25519.makeSet().publicKeys.recipient(at: start))
  }

  @Test func isAKeyStoreBesideTheDevicesOwn() throws {
    let device = Kind.x25519.makeSet()
    let both = CombinedKeyStore(device, set)
    for id in [device.records[0].id, set.records[0].id] {
      #expect(try both.deviceKey(for: id.keyID, at: start)?.thumbprint == id)
    }
    let stranger = Kind.shared.makeSet(seed: 9).records[0].id.keyID
    #expect(try both.deviceKey(for: stranger, at: start) == nil)
  }

  @Test func aLockedStoreHidesNoOther() throws {
    let both = CombinedKeyStore(LockedKeyStore(), set)
    #expect(try both.deviceKey(for: set.records[0].id.keyID, at: start) != nil)
    let stranger = Kind.shared.makeSet(seed: 9).records[0].id.keyID
    #expect(throws: KeyStoreError.locked) { try both.deviceKey(for: stranger, at: start) }
    #expect(throws: KeyStoreError.locked) {
      try CombinedKeyStore(set, LockedKeyStore()).deviceKey(for: stranger, at: start)
    }
  }
}
