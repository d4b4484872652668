internal import PushEnvelope
internal import PushKeys
internal import PushStore

/// What has ended and is to be written together: jobs, and what APNs said of devices.
struct Endings {
  var acknowledged: [Claim] = []
  var retries: [JobRetry] = []
  var waits: [JobRetry] = []
  var discards: [JobDiscard] = []
  var gone: [(address: DeviceAddress, time: UnixTime?)] = []
  var quarantined: Set<DeviceAddress> = []
  var released: Set<DeviceAddress> = []

  /// The claims of the jobs that end.
  var claims: [Claim] { acknowledged + (retries + waits).map(\.claim) + discards.map(\.claim) }

  var isEmpty: Bool {
    count == 0 && gone.isEmpty && quarantined.isEmpty && released.isEmpty
  }

  /// How many jobs end.
  var count: Int { acknowledged.count + retries.count + waits.count + discards.count }

  /// Adds what becomes of a job.
  mutating func add(_ ending: JobEnding) {
    switch ending {
    case .acknowledge(let claim): acknowledged.append(claim)
    case .retry(let retry): retries.append(retry)
    case .wait(let wait): waits.append(wait)
    case .discard(let discard): discards.append(discard)
    }
  }

  /// Adds what an outcome says of its device.
  mutating func note(_ outcome: PushOutcome) {
    switch outcome {
    case .gone(let address, let time): gone.append((address, time))
    case .quarantined(let address):
      quarantined.insert(address)
      released.remove(address)
    case .accepted, .failed, .later: break
    }
  }

  /// Takes a device out of quarantine.
  mutating func release(_ address: DeviceAddress) {
    quarantined.remove(address)
    released.insert(address)
  }
}
