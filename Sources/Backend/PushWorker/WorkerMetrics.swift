public import PushCore

/// What a worker has done since it started.
public struct WorkerMetrics: Hashable, Sendable {
  /// How often a job was leased.
  public internal(set) var leased = 0

  /// Jobs that are done.
  public internal(set) var acknowledged = 0

  /// Jobs whose persons had no device to send to.
  public internal(set) var withoutDevices = 0

  /// Jobs that are to be tried again.
  public internal(set) var retried = 0

  /// Jobs that went back untried: operators hold them back, their persons have had enough for a while, or the worker stopped.
  public internal(set) var waited = 0

  /// Jobs that went to the dead letters.
  public internal(set) var discarded = 0

  /// Pushes that APNs accepted.
  public internal(set) var accepted = 0

  /// Pushes that APNs refused for good, or that could not be sealed.
  public internal(set) var failed = 0

  /// Devices whose tokens APNs no longer accepts, and to which nothing is sent until they prove a token again.
  public internal(set) var removed = 0

  /// Addresses that went into quarantine.
  public internal(set) var quarantined = 0

  /// Routes that are stopped: apps in an environment.
  ///
  /// Each has accepted nothing since it was stopped, which is not long ago.
  public internal(set) var stoppedRoutes = 0

  /// Pauses of routes that operators have made.
  public internal(set) var pauses = 0

  /// Pushes that were held back because their routes are paused.
  public internal(set) var pausedPushes = 0

  /// Pushes that were held back because their topics' limits were reached.
  public internal(set) var limitedPushes = 0

  /// Pushes that were sealed, each attempt counted, by suite.
  public internal(set) var sealed: [Suite: Int] = [:]

  /// Enrolments that were stored, with nothing left to prove.
  public internal(set) var registered = 0

  /// Enrolments whose device must prove something.
  public internal(set) var pending = 0

  /// Enrolments that were refused.
  public internal(set) var refused = 0

  /// Enrolments that were refused because two phones have their identity.
  public internal(set) var suspended = 0

  /// Proof requests that APNs accepted.
  public internal(set) var asked = 0

  /// Proof requests that APNs refused for good, or that could not be sealed.
  public internal(set) var unasked = 0

  /// Calls of the store that failed.
  public internal(set) var storeFailures = 0

  /// Leased jobs that are not finished.
  public internal(set) var open = 0

  /// Counts a push that is held back.
  mutating func count(_ cause: HoldCause) {
    switch cause {
    case .pause: pausedPushes += 1
    case .rate: limitedPushes += 1
    }
  }

  /// Counts a job whose end is written.
  mutating func count(_ ending: JobEnding) {
    switch ending {
    case .acknowledge: acknowledged += 1
    case .retry: retried += 1
    case .wait: waited += 1
    case .discard: discarded += 1
    }
  }
}
