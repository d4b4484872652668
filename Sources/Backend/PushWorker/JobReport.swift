internal import PushDelivery
public import PushCore
internal import PushKeys
public import PushStore

/// How a worker's attempt of a job has ended.
///
/// It names no person, token, text or key: devices are the thumbprints of their identities.
public struct JobReport: Sendable {
  /// The job's number in its store.
  public let job: JobID

  /// The message's ID; nil if the row cannot be read.
  public let messageID: MessageID?

  /// Where the job belongs in the application's trace; nil if it says nothing of it.
  public let traceparent: TraceParent?

  /// What becomes of the job.
  public let ending: Ending

  /// What became of the push to each device, by the device's identity; devices that an earlier attempt reached are
  /// accepted.
  public let devices: [Thumbprint: DeviceOutcome]

  /// What becomes of a job.
  public enum Ending: Hashable, Sendable {
    /// It is done: each device has the message or cannot get it.
    case done
    /// It is tried again after a while.
    case retry(after: Duration, reason: String)
    /// It goes to the dead letters.
    case discarded(reason: String)
  }

  /// What became of a job's push to a device.
  public enum DeviceOutcome: Hashable, Sendable {
    /// APNs has it.
    case accepted
    /// The device's token is no longer valid; nothing is sent to it until the device proves a token again.
    case unregistered
    /// The push would fail at any other time as well.
    case failed(reason: String)
    /// The push may succeed later, or is tried again although APNs refused the token or its topic.
    case postponed(reason: String)
  }
}

extension JobReport {
  /// What to report of an attempt; nil of a job that goes back untried.
  init?(_ leased: LeasedJob, ending: JobEnding, devices: [Thumbprint: DeviceOutcome]) {
    switch ending {
    case .acknowledge: self.ending = .done
    case .retry(let retry, _): self.ending = .retry(after: retry.delay, reason: retry.reason)
    case .discard(let discard, _): self.ending = .discarded(reason: discard.reason)
    case .wait: return nil
    }
    job = leased.lease.job
    let read = try? leased.job.get()
    (messageID, traceparent) = (read?.messageID, read?.traceparent)
    self.devices = devices
  }
}
