import PushCore
import PushReceiver
import PushTesting
import Testing

struct ReceiverTimeTests {
  private let parties = Parties()

  @Test(
    "a message opens in its time, to the second",
    arguments: [
      (0, -300, nil), (0, -301, .notYetValid), (0, 0, nil), (0, 300, nil), (0, 301, .expired),
      (60, 360, nil), (60, 361, .expired), (2_592_000, 2_592_300, nil), (2_592_000, 2_592_301, .expired),
    ] as [(Int64, Int64, DegradeReason?)])
  func bounds(lifetime: Int64, offset: Int64, reason: DegradeReason?) throws {
    let push = try parties.push(Draft(lifetime: Lifetime(seconds: lifetime)!))
    let reception = parties.receiver(at: Parties.now.advanced(by: .seconds(offset))).reception(of: push)
    if let reason {
      #expect(reception.outcome == .degraded(reason))
      #expect(reception.content == .bestAttempt(push.text))
    } else {
      #expect(reception.content.body == "secret")
    }
  }

  private static let last: Int64 = 1 << 53 - 1

  @Test(
    "any clock will do",
    arguments: [0, 1, 1 << 31 - 1, 1 << 31, 1 << 32, 4_102_444_800, last - 1, last] as [Int64])
  func clocks(seconds: Int64) throws {
    let now = UnixTime(seconds: seconds)!
    let receiver = parties.receiver(at: now)
    let fresh = receiver.reception(of: try parties.push(Draft(issuedAt: now)))
    #expect(fresh.content.body == "secret")
    let reason: DegradeReason = now < Parties.now ? .notYetValid : .expired
    #expect(receiver.reception(of: try parties.push()).outcome == .degraded(reason))
  }

  @Test("a message from the last moment is not yet valid now")
  func lastMoment() throws {
    let push = try parties.push(Draft(issuedAt: UnixTime(seconds: Self.last)!))
    #expect(throws: DegradeReason.notYetValid) { try parties.receiver().open(push) }
  }

  @Test("a clock that says nonsense is brought into range", arguments: [Int64.min, -1])
  func nonsense(seconds: Int64) throws {
    let receiver = parties.receiver(at: UnixTime(clamping: seconds))
    #expect(throws: DegradeReason.notYetValid) { try receiver.open(parties.push()) }
  }

  @Test("a clock that jumps back and forth spoils nothing")
  func jumps() throws {
    let replay = InMemoryReplayStore()
    let push = try parties.push(Draft(lifetime: .zero))
    let open = { (offset: Int64) in
      try parties.receiver(replay: replay, at: Parties.now.advanced(by: .seconds(offset))).open(push)
    }
    #expect(try open(0).opened.repetition == .first)
    #expect(throws: DegradeReason.expired) { try open(1_000_000) }
    #expect(throws: DegradeReason.notYetValid) { try open(-1_000_000) }
    #expect(try open(0).opened.repetition == .duplicate)
  }
}
