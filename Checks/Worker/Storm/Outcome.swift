import PushCore
import PushStandIn

/// The results of the jobs.
struct Outcome: CustomStringConvertible {
  /// The jobs that were neither sent nor cancelled.
  private let lost: Int
  private let dead: Int
  private let strangers: Int
  private let alerts: Int
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
  /// The number of sent messages of each kind.
  private let kinds: [StormJob.Kind: Int]
  private let cancelled: CancelledMessages
  private let keys: Set<ShownKey>
  private let ownKeys: Set<ShownKey>

  init(_ scene: StormScene, _ seen: Seen, _ course: Course) async throws {
    let inFlight = course.inFlight
    let accepted = scene.apns.accepted
    let extra = accepted.repeated.map { ($0, accepted[$0] - 1) }
    repeats = extra.reduce(0) { $0 + $1.1 }
    others = extra.reduce(0) { $0 + max(0, $1.1 - (inFlight.repeats[$1.0] ?? 0)) }
    // Workers keep the results that a store in trouble does not take.
    self.inFlight =
      course.hadTroubles ? inFlight.count : min(inFlight.count, course.killed * StormScene.pushesAtATime)
    unanswered = scene.unanswered
    let sent = scene.jobs.filter { accepted[$0.id] > 0 }
    kinds = Dictionary(grouping: sent, by: \.kind).mapValues(\.count)
    cancelled = CancelledMessages(course.cancellations, accepted)
    lost = scene.jobs.count - sent.count - cancelled.unsent
    strangers = accepted.count - sent.count
    dead = try scene.ledger.dead()
    keys = scene.apns.model.shownKeys
    ownKeys = Set(scene.apps.map(\.shownKey))
    let alerts = sent.filter { $0.kind == .alert }
    self.alerts = alerts.count
    // The phones may still work on the last pushes.
    let pushes = alerts.reduce(0) { $0 + accepted[$1.id] }
    for _ in 0..<600 where seen.all < pushes {
      try await Task.sleep(for: .milliseconds(100))
    }
    shownOnce = seen.once(of: alerts.map(\.number))
    degraded = seen.degraded
  }

  /// Whether all promises are kept.
  var isGood: Bool {
    lost == 0 && dead == 0 && strangers == 0 && shownOnce == alerts && degraded == 0
      && repeats <= inFlight + unanswered
      && others <= unanswered
      && cancelled.isGood && keys == ownKeys
  }

  var description: String {
    """
    \(lost) lost, \(dead) dead, \(strangers) under other IDs; shown once with sound \(shownOnce) of \(alerts) alerts, \
    not opened \(degraded); \(repeats) repeats, of at most \(inFlight) in flight; \(others) of pushes that were not, of \
    at most \(unanswered) unanswered
    sent: \(StormJob.Kind.allCases.map { "\(kinds[$0] ?? 0) \($0)" }.joined(separator: ", "))
    \(cancelled)
    keys: \(keys.intersection(ownKeys).count) of \(ownKeys.count) shown for their apps, \
    \(keys.subtracting(ownKeys).count) for others
    """
  }
}
