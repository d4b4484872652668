internal import PushCore

/// Decides what APNs and the phone's system do with an accepted push, for one app on one phone.
///
/// Apple: "Sending notification requests to APNs", "Viewing the status of push notifications", "Pushing background
/// updates to your app". Where Apple is silent, such as on how many pushes wait for power, this type has its own rule.
struct StoreAndForward {
  /// The decision about one push.
  struct Decision {
    let push: AcceptedPush
    let fate: Decided
  }

  /// A push is delivered, waits, or is discarded.
  enum Decided: Equatable {
    case deliver
    case wait(WaitReason)
    case discard(DiscardReason)
  }

  /// The most pushes that wait for one app.
  static let maximumWaiting = 100

  /// Whether the phone is on and reachable.
  var isOn = true
  /// The state of the phone's battery.
  var power = PhonePower.battery
  /// The number of the next pushes that are delivered twice.
  var repeated = 0

  private var waiting: [AcceptedPush] = []
  /// When background pushes woke the app within the last hour.
  private var wakings: [UnixTime] = []
  private let wakingsInAnHour: Int

  init(backgroundPushesInAnHour: Int) { wakingsInAnHour = backgroundPushesInAnHour }

  /// Takes a push that APNs has accepted.
  mutating func take(_ push: AcceptedPush, at now: UnixTime) -> [Decision] {
    if let keptUntil = push.keptUntil, keptUntil <= now { return [discard(push, for: .expired)] }
    guard let reason = reasonToWait(for: push, at: now) else { return deliver(push, at: now) }
    guard push.keptUntil != nil else { return [discard(push, for: .nowOrNever)] }
    var decisions = waiting.compactMap { older in
      replacement(of: older, by: push).map { discard(older, for: $0) }
    }
    waiting = waiting.filter { replacement(of: $0, by: push) == nil } + [push]
    if waiting.count > Self.maximumWaiting { decisions.append(discard(waiting.removeFirst(), for: .tooMany)) }
    return decisions + [Decision(push: push, fate: .wait(reason))]
  }

  /// Decides again about the waiting pushes, after the clock, the phone's power or its connection has changed.
  mutating func lookAgain(at now: UnixTime) -> [Decision] {
    var decisions: [Decision] = []
    let before = waiting
    waiting = []
    for (index, push) in before.enumerated() {
      if let keptUntil = push.keptUntil, keptUntil <= now {
        decisions.append(discard(push, for: .expired))
      } else if !isOn, index < before.count - 1 {
        decisions.append(discard(push, for: .replacedWhileOff))
      } else if reasonToWait(for: push, at: now) != nil {
        waiting.append(push)
      } else {
        decisions += deliver(push, at: now)
      }
    }
    return decisions
  }

  /// Discards all waiting pushes, because the app was deleted or has another token.
  mutating func forget() -> [Decision] {
    defer { waiting = [] }
    return waiting.map { discard($0, for: .noLongerRegistered) }
  }

  /// Why a push cannot be delivered at once; nil if it can.
  private mutating func reasonToWait(for push: AcceptedPush, at now: UnixTime) -> WaitReason? {
    wakings.removeAll { $0.seconds <= now.seconds - 3600 }
    if !isOn { return .phoneIsOff }
    if push.priority == 1, power != .plugged { return .power }
    if push.priority == 5, power == .low { return .power }
    if push.kind == .background, wakings.count >= wakingsInAnHour { return .throttled }
    return nil
  }

  /// Why a new push replaces a waiting one; nil if both wait.
  private func replacement(of older: AcceptedPush, by newer: AcceptedPush) -> DiscardReason? {
    if !isOn { return .replacedWhileOff }
    if let collapseID = newer.collapseID, older.collapseID == collapseID { return .collapsed }
    if older.kind == .background, newer.kind == .background { return .newerBackgroundPush }
    return nil
  }

  private mutating func deliver(_ push: AcceptedPush, at now: UnixTime) -> [Decision] {
    if push.kind == .background { wakings.append(now) }
    let decision = Decision(push: push, fate: .deliver)
    guard repeated > 0 else { return [decision] }
    repeated -= 1
    return [decision, decision]
  }

  private func discard(_ push: AcceptedPush, for reason: DiscardReason) -> Decision {
    Decision(push: push, fate: .discard(reason))
  }
}

/// The state of a phone's battery.
public enum PhonePower: String, Hashable, Sendable, CaseIterable {
  /// The phone is charging: every push is delivered at once.
  case plugged
  /// The phone runs on its battery: pushes of priority 1 wait.
  case battery
  /// The phone saves power: pushes of priority 5 wait as well.
  case low
}

/// Why a push waits.
public enum WaitReason: String, Hashable, Sendable, CaseIterable {
  /// The phone is off, or has no connection.
  case phoneIsOff = "phone-is-off"
  /// Its priority saves the phone's power.
  case power
  /// The app was woken too often in the last hour.
  case throttled
}

/// Why a push was discarded.
public enum DiscardReason: String, Hashable, Sendable, CaseIterable {
  /// Its expiration has passed, or the 30 days for which APNs keeps a push.
  case expired
  /// It could not be delivered at once, and its expiration is 0.
  case nowOrNever = "now-or-never"
  /// The phone was off, and a later push arrived: APNs keeps only the app's last one.
  case replacedWhileOff = "replaced-while-off"
  /// A later push with the same collapse ID arrived while it waited.
  case collapsed
  /// A later background push arrived while it waited: the system keeps the newest.
  case newerBackgroundPush = "newer-background-push"
  /// 100 later pushes waited for the app.
  case tooMany = "too-many"
  /// The app was deleted or got another token while it waited.
  case noLongerRegistered = "no-longer-registered"
  /// It was accepted for a token that no phone has.
  case noPhone = "no-phone"
}
