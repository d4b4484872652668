import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import Testing

struct ReplayTests {
  private let parties = Parties()

  private func repetition(_ receiver: Receiver, _ draft: Draft) throws -> Repetition {
    try receiver.open(parties.push(draft)).opened.repetition
  }

  /// The same message twice, by `rule`: what is shown the second time.
  private func second(_ rule: DuplicateRule) throws -> (Reception, IncomingPush) {
    let receiver = parties.receiver(duplicates: rule)
    let push = try parties.push()
    let first = receiver.reception(of: push)
    #expect(first.content.sound == .named("inner.caf"))
    let second = receiver.reception(of: push)
    guard case .opened(let opened) = second.outcome else {
      Issue.record("\(second.outcome)")
      return (second, push)
    }
    #expect(opened.isDuplicate)
    return (second, push)
  }

  @Test("a duplicate is shown again, quietly")
  func quietly() throws {
    let (reception, push) = try second(.quietly)
    var expected = parties.receiver().reception(of: push).content
    expected.sound = nil
    #expect(reception.content == expected)
    #expect(reception.content.body == "secret")
  }

  @Test("or as the placeholder")
  func placeholder() throws {
    let (reception, push) = try second(.placeholder)
    var expected = ShownContent.bestAttempt(push.text)
    expected.sound = nil
    #expect(reception.content == expected)
  }

  @Test("or not at all")
  func suppress() throws {
    #expect(try second(.suppress).0.content == ShownContent())
  }

  @Test("the same message sealed anew is a duplicate", arguments: [true, false])
  func sealedAnew(isSigned: Bool) throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    var draft = Draft(isSigned: isSigned)
    #expect(try repetition(receiver, draft) == .first)
    draft.issuedAt = Parties.now.advanced(by: .seconds(60))
    #expect(try repetition(receiver, draft) == .duplicate)
    #expect(try repetition(receiver, draft) == .duplicate)
    draft.messageID = .random()
    #expect(try repetition(receiver, draft) == .first)
  }

  @Test("another content under the same identity is replayed", arguments: [true, false])
  func conflict(isSigned: Bool) throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    let draft = Draft(isSigned: isSigned)
    #expect(try repetition(receiver, draft) == .first)
    var other = draft
    other.json = #"{"aps":{"alert":"another"}}"#
    let push = try parties.push(other)
    let reception = receiver.reception(of: push)
    #expect(reception.outcome == .degraded(.replayed))
    #expect(reception.content == .bestAttempt(push.text))
    #expect(try repetition(receiver, draft) == .duplicate, "the first one keeps its place")
  }

  @Test("two senders may use one identity")
  func twoSenders() throws {
    let other = KeySet(generating: .sender, at: Parties.now)
    let senders = KeyRing(senders: [try parties.backend.publicKeys, try other.publicKeys])
    let receiver = parties.receiver(senders: senders)
    var draft = Draft()
    #expect(try repetition(receiver, draft) == .first)
    draft.signer = other
    draft.json = #"{"aps":{"alert":"another"}}"#
    #expect(try repetition(receiver, draft) == .first)
  }

  @Test("an anonymous message cannot take a signed one's identity")
  func anonymousFirst() throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    var draft = Draft(json: #"{"aps":{"alert":"squatter"}}"#, isSigned: false)
    #expect(try repetition(receiver, draft) == .first)
    draft.isSigned = true
    draft.json = Draft.json
    #expect(try repetition(receiver, draft) == .first)
  }

  @Test("two of the device's keys have anonymous messages of their own")
  func twoKeys() throws {
    let other = Parties(.p256AESGCM)
    let receiver = parties.receiver(
      keys: KeyRing(devices: [parties.device, other.device]), accepts: AcceptedEnvelopes(anonymous: true))
    var draft = Draft(isSigned: false)
    #expect(try repetition(receiver, draft) == .first)
    draft.json = #"{"aps":{"alert":"another"}}"#
    #expect(try receiver.open(other.push(draft)).opened.repetition == .first)
  }

  @Test("what did not open is not remembered")
  func notRemembered() throws {
    let replay = RecordingReplayStore()
    let receiver = parties.receiver(replay: replay)
    let other = try parties.recipient.thumbprint
    let drafts = [
      Draft(json: "{}"), Draft(json: #"{"aps":{}}"#), Draft(isSigned: false),
      Draft(signer: Parties().backend),
      Draft(signedFor: MessageBinding(topic: try Topic("other"), suite: parties.suite, recipient: other)),
      Draft(issuedAt: Parties.now.advanced(by: .seconds(301))),
      Draft(issuedAt: Parties.now.advanced(by: .seconds(-301)), lifetime: .zero), Draft(type: .background),
    ]
    for draft in drafts { #expect(throws: DegradeReason.self) { try receiver.open(parties.push(draft)) } }
    #expect(replay.entries.isEmpty)
  }

  @Test("a store is told who sent what, and for how long", arguments: [true, false])
  func entry(isSigned: Bool) throws {
    let replay = RecordingReplayStore()
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true), replay: replay)
    let draft = Draft(lifetime: Lifetime(seconds: 60)!, isSigned: isSigned)
    _ = try repetition(receiver, draft)
    let entry = try #require(replay.entries.first)
    #expect(replay.entries.count == 1)
    #expect(entry.key.messageID == draft.messageID)
    #expect(entry.key.sender == (isSigned ? try parties.backend.signingKey().publicKey.thumbprint : nil))
    #expect(entry.key.recipient == (isSigned ? nil : try parties.recipient.thumbprint))
    let json = Array(Draft.json.utf8)
    let digest = SHA256.digest(json.span)
    #expect(entry.digest == digest)
    #expect(entry.expiresAt == Parties.now.advanced(by: .seconds(360)))
  }

  @Test("a store that does not work costs the check, not the message")
  func unavailable() throws {
    let receiver = parties.receiver(replay: UnavailableReplayStore())
    let push = try parties.push()
    for _ in 0..<2 {
      let reception = receiver.reception(of: push)
      #expect(reception.content.body == "secret")
      #expect(reception.content.sound == .named("inner.caf"))
      guard case .opened(let opened) = reception.outcome else {
        Issue.record("\(reception.outcome)")
        continue
      }
      #expect(opened.repetition == .notChecked)
      #expect(!opened.isDuplicate)
    }
  }
}
