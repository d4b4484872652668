import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import Testing

/// Every reason for which a message is not opened, one fault each.
struct DegradeReasonTests {
  /// A push and a receiver that give `reason`.
  private func situation(_ reason: DegradeReason, _ parties: Parties) throws -> (IncomingPush, Receiver) {
    switch reason {
    case .noEnvelope: (.outer(envelope: nil), parties.receiver())
    case .malformedEnvelope: (.carrying(try parties.envelope().text + "="), parties.receiver())
    case .unsupportedVersion: (.carrying(try changed(parties, at: 0, to: 2)), parties.receiver())
    case .unsupportedSuite: (.carrying(try changed(parties, at: 1, to: 0x04)), parties.receiver())
    case .suiteNotAccepted:
      (
        try parties.push(),
        parties.receiver(
          accepts: AcceptedEnvelopes(suites: Set(Suite.available).subtracting([parties.suite])))
      )
    case .anonymousNotAccepted: (try parties.push(Draft(isSigned: false)), parties.receiver())
    case .unknownKey: (try parties.push(), parties.receiver(keys: Parties(parties.suite).device))
    case .keyLocked: (try parties.push(), parties.receiver(keys: LockedKeyStore()))
    case .unknownSender: (try parties.push(), parties.receiver(senders: try Parties().backend.publicKeys))
    case .notAuthentic: (.carrying(try changed(parties, at: -1)), parties.receiver())
    case .badSignature:
      (try parties.push(Draft(signedFor: try Parties(parties.suite).binding())), parties.receiver())
    case .expired: (try parties.push(), parties.receiver(at: Parties.now.advanced(by: .seconds(2_592_301))))
    case .notYetValid: (try parties.push(), parties.receiver(at: Parties.now.advanced(by: .seconds(-301))))
    case .replayed: try replayed(parties)
    case .malformedContent: (try parties.push(Draft(json: "{}")), parties.receiver())
    case .deadline: (try parties.push(), parties.receiver())
    case .tooLarge: (.carrying(String(repeating: "A", count: 8193)), parties.receiver())
    case .otherAccount: try forOther(parties)
    case .otherFormat:
      (.other("x"), parties.receiver(accepts: .others(OtherFormat(error: .notAuthentic))))
    }
  }

  private func changed(_ parties: Parties, at index: Int, to value: UInt8? = nil) throws -> String {
    var bytes = try parties.envelope().encoded()
    let index = index < 0 ? bytes.count + index : index
    bytes[index] = value ?? bytes[index] ^ 1
    return base64URL(bytes)
  }

  /// A message for an account that has signed out.
  private func forOther(_ parties: Parties) throws -> (IncomingPush, Receiver) {
    let tag = try #require(AccountTag([UInt8](repeating: 1, count: AccountTag.size)))
    let member = #","sealed-push":{"v":1,"account":"\#(tag.text)"}}"#
    var receiver = parties.receiver()
    receiver.accounts = [] as Set<AccountTag>
    return (try parties.push(Draft(json: Draft.json.dropLast() + member)), receiver)
  }

  private func replayed(_ parties: Parties) throws -> (IncomingPush, Receiver) {
    let receiver = parties.receiver()
    let first = Draft()
    _ = try receiver.open(parties.push(first))
    var second = first
    second.json = #"{"aps":{"alert":"another"}}"#
    return (try parties.push(second), receiver)
  }

  @Test("each shows the best attempt and says why", arguments: DegradeReason.allCases, Suite.available)
  func reasons(reason: DegradeReason, suite: Suite) async throws {
    let (push, receiver) = try situation(reason, Parties(suite))
    var expected = ShownContent.bestAttempt(reason == .tooLarge ? nil : push.text)
    let reception: Reception
    if reason == .deadline {
      expected.subtitle = "(Encrypted)"
      expected.body = ""
      reception = await receiver.receive(push, deadline: .zero)
    } else {
      // Another system's envelope is none of this package's.
      let opening = reason == .otherFormat ? DegradeReason.noEnvelope : reason
      #expect(throws: opening) { try receiver.open(push) }
      reception = await receiver.receive(push)
    }
    #expect(reception.outcome == .degraded(reason))
    #expect(reception.content == expected)
  }

  @Test("the names are stable")
  func names() {
    #expect(
      DegradeReason.allCases.map(\.rawValue) == [
        "no-envelope", "malformed-envelope", "unsupported-version", "unsupported-suite", "suite-not-accepted",
        "anonymous-not-accepted", "unknown-key", "key-locked", "unknown-sender", "not-authentic",
        "bad-signature", "expired", "not-yet-valid", "replayed", "malformed-content", "deadline", "too-large",
        "other-format", "other-account",
      ])
  }

  @Test("what is right opens", arguments: Suite.available, [true, false])
  func right(suite: Suite, isSigned: Bool) async throws {
    let parties = Parties(suite)
    let draft = Draft(isSigned: isSigned)
    let push = try parties.push(draft)
    let reception = await parties.receiver(accepts: AcceptedEnvelopes(anonymous: true)).receive(push)
    guard case .opened(let opened) = reception.outcome else {
      Issue.record("\(reception.outcome)")
      return
    }
    #expect(opened.sender == (isSigned ? try parties.backend.signingKey().publicKey.thumbprint : nil))
    #expect(opened.recipient == (try parties.recipient.thumbprint))
    #expect(opened.claims.messageID == draft.messageID)
    #expect(opened.claims.issuedAt == Parties.now)
    #expect(opened.repetition == .first)
    #expect(!opened.isDuplicate)
    #expect(reception.content.body == "secret")
  }

  @Test(
    "what stands under the key and is no string",
    arguments: [.null, 1, true, [], ["AQ"], [:], ["data": "AQ"]] as [JSONValue])
  func notText(value: JSONValue) throws {
    let push = IncomingPush.outer(envelope: value)
    let reception = Parties().receiver().reception(of: push)
    #expect(reception.outcome == .degraded(.malformedEnvelope))
    #expect(reception.content == .bestAttempt(nil))
  }

  @Test(
    "accidents on the way",
    arguments: ["", " ", "%2B", "AQ==", "A Q", "A\nQ", "A+Q", "A/Q", "A\0", "é", "A", "AR"])
  func accidents(text: String) throws {
    let reception = Parties().receiver().reception(of: .carrying(text))
    #expect(reception.outcome == .degraded(.malformedEnvelope))
    #expect(reception.content == .bestAttempt(text))
  }

  @Test("8192 bytes are looked at, and kept for the app; more are not")
  func longTexts() throws {
    let text = String(repeating: "A", count: 8192)
    let reception = Parties().receiver().reception(of: .carrying(text))
    #expect(reception.outcome == .degraded(.unsupportedVersion))
    #expect(reception.content == .bestAttempt(text))
    // 8194 bytes in 4097 characters
    let wide = Parties().receiver().reception(of: .carrying(String(repeating: "é", count: 4097)))
    #expect(wide.outcome == .degraded(.tooLarge))
    #expect(wide.content == .bestAttempt(nil))
  }

  @Test("a locked store of senders' keys is locked, not missing")
  func lockedSenders() throws {
    let parties = Parties()
    #expect(throws: DegradeReason.keyLocked) {
      try parties.receiver(senders: LockedSenders()).open(parties.push())
    }
  }

  @Test("the steps are taken in the format's order")
  func order() throws {
    let parties = Parties()
    let late = Parties.now.advanced(by: .seconds(9_999_999))
    // A stranger's message that has expired too; an anonymous one; one of no content.
    let stranger = try parties.push(Draft(signer: Parties().backend))
    #expect(throws: DegradeReason.unknownSender) { try parties.receiver(at: late).open(stranger) }
    let anonymous = try parties.push(Draft(isSigned: false))
    #expect(throws: DegradeReason.anonymousNotAccepted) { try parties.receiver(at: late).open(anonymous) }
    let empty = try parties.push(Draft(json: ""))
    #expect(throws: DegradeReason.expired) { try parties.receiver(at: late).open(empty) }
    let none = parties.receiver(keys: LockedKeyStore(), accepts: AcceptedEnvelopes(suites: []))
    #expect(throws: DegradeReason.suiteNotAccepted) { try none.open(parties.push()) }
  }
}
