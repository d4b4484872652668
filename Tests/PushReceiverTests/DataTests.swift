import PushCore
import PushReceiver
import Testing

/// Data that the app opens itself, of one type or another, and notifications are not each other.
struct DataTests {
  private static let dataTypes = ContentType.allCases.filter {
    ![.notification, .proofRequest].contains($0)
  }

  private let parties = Parties()

  private func field(_ draft: Draft) throws -> EnvelopeField { try parties.push(draft).envelope }

  @Test("data is opened by the explicit call alone", arguments: dataTypes, [true, false])
  func data(type: ContentType, isSigned: Bool) throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    let draft = Draft(json: #"{"aps":{},"call":7}"#, type: type, isSigned: isSigned)
    let message = try receiver.openData(field(draft), as: type)
    #expect(message.payload["call"] == 7)
    #expect(message.opened.type == type)
    #expect(message.opened.claims.messageID == draft.messageID)
    #expect((message.opened.sender != nil) == isSigned)
    let push = try parties.push(draft)
    let reception = receiver.reception(of: push)
    #expect(reception.outcome == .degraded(.malformedContent))
    #expect(reception.content == .bestAttempt(push.text))
  }

  /// A Live Activity's state is no call, and no command.
  @Test("no type is opened in place of another", arguments: ContentType.allCases, ContentType.allCases)
  func otherType(sealed: ContentType, expected: ContentType) throws {
    let field = try field(Draft(type: sealed))
    guard sealed == expected, Self.dataTypes.contains(sealed) else {
      #expect(throws: DegradeReason.malformedContent) { try parties.receiver().openData(field, as: expected) }
      return
    }
    #expect(throws: Never.self) { try parties.receiver().openData(field, as: expected) }
  }

  @Test(
    "a command is the first once, whenever it comes",
    arguments: dataTypes.filter { $0 != .liveActivity }, [0, 1, 29] as [Int64])
  func once(type: ContentType, days: Int64) throws {
    let replay = InMemoryReplayStore()
    let field = try field(Draft(type: type))
    #expect(try parties.receiver(replay: replay).openData(field, as: type).opened.repetition == .first)
    let later = parties.receiver(replay: replay, at: Parties.now.advanced(by: .seconds(days * 86_400)))
    #expect(try later.openData(field, as: type).opened.repetition == .duplicate)
  }

  @Test("another command under the id of one that was opened is refused")
  func replayed() throws {
    let receiver = parties.receiver()
    var draft = Draft(json: #"{"aps":{},"call":7}"#, type: .voip)
    _ = try receiver.openData(field(draft), as: .voip)
    draft.json = #"{"aps":{},"call":8}"#
    #expect(throws: DegradeReason.replayed) { try receiver.openData(field(draft), as: .voip) }
  }

  @Test("messages of two types may have one id")
  func sameID() throws {
    let receiver = parties.receiver()
    var draft = Draft(json: #"{"aps":{},"call":7}"#, type: .voip)
    #expect(try receiver.openData(field(draft), as: .voip).opened.repetition == .first)
    draft.type = .background
    #expect(try receiver.openData(field(draft), as: .background).opened.repetition == .first)
  }

  @Test("a Live Activity's state opens again and again, and is not remembered")
  func liveActivity() throws {
    let replay = RecordingReplayStore()
    let receiver = parties.receiver(replay: replay)
    let field = try field(Draft(type: .liveActivity))
    for _ in 0..<2 {
      #expect(try receiver.openData(field, as: .liveActivity).opened.repetition == .notChecked)
    }
    #expect(replay.entries.isEmpty)
  }

  @Test("a store that does not work costs the check, not the data")
  func unavailable() throws {
    let receiver = parties.receiver(replay: UnavailableReplayStore())
    let message = try receiver.openData(field(Draft(type: .voip)), as: .voip)
    #expect(message.opened.repetition == .notChecked)
  }

  @Test("data with a text is not shown either")
  func dataWithText() throws {
    let push = try parties.push(Draft(type: .background))
    #expect(parties.receiver().reception(of: push).content == .bestAttempt(push.text))
  }

  @Test("data needs all the rest that a notification needs")
  func rules() throws {
    let receiver = parties.receiver()
    func open(_ field: EnvelopeField) throws { _ = try receiver.openData(field, as: .background) }
    #expect(throws: DegradeReason.noEnvelope) { try open(.absent) }
    #expect(throws: DegradeReason.malformedEnvelope) { try open(.notText) }
    #expect(throws: DegradeReason.anonymousNotAccepted) {
      try open(field(Draft(type: .background, isSigned: false)))
    }
    #expect(throws: DegradeReason.expired) {
      try open(
        field(Draft(type: .background, issuedAt: Parties.now.advanced(by: .seconds(-301)), lifetime: .zero)))
    }
    #expect(throws: DegradeReason.malformedContent) { try open(field(Draft(json: "[]", type: .background))) }
    #expect(throws: DegradeReason.unknownKey) {
      try Parties().receiver().openData(field(Draft(type: .background)), as: .background)
    }
  }
}
