import PushCore
import PushStandIn

/// The results of the jobs.
struct Outcome: CustomStringConvertible {
  private let jobs: Int
  private let lost: Int
  private let dead: Int
  private let strangers: Int
  private let shownOnce: Int
  private let degraded: Int
  /// How often an already accepted push was accepted again.
  private let repeats: Int
  /// The number of pushes that can have been on their way when workers were killed, or after a trouble.
  private let inFlight: Int
  /// The repeats whose push was not on its way at any of these moments.
  private let others: Int
  /// The number of pushes that APNs may have left without an answer.
  private let unanswered: Int

  init(_ scene: StormScene, _ seen: Seen, _ course: Course) async throws {
    let (inFlight, kills, hadTroubles) = (course.inFlight, course.killed, course.hadTroubles)
    let accepted = scene.apns.accepted
    let extra = accepted.repeated.map { ($0, accepted[$0] - 1) }
    repeats = extra.reduce(0) { $0 + $1.1 }
    others = extra.reduce(0) { $0 + max(0, $1.1 - (inFlight.repeats[$1.0] ?? 0)) }
    // Workers keep the results that a store in trouble does not take.
    self.inFlight = hadTroubles ? inFlight.count : kills * StormScene.pushesAtATime
    unanswered = scene.unanswered
    jobs = scene.jobs
    lost = scene.expected.count { accepted[$0] == 0 }
    strangers = accepted.count - (jobs - lost)
    dead = try scene.ledger.dead()
    // The phones may still work on the last pushes.
    for _ in 0..<600 where seen.all < accepted.count + repeats {
      try await Task.sleep(for: .milliseconds(100))
    }
    shownOnce = seen.once(of: jobs)
    degraded = seen.degraded
  }

  /// Whether all promises are kept.
  var isGood: Bool {
    lost == 0 && dead == 0 && strangers == 0 && shownOnce == jobs && degraded == 0
      && repeats <= inFlight + unanswered
      && others <= unanswered
  }

  var description: String {
    """
    \(lost) lost, \(dead) dead, \(strangers) under other IDs; shown once with sound \(shownOnce), not opened \
    \(degraded); \(repeats) repeats, of at most \(inFlight) in flight; \(others) of pushes that were not, of at most \
    \(unanswered) unanswered
    """
  }
}
