import PushCore
import PushKeys
import Testing

/// Public sets with one fault each.
enum PublicFaults {
  private static let good = publicText(Kind.x25519.makeSet())
  private static let sender = publicText(Kind.sender.makeSet())
  private static let other = keyTexts(publicText(Kind.x25519.makeSet(seed: 9)))[0]

  /// Two keys, found by search, whose thumbprints begin with the same 8 bytes.
  private static let colliding = [
    "ICAgICAgICAgICAgICAgICAgICAgICAgUH1p5Ma1JQE", "ICAgICAgICAgICAgICAgICAgICAgICAgZrdnBJUFhJY",
  ].map { #"{"kty":"OKP","crv":"Ed25519","x":"\#($0)"}"# }

  static let all: [KeySetFault] = [
    KeySetFault("an array", "[]", .notAKeySet),
    KeySetFault("no key", #"{"keys":[]}"#, .empty),
    KeySetFault("version 2", good.setting("v", to: "2"), .unsupportedVersion),
    KeySetFault(
      "the wrong alg", good.setting("alg", to: #""ECDH-ES""#), .invalidMember(index: 0, member: "alg")),
    KeySetFault("the wrong use", good.setting("use", to: #""sig""#), .invalidMember(index: 0, member: "use")),
    KeySetFault(
      "the wrong kid", good.setting("kid", to: quoted(other.member("kid"))),
      .wrongKeyID(index: 0, thumbprint: Kind.x25519.makeSet().records[0].id)),
    KeySetFault(
      "a kid of one's own", good.setting("kid", to: #""2024-key-1""#),
      .wrongKeyID(index: 0, thumbprint: Kind.x25519.makeSet().records[0].id)),
    KeySetFault(
      "an unknown status", good.setting("status", to: #""""#), .invalidMember(index: 0, member: "status")),
    KeySetFault(
      "Ed25519's neutral point", sender.setting("x", to: quoted("AQ" + String(repeating: "A", count: 41))),
      .invalidMember(index: 0, member: "x")),
    KeySetFault("a key twice", setText(keyTexts(good) + keyTexts(good)), .duplicateKey),
    KeySetFault("two keys under one name", setText(colliding), .collidingKeyIDs),
    KeySetFault("two active keys of a device", setText(keyTexts(good) + [other]), .twoActiveKeys),
    KeySetFault("a device's and a sender's key", setText(keyTexts(good) + keyTexts(sender)), .mixedRoles),
  ]
}

@Suite("Public key sets")
struct PublicKeySetTests {
  @Test(arguments: Kind.pairs) func readsWhatItWrites(kind: Kind) throws {
    let set = try kind.makeSet().publicKeys
    #expect(try parsePublic(text(set)) == set)
    #expect(set.role == kind.role)
  }

  @Test(arguments: Kind.pairs) func hasNoPrivateMember(kind: Kind) {
    let secret = text(kind.makeSet()).member("d")
    #expect(!publicText(kind.makeSet()).contains(secret))
    #expect(!publicText(kind.makeSet()).contains(#""d""#))
  }

  @Test(arguments: ["1", #""none""#, "[]"]) func ignoresTheSerialOfAPrivateSet(serial: String) throws {
    let text = publicText(Kind.x25519.makeSet())
    let set = try parsePublic(text.setting("v", to: #"1,"serial":\#(serial)"#))
    #expect(try set == parsePublic(text))
  }

  @Test(arguments: PublicFaults.all) func refuses(fault: KeySetFault) {
    #expect(throws: fault.error) { try parsePublic(fault.text) }
  }

  @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
  func refusesAPrivateMember(name: String) {
    let text = publicText(Kind.x25519.makeSet()).setting("use", to: #""enc","\#(name)":"AA""#)
    #expect(throws: KeySetError.privateKeyInPublicSet(index: 0)) { try parsePublic(text) }
  }

  @Test func refusesAPrivateSet() {
    #expect(throws: KeySetError.privateKeyInPublicSet(index: 0)) {
      try parsePublic(text(Kind.sender.makeSet()))
    }
  }

  @Test(arguments: Kind.pairs) func readsAThirdPartysPlainKey(kind: Kind) throws {
    let set = kind.makeSet()
    var plain = publicText(set)
    for name in ["v", "kid", "use", "alg", "iat", "status"] { plain = plain.setting(name, to: nil) }
    plain = plain.setting("kty", to: quoted(plain.member("kty")) + #","key_ops":[],"x5t":{"a":null}"#)
    let record = try #require(try parsePublic(plain).records.first)
    #expect(record.publicKey == set.records[0].publicKey)
    #expect(record.life == KeyLife(issuedAt: moment(0), status: .active))
    #expect(!text(try parsePublic(plain)).contains(#""iat""#))
  }

  // RFC 8037, A.2 and A.3.
  @Test func namesAKeyByItsThumbprint() throws {
    let set = try parsePublic(
      #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#)
    #expect(set.records[0].id.text == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  @Test func prefersX25519() throws {
    let set = try twoSuiteSet().publicKeys
    #expect(try set.recipient().suite == .x25519ChaChaPoly)
    #expect(try set.recipient(suite: .p256AESGCM).suite == .p256AESGCM)
    #expect(try Kind.p256.makeSet().publicKeys.recipient().suite == .p256AESGCM)
  }

  @Test func hasNoRecipientAmongSenders() {
    #expect(throws: KeySetError.wrongRole) { try Kind.sender.makeSet().publicKeys.recipient() }
  }

  @Test func hasNoRecipientForAnotherSuite() {
    #expect(throws: KeySetError.noKeyForSuite) {
      try Kind.x25519.makeSet().publicKeys.recipient(suite: .p256AESGCM)
    }
  }

  @Test func hasNoRecipientWithoutAnActiveKey() throws {
    let set = try parsePublic(text(Kind.x25519.makeSet().publicKeys).setting("status", to: #""accepted""#))
    #expect(throws: KeySetError.noActiveKey) { try set.recipient() }
  }

  @Test func hasNoRecipientAfterTheLastSecond() throws {
    let set = try parsePublic(publicText(Kind.x25519.makeSet()).setting("iat", to: #"1,"exp":9"#))
    #expect(try set.recipient(at: moment(9)).publicKey == set.records[0].publicKey)
    #expect(throws: KeySetError.keyEnded) { try set.recipient(at: moment(10)) }
  }

  @Test(arguments: [(4, false), (5, true), (9, true), (10, false)] as [(Int64, Bool)])
  func trustsASenderFromNbfToExp(seconds: Int64, isTrusted: Bool) throws {
    let text = publicText(Kind.sender.makeSet()).setting("iat", to: #"1,"nbf":5,"exp":9"#)
    let set = try parsePublic(text)
    let key = set.senderKey(for: set.records[0].id.keyID, at: moment(seconds))
    #expect((key != nil) == isTrusted)
  }

  @Test func hasNoSenderKeyOfADeviceOrOfAnotherName() throws {
    let device = try Kind.x25519.makeSet().publicKeys
    let sender = try Kind.sender.makeSet().publicKeys
    #expect(device.senderKey(for: device.records[0].id.keyID, at: start) == nil)
    #expect(sender.senderKey(for: device.records[0].id.keyID, at: start) == nil)
  }

  @Test func trustsSeveralSenders() throws {
    let keys = (1...3).flatMap { keyTexts(publicText(Kind.sender.makeSet(seed: $0))) }
    let set = try parsePublic(setText(keys))
    #expect(set.records.allSatisfy { set.senderKey(for: $0.id.keyID, at: start)?.publicKey == $0.publicKey })
  }
}
