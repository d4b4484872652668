import PushEnvelope
import PushPayload
import PushReceiver
import Testing

/// Data that the app opens itself, and notifications, are not each other.
struct DataTests {
  private let parties = Parties()

  private func field(_ draft: Draft) throws -> EnvelopeField { try parties.push(draft).envelope }

  @Test("data is opened by the explicit call alone", arguments: [true, false])
  func data(isSigned: Bool) throws {
    let receiver = parties.receiver(accepts: Acceptance(anonymous: true))
    let draft = Draft(json: #"{"aps":{},"call":7}"#, type: .data, isSigned: isSigned)
    let message = try receiver.openData(field(draft))
    #expect(message.payload["call"] == 7)
    #expect(message.opened.claims.messageID == draft.messageID)
    #expect(message.opened.repetition == .notChecked)
    #expect((message.opened.sender != nil) == isSigned)
    let push = try parties.push(draft)
    let reception = receiver.reception(of: push)
    #expect(reception.outcome == .degraded(.malformedContent))
    #expect(reception.content == .bestAttempt(push.text))
  }

  @Test("data with a text is not shown either")
  func dataWithText() throws {
    let push = try parties.push(Draft(type: .data))
    #expect(parties.receiver().reception(of: push).content == .bestAttempt(push.text))
  }

  @Test("a notification is not opened as data")
  func notification() throws {
    #expect(throws: DegradeReason.malformedContent) { try parties.receiver().openData(field(Draft())) }
  }

  @Test("data needs all the rest that a notification needs")
  func rules() throws {
    let receiver = parties.receiver()
    #expect(throws: DegradeReason.noEnvelope) { try receiver.openData(.absent) }
    #expect(throws: DegradeReason.malformedEnvelope) { try receiver.openData(.notText) }
    #expect(throws: DegradeReason.anonymousNotAccepted) {
      try receiver.openData(field(Draft(type: .data, isSigned: false)))
    }
    #expect(throws: DegradeReason.expired) {
      try receiver.openData(
        field(Draft(type: .data, issuedAt: Parties.now.advanced(by: -301), lifetime: .zero)))
    }
    #expect(throws: DegradeReason.malformedContent) {
      try receiver.openData(field(Draft(json: "[]", type: .data)))
    }
    #expect(throws: DegradeReason.unknownKey) { try Parties().receiver().openData(field(Draft(type: .data))) }
  }
}
