import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import Testing

/// A request to prove a key is opened by its own function alone: FORMAT.md, [11.19].
struct ProofRequestTests {
  private let parties = Parties()
  private let content =
    #"{"v":1,"audience":"https://push.example.com","identity":"4JHXDbQKchI4NhsqNNUhH-dBS_B8ATse1_qrwM_VZr0","#
    + #""proof":"AAAAAAAAAAAAAAAAAAAAAA"}"#

  private func field(_ draft: Draft) throws -> EnvelopeField { try parties.push(draft).envelope }

  @Test("a signed request is opened, once as the first") func opened() throws {
    let receiver = parties.receiver()
    let field = try field(Draft(json: content, type: .proofRequest))
    let opened = try receiver.openProofRequest(field)
    #expect(try opened.request == ProofRequest(parsing: Array(content.utf8)))
    #expect(opened.opened.type == .proofRequest && opened.opened.sender != nil)
    #expect(opened.opened.repetition == .first)
    #expect(try receiver.openProofRequest(field).opened.isDuplicate)
  }

  @Test("an anonymous one is not, whatever the receiver accepts", arguments: [true, false])
  func anonymous(isAccepted: Bool) throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: isAccepted))
    let field = try field(Draft(json: content, type: .proofRequest, isSigned: false))
    #expect(throws: DegradeReason.anonymousNotAccepted) { try receiver.openProofRequest(field) }
  }

  @Test("no other type is one", arguments: ContentType.allCases.filter { $0 != .proofRequest })
  func otherType(type: ContentType) throws {
    let field = try field(Draft(json: content, type: type))
    #expect(throws: DegradeReason.malformedContent) { try parties.receiver().openProofRequest(field) }
  }

  @Test("it is no data and no notification") func noData() throws {
    let draft = Draft(json: content, type: .proofRequest)
    for type in ContentType.allCases {
      #expect(throws: DegradeReason.malformedContent) {
        try parties.receiver().openData(field(draft), as: type)
      }
    }
    #expect(throws: DegradeReason.malformedContent) { try parties.receiver().open(parties.push(draft)) }
  }

  @Test("what is no request is not remembered", arguments: ["", "{}", #"{"aps":{}}"#])
  func malformed(json: String) throws {
    let replay = RecordingReplayStore()
    let field = try field(Draft(json: json, type: .proofRequest))
    #expect(throws: DegradeReason.malformedContent) {
      try parties.receiver(replay: replay).openProofRequest(field)
    }
    #expect(replay.entries.isEmpty)
  }
}
