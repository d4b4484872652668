public import PushCore
public import PushKeys

/// A registered device as a ``FleetReport`` counts it.
public struct FleetDevice: Hashable, Sendable {
  /// The registration's name.
  public let name: String

  /// The app.
  public let topic: Topic

  /// The APNs environment of its token.
  public let environment: APNsEnvironment

  /// The suites of its proven keys.
  public let suites: Set<Suite>

  /// When its backend accepted its newest enrolment.
  public let enrolledAt: UnixTime

  /// What it said of itself in that enrolment; nil if it said nothing.
  public let report: DeviceReport?

  /// Makes a device from its parts.
  public init(
    name: String, topic: Topic, environment: APNsEnvironment, suites: Set<Suite>, enrolledAt: UnixTime,
    report: DeviceReport?
  ) {
    self.name = name
    self.topic = topic
    self.environment = environment
    self.suites = suites
    self.enrolledAt = enrolledAt
    self.report = report
  }

  /// The device of a registration whose newest enrolment was accepted at `time`; nil if nothing is proven, so that nothing
  /// is sent to it, and for a device of FCM.
  public init?(_ registration: Registration, enrolledAt time: UnixTime) {
    guard let proven = registration.proven, let address = proven.enrolment.address.apns else { return nil }
    self.init(
      name: registration.name, topic: address.topic, environment: address.environment,
      suites: Set(proven.keys.records.compactMap(\.algorithm.suite)), enrolledAt: time,
      report: registration.enrolment.report)
  }
}

/// Keeps names out of logs.
extension FleetDevice: CustomStringConvertible, CustomReflectable {
  /// The app and the environment.
  public var description: String { "device of \(topic), \(environment.rawValue)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Counts an app's devices: how many have the key that signs and the one that signs after the next rotation, by which
/// suites messages are sealed to them, and how many could not open what was sent.
///
/// It counts devices, never messages, and holds no device: its memory does not grow with the fleet.
public struct FleetReport: Sendable {
  /// After which time without an enrolment a device counts as silent: 45 days.
  ///
  /// It may be switched off, or the app may be gone; it does not hold up a rotation.
  public static let silence: Duration = .seconds(45 * 86_400)

  /// Which set of senders' keys a device has.
  public enum SetState: String, Sendable, CaseIterable {
    /// The newest set.
    case current
    /// An older one.
    case behind
    /// It does not say, or it names a set that is newer than the newest known, or has the same serial and another text.
    case unknown
  }

  /// The app; nil if it is not known, so that devices of every app are counted.
  public let topic: Topic?

  /// The devices that enrolled within ``silence``, in the production environment.
  public private(set) var devices = 0

  /// The devices that did not.
  public private(set) var silent = 0

  /// The devices in the sandbox, which are counted nowhere else.
  public private(set) var sandbox = 0

  /// Among ``devices``, those that have the sender's active key.
  public private(set) var withActiveKey = 0

  /// Among ``devices``, those that have the sender's next key.
  public private(set) var withNextKey = 0

  /// Among ``devices``, those that said how many pushes they opened and how many not.
  public private(set) var counting = 0

  /// Among ``devices``, those that ever opened a push.
  public private(set) var opening = 0

  /// Among ``devices``, those that did not open a push for any reason.
  public private(set) var degrading = 0

  /// Among ``devices``, those that did not open a push for a reason.
  public private(set) var degraded: [String: Int] = [:]

  private var states: [SetState: Int] = [:]
  private var suites: [Suite: Int] = [:]
  private let known: [SenderSetVersion: Held]
  private let newest: SenderSetVersion?
  private let now: UnixTime

  /// What a set gives to a device that has it.
  private struct Held {
    var active = false
    var next = false
  }

  /// Starts counting at `now`.
  ///
  /// `sets` are the signed sets of senders' keys that the app's devices can have; the one with the greatest serial is the
  /// newest. A device with a set that is not among them lacks the keys, as far as anybody knows. `sender` is the sender's
  /// own set. Without them, no device has a key or a known set.
  public init(sets: [SenderKeySet] = [], sender: KeySet? = nil, topic: Topic? = nil, at now: UnixTime = .now)
  {
    let newest = sets.max { $0.serial < $1.serial }
    self.topic = topic ?? newest?.topic
    self.newest = newest?.version
    self.now = now
    let keys = sender?.role == .sender ? sender?.records ?? [] : []
    func has(_ status: KeyStatus, _ set: SenderKeySet) -> Bool {
      // After a set's end, its keys are trusted for nothing new.
      now <= set.expiresAt
        && keys.contains { key in
          key.life.status == status
            && set.keys.record(of: key.id).map { !$0.life.hasExpired(at: now) } == true
        }
    }
    var known: [SenderSetVersion: Held] = [:]
    for set in sets { known[set.version] = Held(active: has(.active, set), next: has(.next, set)) }
    self.known = known
  }

  /// Where a device stands towards the next rotation.
  public enum Standing: Sendable {
    /// It has the sender's next key.
    case ready
    /// It lacks the key, or does not say what it has.
    case missing
    /// It has not enrolled for long.
    case silent
    /// It is in the sandbox, or another app's.
    case ignored
  }

  /// Counts a device, and returns where it stands.
  @discardableResult
  public mutating func add(_ device: FleetDevice) -> Standing {
    guard topic.map({ $0 == device.topic }) ?? true else { return .ignored }
    guard device.environment == .production else {
      sandbox += 1
      return .ignored
    }
    // A time in the future counts as now: clocks go back.
    guard min(device.enrolledAt, now).advanced(by: Self.silence) >= now else {
      silent += 1
      return .silent
    }
    devices += 1
    for suite in device.suites { suites[suite, default: 0] += 1 }
    if let counts = device.report?.counts { add(counts) }
    let version = device.report?.senders
    states[state(of: version), default: 0] += 1
    let held = version.flatMap { known[$0] } ?? Held()
    if held.active { withActiveKey += 1 }
    if held.next { withNextKey += 1 }
    return held.next ? .ready : .missing
  }

  private mutating func add(_ counts: ReceptionCounts) {
    counting += 1
    if counts.opened > 0 { opening += 1 }
    if !counts.degraded.isEmpty { degrading += 1 }
    for reason in counts.degraded.keys { degraded[reason, default: 0] += 1 }
  }

  private func state(of version: SenderSetVersion?) -> SetState {
    guard let version, let newest else { return .unknown }
    if version == newest { return .current }
    return version.serial < newest.serial ? .behind : .unknown
  }

  /// How many of ``devices`` have a set in a state.
  public subscript(state: SetState) -> Int { states[state] ?? 0 }

  /// How many of ``devices`` have proven keys for a suite; a device may have several.
  public subscript(suite: Suite) -> Int { suites[suite] ?? 0 }

  /// Among ``devices``, those that lack the sender's next key, or do not say what they have.
  public var withoutNextKey: Int { devices - withNextKey }

  /// Whether the sender's key may be rotated without leaving phones behind.
  ///
  /// 99 % of ``devices`` must have the next key. In a fleet of fewer than 200, two may lack it, as long as more have it: one
  /// phone that is being repaired must not hold up everybody, and a pilot with two phones must not lose both.
  public var isReadyForRotation: Bool {
    let missing = withoutNextKey
    return missing * 100 <= devices || devices < 200 && missing <= 2 && missing < withNextKey
  }
}
