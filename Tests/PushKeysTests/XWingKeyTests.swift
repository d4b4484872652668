import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// A public X-Wing key with one fault, and the expected error.
struct XWingFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let error: KeySetError

  private init(_ name: String, _ member: String, _ value: String?, _ error: KeySetError? = nil) {
    testDescription = name
    text = setText([KnownXWingKey.publicHalf.setting(member, to: value)])
    self.error = error ?? .invalidMember(index: 0, member: member)
  }

  private init(_ name: String, adding member: String) {
    testDescription = name
    text = setText([KnownXWingKey.publicHalf.setting("use", to: #""enc","\#(member)":"AA""#)])
    error = .invalidMember(index: 0, member: member)
  }

  /// The sample's public key with changed bytes.
  private static func changed(_ change: (inout [UInt8]) -> Void) -> String {
    var bytes = (try? Base64URL.decode(KnownXWingKey.publicKey)) ?? []
    change(&bytes)
    return quoted(Base64URL.encode(bytes.span))
  }

  static let all: [Self] = [
    Self("no alg", "alg", nil),
    Self("another algorithm's alg", "alg", #""ML-KEM-768""#),
    Self("an alg that differs in case", "alg", #""XWING-AESGCM""#),
    Self("no pub", "pub", nil),
    Self("a byte missing", "pub", changed { $0.removeLast() }),
    Self("a byte more", "pub", changed { $0.append(0) }),
    // Two coefficients are three bytes; the first one's 12 bits are the first byte and the low half of the second.
    Self("a coefficient of 3329", "pub", changed { ($0[0], $0[1]) = (0x01, $0[1] & 0xf0 | 0x0d) }),
    Self("a last coefficient of 4095", "pub", changed { ($0[1150], $0[1151]) = ($0[1150] | 0xf0, 0xff) }),
    Self(
      "X25519's zero", "pub", changed { $0.replaceSubrange(1184..., with: [UInt8](repeating: 0, count: 32)) }),
    Self(
      "X25519's p, which is not canonical", "pub",
      changed { $0.replaceSubrange(1184..., with: [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]) }),
    Self("the wrong use", "use", #""sig""#),
    Self(
      "the wrong kid", "kid", quoted(Kind.x25519.makeSet().records[0].id.text),
      (try? Thumbprint(KnownXWingKey.thumbprint)).map { .wrongKeyID(index: 0, thumbprint: $0) }),
    Self("a curve", adding: "crv"), Self("an x", adding: "x"), Self("a y", adding: "y"),
  ]
}

/// A private X-Wing key with one fault, and the expected error.
struct PrivateXWingFault: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let key: String
  let error: KeySetError

  private init(_ name: String, _ value: String?, _ error: KeySetError) {
    testDescription = name
    key = KnownXWingKey.privateKey.setting("priv", to: value)
    self.error = error
  }

  private static let invalid = KeySetError.invalidMember(index: 0, member: "priv")

  static let all: [Self] = [
    Self("no seed", nil, .missingPrivateKey(index: 0)),
    Self("a seed of 31 bytes", quoted(String(repeating: "A", count: 40) + "AQ"), invalid),
    Self("a seed of zeros", quoted(String(repeating: "A", count: 43)), invalid),
    Self("a number", "7", invalid),
    Self(
      "a d beside it", #""\#(KnownXWingKey.seed)","d":"\#(KnownXWingKey.seed)""#,
      .invalidMember(index: 0, member: "d")),
  ]
}

/// Every system, whatever its libraries, reads X-Wing keys, and works with the other keys of their sets.
@Suite("X-Wing keys") struct XWingKeyTests {
  @Test func areReadAndWrittenAsTheyWere() throws {
    let set = try KnownXWingKey.set()
    #expect(set.records[1].algorithm == .xwing)
    #expect(set.records[1].id.text == KnownXWingKey.thumbprint)
    #expect(set.records[1].publicKey?.bytes.count == 1216)
    #expect(try parse(text(set)).records == set.records)
    #expect(text(set).contains(#""priv":"\#(KnownXWingKey.seed)""#))
  }

  @Test func ofAThirdPartyNeedThreeMembers() throws {
    let plain = #"{"kty":"AKP","alg":"xwing-aesgcm","pub":"\#(KnownXWingKey.publicKey)"}"#
    let record = try #require(try parsePublic(setText([plain])).records.first)
    #expect(record.id.text == KnownXWingKey.thumbprint)
  }

  @Test(arguments: XWingFault.all) func refusesAPublicOne(fault: XWingFault) {
    #expect(throws: fault.error) { try parsePublic(fault.text) }
  }

  @Test(arguments: PrivateXWingFault.all) func refusesAPrivateOne(fault: PrivateXWingFault) {
    #expect(throws: fault.error) { try parse(setText([fault.key])) }
  }

  @Test func aSeedInAPublicSetIsRefused() {
    #expect(throws: KeySetError.privateKeyInPublicSet(index: 0)) {
      try parsePublic(setText([KnownXWingKey.privateKey]))
    }
  }

  @Test(arguments: Kind.pairs) func otherKeysHaveNoPub(kind: Kind) {
    let text = publicText(kind.makeSet()).setting(
      "kty", to: quoted(publicText(kind.makeSet()).member("kty")) + #","pub":"AA""#)
    #expect(throws: KeySetError.invalidMember(index: 0, member: "pub")) { try parsePublic(text) }
  }

  @Test func areEnrolledBesideTheOthers() throws {
    var keys = try DeviceKeys(device: KnownXWingKey.set(), identity: KeySet(generating: .identity, at: start))
    let enrolment = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    let read = try Enrolment(parsing: enrolment.encoded().span, audience: Signed.audience)
    #expect(read.keys.records.map(\.id) == keys.device.records.map(\.id))
  }

  @Test func haveNoPEM() throws {
    let publicKey = try #require(try KnownXWingKey.set().records[1].publicKey)
    #expect(publicKey.encoded(as: .pem) == nil)
    #expect(publicKey.encoded(as: .raw)?.count == 1216)
    let jwk = String(decoding: try #require(publicKey.encoded(as: .jwk)), as: UTF8.self)
    #expect(jwk.member("pub") == KnownXWingKey.publicKey && jwk.member("alg") == "xwing-aesgcm")
  }
}

/// The behaviour of systems without ML-KEM.
@Suite("X-Wing keys without ML-KEM", .lacksMLKEM) struct UnavailableXWingTests {
  private let unavailable = KeySetError.unavailable(.xwingAESGCM)

  @Test func noneIsMade() throws {
    #expect(throws: unavailable) { try KeySet(generating: .device, suite: .xwingAESGCM, at: start) }
    var editor = KeySetEditor(Kind.x25519.makeSet())
    #expect(throws: unavailable) { try editor.add(.xwingAESGCM, at: start) }
    #expect(throws: unavailable) { try DeviceKeys(generating: .xwingAESGCM, at: start) }
    #expect(try DeviceKeys(generating: .x25519ChaChaPoly, at: start).device.records.count == 1)
  }

  @Test func messagesGoToTheOtherKey() throws {
    let set = try KnownXWingKey.set().publicKeys
    #expect(try set.recipient(at: start).suite == .x25519ChaChaPoly)
    #expect(throws: unavailable) { try set.recipient(suite: .xwingAESGCM, at: start) }
    #expect(throws: unavailable) { try parsePublic(setText([KnownXWingKey.publicHalf])).recipient(at: start) }
  }

  @Test func theOtherKeysRotate() throws {
    var editor = KeySetEditor(try KnownXWingKey.set())
    let rotation = try editor.rotate(at: start)
    #expect(rotation.replaced.map(\.algorithm) == [.x25519])
    #expect(rotation.kept.map(\.id.text) == [KnownXWingKey.thumbprint])
    #expect(editor.keySet.records.filter { $0.life.status == .active }.map(\.algorithm) == [.xwing, .x25519])
  }

  /// A rotation by age must go on, and must not fail because of a key that cannot be replaced here.
  @Test func theOtherKeysRotateByAge() throws {
    var editor = KeySetEditor(try KnownXWingKey.set())
    try editor.rotate(at: start.advanced(by: .seconds(86_400)))
    let rotation = try editor.rotate(
      ifOlderThan: .seconds(86_400), at: start.advanced(by: .seconds(2 * 86_400 - 1)))
    #expect(rotation.isEmpty)
    #expect(rotation.kept.map(\.algorithm) == [.xwing, .x25519])
  }

  @Test func aChangeThatNeedsANewOneIsRefused() throws {
    let set = try parse(setText([KnownXWingKey.privateKey]))
    var editor = KeySetEditor(set)
    #expect(throws: unavailable) { try editor.rotate(at: start) }
    #expect(throws: unavailable) { try editor.revoke(set.records[0].id, at: start) }
    #expect(editor.keySet.records == set.records)
  }

  @Test func aSingleOneIsNotImported() {
    #expect(throws: PrivateKeyError.unavailable(.xwingAESGCM)) {
      try PrivateKey(jwk: Array(KnownXWingKey.privateKey.utf8).span)
    }
    #expect(throws: PrivateKeyError.unavailable(.xwingAESGCM)) {
      try PrivateKey(raw: [UInt8](repeating: 1, count: 32).span, algorithm: .xwing)
    }
  }

  /// Proven keys stay, and an enrolment without a usable key is not registered.
  @Test func aBackendWaitsForADeviceThatHasNothingElse() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    var all = Registrations()
    try all.prove(&keys, as: "ada")
    let proven = all["ada"]?.proven
    keys = try DeviceKeys(device: parse(setText([KnownXWingKey.privateKey])), identity: keys.identity)
    let enrolment = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try all.accept(enrolment, as: "ada", proving: .keyAlone) == .pending)
    #expect(all["ada"]?.proven == proven)
  }

  /// A backend without the suite uses the device's other keys, and asks only for a proof of those.
  @Test func aBackendProvesTheOthers() throws {
    var keys = try DeviceKeys(device: KnownXWingKey.set(), identity: KeySet(generating: .identity, at: start))
    var all = Registrations()
    try all.prove(&keys, as: "ada")
    #expect(all["ada"]?.pending == nil)
    #expect(all["ada"]?.proven?.keys.records.map(\.algorithm) == [.x25519])
    let line = try #require(all["ada"]).encoded()
    #expect(try Registration(parsing: line.span).proven == all["ada"]?.proven)
  }
}

/// A request counts for the key that it named, whatever libraries the system has that gets the answer.
@Suite("The key that a proof is about") struct AskedKeyTests {
  private var keys: DeviceKeys
  private var registration: Registration

  init() throws {
    keys = try DeviceKeys(device: KnownXWingKey.set(), identity: KeySet(generating: .identity, at: start))
    registration = try Registration(
      name: "ada", enrolment: keys.enrol(address: Signed.address, for: Signed.audience, at: start))
  }

  /// The registration as another system wrote it after asking for this key.
  private func asking(for key: Thumbprint) throws -> Registration {
    var line = try JSONObject(parsing: registration.encoded().span)
    var pending = try #require(line["pending"]?.object)
    pending["kid"] = .string(key.text)
    line["pending"] = .object(pending)
    return try Registration(parsing: line.encoded().span)
  }

  @Test(arguments: [0, 1]) mutating func isTheOneThatWasAsked(index: Int) throws {
    let key = keys.device.records[index].id
    var other = try asking(for: key)
    #expect(other.pending?.recipient.thumbprint == key)
    try other.prove(with: &keys)
    #expect(other.proven?.keys.records.map(\.id) == [key])
  }

  @Test func isNamedOnlyWhereAnotherIsTheFirst() throws {
    let (x25519, xwing) = (keys.device.records[0].id, keys.device.records[1].id)
    #expect(try !asking(for: xwing).text.contains(#""kid":"#))
    #expect(try asking(for: x25519).text.contains(#""kid":"\#(x25519.text)""#))
  }

  @Test func aKeyThatIsNotEnrolledIsMalformed() throws {
    let stranger = Kind.x25519.makeSet(seed: 9).records[0].id
    #expect(throws: SignedSetError.malformedEnrolment) { try asking(for: stranger) }
  }
}

/// The behaviour of systems with ML-KEM.
@Suite("X-Wing keys with ML-KEM", .needsMLKEM) struct AvailableXWingTests {
  @Test func areMadeBesideADevicesOthers() throws {
    let keys = try DeviceKeys(generating: .p256AESGCM, at: start)
    #expect(keys.device.records.map(\.algorithm) == [.p256, .xwing])
    #expect(try keys.device.publicKeys.recipient(at: start).suite == .xwingAESGCM)
    var old = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    try old.addQuantumResistant(at: start)
    try old.addQuantumResistant(at: start)
    #expect(old.device.records.map(\.algorithm) == [.x25519, .xwing])
  }

  @Test func aSeedOfAnotherKeyIsRefused() throws {
    let other = quoted(Base64URL.encode([UInt8](repeating: 7, count: 32).span))
    #expect(throws: KeySetError.keyMismatch(index: 0)) {
      try parse(setText([KnownXWingKey.privateKey.setting("priv", to: other)]))
    }
  }

  @Test func rotateAndAreRevoked() throws {
    var editor = KeySetEditor(try KeySet(generating: .device, suite: .xwingAESGCM, at: start))
    let first = editor.keySet.records[0].id
    #expect(try editor.rotate(at: start).added.map(\.algorithm) == [.xwing])
    #expect(try editor.revoke(editor.keySet.records[1].id, at: start).replacement?.algorithm == .xwing)
    #expect(editor.keySet.records.map(\.id).contains(first))
  }

  @Test(arguments: [KeyFormat.jwk, .raw]) func areExportedAndImported(format: KeyFormat) throws {
    let key = try #require(try KnownXWingKey.set().privateKey(for: Thumbprint(KnownXWingKey.thumbprint)))
    let bytes = try #require(key.withEncodedBytes(as: format) { span in span.indices.map { span[$0] } })
    let read = try PrivateKey(parsing: bytes.span, as: format, algorithm: .xwing)
    #expect(read.publicKey == key.publicKey)
    #expect(KeySet(importing: read, at: start).records.map(\.id) == [key.thumbprint])
  }

  /// A backend that has the suite asks for a proof of each key, the preferred one first.
  @Test func aBackendProvesBoth() throws {
    var keys = try DeviceKeys(device: KnownXWingKey.set(), identity: KeySet(generating: .identity, at: start))
    var registration = try Registration(
      name: "ada", enrolment: keys.enrol(address: Signed.address, for: Signed.audience, at: start))
    for (round, suite) in [Suite.xwingAESGCM, .x25519ChaChaPoly].enumerated() {
      let asked = try #require(registration.pending)
      #expect(asked.recipient.suite == suite)
      let answer = try keys.answer(
        asked.request, openedBy: asked.recipient.thumbprint, address: Signed.address, for: Signed.audience,
        at: start)
      _ = try registration.update(with: answer.get())
      #expect(registration.proven?.keys.records.count == round + 1)
    }
    #expect(registration.pending == nil)
  }
}
