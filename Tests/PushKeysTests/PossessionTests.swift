import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// Messages go only to keys and tokens that the device has proven: FORMAT.md, [11.16] and [11.18].
@Suite("Possession")
struct PossessionTests {
  private var ada = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private var eve = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private let adasPlace = Signed.address
  private let evesPlace = Signed.address(token: Signed.otherToken)

  /// An enrolment of another user's key or token under Eve's identity.
  private mutating func forged(
    key: KeySet? = nil, at address: DeviceAddress, proof: Proof? = nil
  ) throws -> Enrolment {
    var editor = KeySetEditor(eve.identity)
    let forged = try editor.enrol(
      try (key ?? ada.device).publicKeys, address: address, for: Signed.audience, proof: proof, at: start)
    eve = try DeviceKeys(device: eve.device, identity: editor.keySet)
    return forged
  }

  private func enrol(_ keys: inout DeviceKeys, address: DeviceAddress? = nil) throws -> Enrolment {
    try keys.enrol(address: address ?? adasPlace, for: Signed.audience, at: start)
  }

  /// The attack that proofs prevent: a logged-in user enrols another user's public key and token.
  @Test mutating func ofAnothersKeyAndTokenIsNotBelieved() throws {
    var all = Registrations()
    #expect(try all.accept(forged(at: adasPlace), as: "eve") == .pending)
    #expect(all["eve"]?.proven == nil)
    // Ada's phone opens the request, but does not answer it, because the request names Eve's identity.
    let request = try #require(all["eve"]?.pending)
    #expect(request.recipient.thumbprint == ada.device.records[0].id && request.address == .apns(adasPlace))
    #expect(request.request.identity == eve.identity.records[0].id)
    let answer = try ada.answer(
      request.request, openedBy: request.recipient.thumbprint, address: adasPlace, for: Signed.audience,
      at: start
    )
    #expect(answer == .failure(.otherIdentity))
    // Ada's own enrolment is accepted, and takes the key and the token from Eve.
    try all.prove(&ada, as: "ada")
    #expect(all["ada"]?.proven?.keys.records.map(\.id) == ada.device.records.map(\.id))
    #expect(all["eve"]?.pending == nil && all["eve"]?.proven == nil)
    for place in [adasPlace, evesPlace] {
      #expect(throws: SignedSetError.keyInUse(registration: "ada")) {
        try all.accept(forged(at: place, proof: request.request.proof), as: "eve")
      }
    }
  }

  @Test mutating func isOfTheKeyAndTokenThatWereAskedFor() throws {
    for (key, place) in [(ada.device, evesPlace), (eve.device, adasPlace), (ada.device, adasPlace)] {
      var registration = try Registration(name: "eve", enrolment: forged(key: eve.device, at: evesPlace))
      let first = try #require(registration.pending)
      let change = try registration.update(
        with: forged(key: key, at: place, proof: first.request.proof))
      #expect(change == .pending && registration.proven == nil)
      // It is another claim, which needs another proof.
      let second = try #require(registration.pending)
      #expect(second.request.proof != first.request.proof && second.address == .apns(place))
      #expect(second.recipient.thumbprint == key.records[0].id)
    }
  }

  @Test mutating func isOfOneEnvironment() throws {
    let proof = Proof.random()
    var registration = try Registration(name: "ada", enrolment: enrol(&ada), proof: proof)
    var editor = KeySetEditor(ada.identity)
    let other = try editor.enrol(
      try ada.device.publicKeys, address: Signed.address(.sandbox), for: Signed.audience, proof: proof,
      at: start)
    #expect(try registration.update(with: other) == .pending && registration.pending?.request.proof != proof)
  }

  @Test mutating func isAskedForAgainWithTheSameProof() throws {
    var registration = try Registration(name: "ada", enrolment: enrol(&ada))
    let request = try #require(registration.pending)
    let answer = try ada.answer(to: request)
    // The next launch's enrolment overtakes the answer, which is then too old.
    #expect(try registration.update(with: enrol(&ada)) == .pending)
    #expect(registration.pending == request)
    #expect(throws: SignedSetError.self) { try registration.update(with: answer) }
    #expect(try registration.prove(with: &ada) == .registered && registration.pending == nil)
  }

  @Test mutating func isNotShownByAnotherProof() throws {
    var registration = try Registration(name: "ada", enrolment: enrol(&ada))
    let request = try #require(registration.pending)
    var editor = KeySetEditor(ada.identity)
    let wrong = try editor.enrol(
      try ada.device.publicKeys, address: adasPlace, for: Signed.audience, proof: .random(), at: start)
    #expect(try registration.update(with: wrong) == .pending && registration.pending == request)
  }

  @Test mutating func isNotShownByALoginsChallenge() throws {
    var registration = try Registration(name: "ada", enrolment: enrol(&ada))
    let request = try #require(registration.pending)
    let said = try ada.enrol(
      address: adasPlace, for: Signed.audience, challenge: Challenge(request.request.proof.text), at: start)
    #expect(try registration.update(with: said) == .pending && registration.proven == nil)
  }

  @Test mutating func ofTheOldKeyLastsUntilTheNewOneIsProven() throws {
    var all = Registrations()
    let old = try all.prove(&ada, as: "ada")
    try ada.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    #expect(try all.accept(enrol(&ada), as: "ada") == .pending)
    #expect(all["ada"]?.proven?.keys.records == old.keys.records && all["ada"]?.enrolment != old)
    #expect(try all.accept(ada.answer(to: all["ada"]?.pending), as: "ada") == .updated)
    #expect(all["ada"]?.proven?.keys.records.map(\.id) == ada.device.records.suffix(1).map(\.id))
  }

  @Test mutating func ofTheOldIsTakenUpAgain() throws {
    var all = Registrations()
    try all.prove(&ada, as: "ada")
    #expect(try all.accept(enrol(&ada, address: evesPlace), as: "ada") == .pending)
    #expect(all["ada"]?.proven?.enrolment.address == .apns(adasPlace))
    #expect(try all.accept(enrol(&ada), as: "ada") == .updated)
    #expect(all["ada"]?.pending == nil)
  }

  @Test mutating func isEachKeysOwn() throws {
    try ada.edit { (editor) throws(KeySetError) in _ = try editor.add(.p256AESGCM, at: start) }
    var registration = try Registration(name: "ada", enrolment: enrol(&ada))
    let first = try #require(registration.pending)
    #expect(first.recipient.suite == .x25519ChaChaPoly)
    #expect(try registration.prove(with: &ada) == .pending)
    #expect(registration.proven?.keys.records.map(\.algorithm.suite) == [.x25519ChaChaPoly])
    let second = try #require(registration.pending)
    #expect(second.recipient.suite == .p256AESGCM && second.request.proof != first.request.proof)
    #expect(try Registration(line: registration.text) == registration)
    #expect(try registration.prove(with: &ada) == .updated)
    #expect(try registration.proven?.keys == ada.device.publicKeys && registration.pending == nil)
  }

  @Test mutating func ofAKeyAloneBlocksNoToken() throws {
    var all = Registrations()
    #expect(try all.accept(forged(key: eve.device, at: adasPlace), as: "eve", proving: .keyAlone) == .pending)
    #expect(all["eve"]?.pending?.possession == .keyAlone)
    #expect(try all.accept(eve.answer(to: all["eve"]?.pending), as: "eve", proving: .keyAlone) == .registered)
    #expect(all["eve"]?.proven?.hasToken == false)
    // A proven token is taken from a registration that has not proven it.
    try all.prove(&ada, as: "ada")
    #expect(all["eve"]?.proven == nil && all["eve"]?.pending == nil)
    #expect(throws: SignedSetError.tokenInUse(registration: "ada")) {
      try all.accept(forged(key: eve.device, at: adasPlace), as: "eve", proving: .keyAlone)
    }
  }

  @Test mutating func ofAKeyAloneIsNotOfTheToken() throws {
    var registration = try Registration(
      name: "eve", enrolment: forged(key: eve.device, at: adasPlace), proving: .keyAlone)
    // The request was in the backend's answer. The pushed request has another proof.
    let first = try #require(registration.pending)
    #expect(try registration.prove(with: &eve) == .pending && registration.proven == nil)
    #expect(registration.pending?.request.proof != first.request.proof)
    #expect(registration.pending?.possession == .keyAndToken)
    #expect(try registration.prove(with: &eve) == .registered && registration.proven?.hasToken == true)
  }

  @Test mutating func ofAKeyAloneIsNotLaterTakenForTheTokens() throws {
    var registration = try Registration(
      name: "eve", enrolment: forged(key: eve.device, at: adasPlace), proving: .keyAlone)
    try registration.update(with: eve.answer(to: registration.pending), proving: .keyAlone)
    #expect(registration.proven?.hasToken == false)
    #expect(try registration.update(with: enrol(&eve)) == .pending)
    #expect(registration.proven?.hasToken == false && registration.pending?.possession == .keyAndToken)
  }

  @Test mutating func isDecidedByWhoProvesFirst() throws {
    var all = Registrations()
    // Two accounts on one phone, with one token.
    for name in ["ada", "eve"] {
      var keys = name == "ada" ? ada : eve
      try all.accept(enrol(&keys), as: name)
      if name == "ada" { ada = keys } else { eve = keys }
    }
    let answers = (try ada.answer(to: all["ada"]?.pending), try eve.answer(to: all["eve"]?.pending))
    #expect(try all.accept(answers.1, as: "eve") == .registered)
    #expect(all["ada"]?.pending == nil)
    // The earlier request is void. Ada may claim the token, and Eve keeps it until Ada has proven it.
    #expect(try all.accept(answers.0, as: "ada") == .pending)
    #expect(all["eve"]?.proven != nil)
    #expect(try all.accept(ada.answer(to: all["ada"]?.pending), as: "ada") == .registered)
    #expect(all["eve"]?.proven == nil && all["eve"]?.identity == eve.identity.records[0].id)
  }

  @Test mutating func ofAnIdentityEndsOthersClaimsToIt() throws {
    var all = Registrations()
    try all.accept(enrol(&ada), as: "first")
    try ada.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    try all.prove(&ada, as: "second", at: evesPlace)
    #expect(all["first"]?.pending == nil && all["first"]?.proven == nil)
  }

  @Test mutating func ofWhatWasStoredBeforeIsTaken() throws {
    let claims = EnrolmentFault.claims(["audience": nil])
    let old = EnrolmentFault.text(
      ["registration": quoted("ada"), "identity": quoted(EnrolmentFault.identity.records[0].id.text)],
      claims: claims)
    var registration = try Registration(line: old)
    #expect(registration.proven?.hasToken == true && registration.pending == nil)
    #expect(registration.proven?.keys == EnrolmentFault.device)
    #expect(try Registration(line: registration.text) == registration)
    // Old keys need no proof, but new ones do.
    var keys = try DeviceKeys(device: Kind.x25519.makeSet(), identity: EnrolmentFault.identity)
    #expect(try registration.update(with: enrol(&keys)) == .updated)
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    #expect(try registration.update(with: enrol(&keys)) == .pending)
    #expect(registration.proven?.keys == EnrolmentFault.device)
    #expect(try Registration(line: registration.text) == registration)
  }

  @Test mutating func isOfAnEnrolmentThatNamesItsBackend() throws {
    let text = EnrolmentFault.text(claims: EnrolmentFault.claims(["audience": nil]))
    let unnamed = try Enrolment(verifying: Array(text.utf8).span)
    #expect(throws: SignedSetError.otherAudience) { try Registration(name: "ada", enrolment: unnamed) }
  }

  @Test(arguments: [
    ("proven", "1"), ("proven", #""""#), ("proven", "{}"), ("pending", "null"), ("pending", #""x""#),
    ("pending", #"{"proof":"AAAAAAAAAAAAAAAAAAAAAA"}"#),
    ("pending", #"{"proof":"AAAAAAAAAAAAAAAAAAAAAA","token":1}"#),
    ("pending", #"{"proof":"A","token":true}"#),
    ("pending", #"{"proof":"AAAAAAAAAAAAAAAAAAAAAA","token":true,"v":1}"#),
    ("proven", nil),
  ]) mutating func isReadStrictly(name: String, value: String?) throws {
    let line = try Registration(name: "ada", enrolment: enrol(&ada)).text
    #expect(throws: Never.self) { try Registration(line: line) }
    #expect(throws: SignedSetError.malformedEnrolment) {
      try Registration(line: line.setting(name, to: value))
    }
    #expect(throws: SignedSetError.malformedEnrolment) {
      try Registration(line: line.dropLast() + #","x":1}"#)
    }
  }

  @Test(arguments: ["keys", "kids", "token", "serial", "twice", "more"])
  mutating func ofAnOlderEnrolmentIsReadStrictly(member: String) throws {
    var registration = try Registration.proven("ada", &ada)
    let later = try enrol(&ada, address: evesPlace)
    try registration.update(with: later)
    let (line, kid) = (registration.text, ada.device.records[0].id.text)
    #expect(try Registration(line: line) == registration)
    let proven = try #require(registration.proven?.enrolment.signedKeys)
    func object(_ keys: String, _ kids: String, _ token: String, _ more: String = "") -> String {
      #"{"keys":\#(keys),"kids":\#(kids),"token":\#(token)\#(more)}"#
    }
    let good = object(quoted(proven), "[\(quoted(kid))]", "true")
    #expect(line.contains(good))
    let (bad, error): (String, SignedSetError) =
      switch member {
      case "keys": (object(quoted("x"), "[\(quoted(kid))]", "true"), .malformedJWS)
      case "kids": (object(quoted(proven), #"["x"]"#, "true"), .malformedEnrolment)
      case "token": (object(quoted(proven), "[\(quoted(kid))]", "1"), .malformedEnrolment)
      case "serial":
        (
          object(quoted(try enrol(&ada).signedKeys), "[\(quoted(kid))]", "true"), .malformedEnrolment
        )
      case "twice": (object(quoted(proven), "[\(quoted(kid)),\(quoted(kid))]", "true"), .malformedEnrolment)
      default: (object(quoted(proven), "[\(quoted(kid))]", "true", #","v":1"#), .malformedEnrolment)
      }
    #expect(throws: error) { try Registration(line: line.replacing(good, with: bad)) }
  }

  @Test mutating func ofAnothersEnrolmentIsNotOnes() throws {
    var registration = try Registration.proven("ada", &ada)
    try registration.update(with: enrol(&ada, address: evesPlace))
    let other = try Registration.proven("eve", &eve).enrolment.signedKeys
    let proven = try #require(registration.proven?.enrolment.signedKeys)
    let line = registration.text.replacing(proven, with: other)
    #expect(throws: SignedSetError.otherIdentity) { try Registration(line: line) }
  }
}

/// A device answers only its own backend's requests about its own identity: FORMAT.md, [11.20].
@Suite("Proof requests")
struct ProofRequestTests {
  private var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private let proof = (try? Proof("AAAAAAAAAAAAAAAAAAAAAA"))!

  private func request(identity: Thumbprint? = nil) -> ProofRequest {
    ProofRequest(
      audience: Signed.audience, identity: identity ?? keys.identity.records[0].id, proof: proof)
  }

  @Test mutating func areAnsweredWithTheProof() throws {
    let answer = try keys.answer(
      request(), openedBy: keys.device.records[0].id, address: Signed.address, for: Signed.audience, at: start
    ).get()
    #expect(answer.proof == proof && answer.challenge == nil && answer.audience == Signed.audience)
    #expect(try Enrolment(answer.text) == answer)
    #expect(try keys.enrol(address: Signed.address, for: Signed.audience, at: start).proof == nil)
  }

  @Test mutating func ofAnotherBackendAreNotAnswered() throws {
    let before = keys.identity.records
    for name in ["https://push.example.net", "https://push.example.com/", "HTTPS://push.example.com"] {
      let answer = try keys.answer(
        request(), openedBy: keys.device.records[0].id, address: Signed.address, for: try Audience(name),
        at: start)
      #expect(answer == .failure(.otherAudience))
    }
    #expect(keys.identity.records == before)
  }

  @Test mutating func aboutAnotherIdentityAreNotAnswered() throws {
    let other = KeySet(generating: .identity, at: start).records[0].id
    let answer = try keys.answer(
      request(identity: other), openedBy: keys.device.records[0].id, address: Signed.address,
      for: Signed.audience, at: start)
    #expect(answer == .failure(.otherIdentity))
  }

  @Test mutating func ofAnOldKeyAreNotAnswered() throws {
    let old = keys.device.records[0].id
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    for key in [old, KeySet(generating: .device, at: start).records[0].id] {
      let answer = try keys.answer(
        request(), openedBy: key, address: Signed.address, for: Signed.audience, at: start)
      #expect(answer == .failure(.inactiveKey))
    }
  }

  @Test func areNotAnsweredWithoutKeys() throws {
    let answer = try InMemoryKeyStore().answer(
      request(), openedBy: keys.device.records[0].id, address: Signed.address, for: Signed.audience, at: start
    )
    #expect(answer == nil)
  }

  @Test func areReadAsTheyAreWritten() throws {
    let text = String(decoding: request().encoded(), as: UTF8.self)
    let identity = request().identity.text
    #expect(
      text
        == #"{"v":1,"audience":"https://push.example.com","identity":"\#(identity)","proof":"\#(proof.text)"}"#
    )
    #expect(try ProofRequest(parsing: request().encoded()) == request())
  }

  @Test(
    arguments: [
      ("v", nil), ("v", "2"), ("v", #""1""#), ("audience", nil), ("audience", #""""#), ("audience", "1"),
      ("identity", nil), ("identity", #""x""#), ("identity", "1"), ("proof", nil), ("proof", "1"),
      ("proof", #""AAAAAAAAAAAAAAAAAAAAA""#), ("proof", #""AAAAAAAAAAAAAAAAAAAAAB""#),
    ] as [(String, String?)]) func haveTheirMembersAndNoOthers(name: String, value: String?)
  {
    let text = String(decoding: request().encoded(), as: UTF8.self).setting(name, to: value)
    #expect(throws: ValueError.self) { try ProofRequest(parsing: Array(text.utf8)) }
  }

  @Test func areOneObject() {
    let more = String(decoding: request().encoded(), as: UTF8.self).dropLast() + #","aps":{}}"#
    for text in ["", "[]", "null", "{}", "x", String(more)] {
      #expect(throws: ValueError.self) { try ProofRequest(parsing: Array(text.utf8)) }
    }
  }

  @Test(arguments: ["", "\u{0}", "a\n", "\u{7f}", "\u{9f}", String(repeating: "x", count: 256)])
  func areFromNoBackendLike(name: String) { #expect(throws: ValueError.self) { try Audience(name) } }

  @Test(arguments: ["a", "é", "\u{a0}", String(repeating: "x", count: 255)])
  func mayBeFromABackendLike(name: String) { #expect((try? Audience(name))?.text == name) }

  @Test func haveProofsOf16RandomBytes() throws {
    let proofs = (0..<64).map { _ in Proof.random() }
    #expect(Set(proofs).count == 64 && proofs.allSatisfy { $0.text.utf8.count == 22 })
    #expect(
      (try? Proof(String(repeating: "A", count: 255))) != nil
        && (try? Proof(String(repeating: "A", count: 253))) == nil)
    #expect(
      (try? Proof(String(repeating: "A", count: 256))) == nil
        && (try? Proof(String(repeating: "A", count: 20))) == nil)
  }
}
