import PushCore
import PushReceiver
import PushTesting
import Testing

struct InMemoryReplayStoreTests {
  private let parties = Parties()
  private let clock = ManualClock(Parties.now)

  private func receiver(capacity: Int) -> Receiver {
    parties.receiver(replay: InMemoryReplayStore(capacity: capacity), clock: clock)
  }

  private func open(_ receiver: Receiver, _ draft: Draft) throws -> Repetition {
    try receiver.open(parties.push(draft)).opened.repetition
  }

  @Test("when it is full, what was recorded first goes")
  func oldestOut() throws {
    let receiver = receiver(capacity: 2)
    let drafts = (0..<3).map { _ in Draft() }
    for draft in drafts { #expect(try open(receiver, draft) == .first) }
    #expect(try open(receiver, drafts[1]) == .duplicate)
    #expect(try open(receiver, drafts[2]) == .duplicate)
    // It was issued no later than what went, so it may have been opened before.
    #expect(try open(receiver, drafts[0]) == .notChecked)
  }

  @Test("what has expired goes before that")
  func expiredOut() throws {
    let receiver = receiver(capacity: 2)
    let (long, short) = (Draft(), Draft(lifetime: .zero))
    _ = try (open(receiver, long), open(receiver, short))
    clock.advance(by: .seconds(301))
    let third = Draft(issuedAt: clock.now)
    #expect(try open(receiver, third) == .first)
    #expect(try open(receiver, long) == .duplicate)
    #expect(try open(receiver, third) == .duplicate)
  }

  @Test("what can still be opened is still known")
  func lastSecond() throws {
    let receiver = receiver(capacity: 2)
    let draft = Draft(lifetime: .zero)
    #expect(try open(receiver, draft) == .first)
    clock.advance(by: .seconds(300))
    #expect(try open(receiver, draft) == .duplicate)
  }

  @Test("after its end an identity is free again")
  func freeAgain() throws {
    let receiver = receiver(capacity: 2)
    let draft = Draft(lifetime: .zero)
    #expect(try open(receiver, draft) == .first)
    clock.advance(by: .seconds(301))
    let again = Draft(json: #"{"aps":{"alert":"b"}}"#, messageID: draft.messageID, issuedAt: clock.now)
    #expect(try open(receiver, again) == .first)
    #expect(try open(receiver, again) == .duplicate)
  }

  @Test("a message is known until the last attempt to send it has expired")
  func laterAttempt() throws {
    let receiver = receiver(capacity: 2)
    let first = Draft(lifetime: .zero)
    let later = Draft(
      messageID: first.messageID, issuedAt: Parties.now.advanced(by: .seconds(200)), lifetime: .zero)
    #expect(try open(receiver, first) == .first)
    #expect(try open(receiver, later) == .duplicate)
    clock.advance(by: .seconds(301))
    #expect(try open(receiver, later) == .duplicate)
    clock.advance(by: .seconds(200))
    #expect(throws: DegradeReason.expired) { try open(receiver, later) }
  }

  @Test("an earlier attempt that comes late does not shorten that")
  func earlierAttemptLate() throws {
    let receiver = receiver(capacity: 2)
    let first = Draft(lifetime: .zero)
    let later = Draft(
      messageID: first.messageID, issuedAt: Parties.now.advanced(by: .seconds(200)), lifetime: .zero)
    #expect(try open(receiver, later) == .first)
    #expect(try open(receiver, first) == .duplicate)
    clock.advance(by: .seconds(500))
    #expect(try open(receiver, later) == .duplicate)
  }

  @Test("a capacity below 1 is 1", arguments: [0, -1, .min])
  func smallest(capacity: Int) throws {
    let receiver = receiver(capacity: capacity)
    let (left, right) = (Draft(), Draft())
    #expect(try open(receiver, left) == .first)
    #expect(try open(receiver, left) == .duplicate)
    #expect(try open(receiver, right) == .first)
    #expect(try open(receiver, left) == .notChecked)
  }

  @Test("a shared store tells exactly one of many that the message is new")
  func race() async throws {
    let receiver = receiver(capacity: 64)
    let push = try parties.push()
    let firsts = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 { group.addTask { (try? receiver.open(push).opened.repetition) == .first } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(firsts == 1)
  }
}
