import PushStore
import StoreSupport
import TestSupport
import Testing

@testable import PushWorker

/// How many messages a person may get.
@Suite(.hangGuard) struct PersonLimiterTests {
  @Test("what is given back makes room in the time for which it was counted, and in no later one")
  func givenBack() throws {
    let limiter = PersonLimiter(limit: PersonLimit(1, within: .seconds(60)))
    let ada = PersonName(of: try Job(.lunch, to: "ada"))
    let first = limiter.turn(of: ada, at: .zero)
    #expect(first == .now(countedUntil: .seconds(60)))
    #expect(limiter.turn(of: ada, at: .seconds(20)) == .later(.seconds(40)))
    limiter.giveBack(ada, countedUntil: .seconds(60))
    #expect(limiter.turn(of: ada, at: .seconds(20)) == .now(countedUntil: .seconds(60)))
    #expect(limiter.turn(of: ada, at: .seconds(70)) == .now(countedUntil: .seconds(130)))
    limiter.giveBack(ada, countedUntil: .seconds(60))
    #expect(limiter.turn(of: ada, at: .seconds(70)) == .later(.seconds(60)))
  }
}
