import PushCore
import PushStandIn

/// The pushes that were on their way when workers were killed: accepted by APNs, but not yet recorded in the store.
struct InFlight {
  /// One attempt at a job.
  struct Attempt: Hashable {
    /// The message's ID at APNs.
    let id: MessageID
    let number: Int64
    /// 0, or the number of the trouble after which it was found: then the store may count the attempts anew.
    var trouble = 0
  }

  private let apns: APNsStandIn
  private var found: Set<Attempt> = []
  private var troubles = 0

  /// How often each message may be repeated because of that.
  private(set) var repeats: [MessageID: Int] = [:]

  /// The number of all these attempts.
  var count: Int { found.count }

  init(_ apns: APNsStandIn) { self.apns = apns }

  /// Notes the attempts that were leased when a worker was killed.
  mutating func note(_ claimed: [Attempt]) {
    let accepted = apns.accepted
    for attempt in claimed where accepted[attempt.id] > 0 && found.insert(attempt).inserted {
      repeats[attempt.id, default: 0] += 1
    }
  }

  /// Notes the attempts that were not done when a trouble was over.
  mutating func noteAfterTrouble(_ unfinished: [Attempt]) {
    troubles += 1
    note(unfinished.map { Attempt(id: $0.id, number: $0.number, trouble: troubles) })
  }
}
