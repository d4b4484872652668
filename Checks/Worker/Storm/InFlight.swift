import PushCore
import PushStandIn

/// What was on its way when workers were killed: accepted by APNs, and not yet written down in the store.
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

  /// How often each message may come again for that.
  private(set) var repeats: [MessageID: Int] = [:]

  /// How many attempts it was in all.
  var count: Int { found.count }

  init(_ apns: APNsStandIn) { self.apns = apns }

  /// Takes note of what was claimed when a worker was killed.
  mutating func note(_ claimed: [Attempt]) {
    let accepted = apns.accepted
    for attempt in claimed where accepted[attempt.id] > 0 && found.insert(attempt).inserted {
      repeats[attempt.id, default: 0] += 1
    }
  }

  /// Takes note of what was not done when a trouble was over.
  mutating func noteAfterTrouble(_ unfinished: [Attempt]) {
    troubles += 1
    note(unfinished.map { Attempt(id: $0.id, number: $0.number, trouble: troubles) })
  }
}
