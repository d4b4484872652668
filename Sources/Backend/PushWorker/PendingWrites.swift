internal import PushCore
internal import PushKeys
internal import PushStore

/// What is to be written together: how jobs end, and what APNs said about devices.
struct PendingWrites {
  private var jobs: [JobEnding] = []
  /// Jobs whose rows others held the last time.
  var held: [JobEnding] = []
  /// Devices whose tokens APNs no longer accepts, by their identities.
  private(set) var gone: [Thumbprint: StoredDevice] = [:]
  /// Tokens for other pushes that APNs no longer accepts: their devices stay as they are.
  private(set) var endedTokens: [DeviceAddress: PushType] = [:]
  /// Addresses that APNs refuses, and how long ago their routes had accepted a push; nil if they had not.
  private(set) var refused: [DeviceAddress: Duration?] = [:]
  private(set) var released: Set<DeviceAddress> = []

  /// The jobs that end.
  var all: [JobEnding] { jobs + held }

  /// The jobs that are to be written together; each job that was held is written by itself.
  var groups: [[JobEnding]] { (jobs.isEmpty ? [] : [jobs]) + held.map { [$0] } }

  /// How many jobs end.
  var count: Int { jobs.count + held.count }

  var isEmpty: Bool {
    count == 0 && gone.isEmpty && endedTokens.isEmpty && refused.isEmpty && released.isEmpty
  }

  /// Adds what becomes of a job.
  mutating func add(_ ending: JobEnding) { jobs.append(ending) }

  /// Adds what an outcome says about its device.
  mutating func note(_ outcome: PushOutcome) {
    switch outcome {
    case .gone(let device):
      if let pushType = device.ownPushType {
        endedTokens[device.address] = pushType
      } else {
        gone[device.identity] = device
      }
    case .refused(let refusal):
      refused[refusal.address] = .some(refusal.acceptedAgo)
      released.remove(refusal.address)
    case .accepted, .failed, .later, .held: break
    }
  }

  /// Takes a device out of quarantine, and forgets that APNs has refused it.
  mutating func release(_ address: DeviceAddress) {
    refused[address] = nil
    released.insert(address)
  }
}

extension JobEnding {
  /// The lease that ends.
  var lease: Lease {
    switch self {
    case .acknowledge(let lease, _): lease
    case .retry(let retry, _), .wait(let retry, _): retry.lease
    case .discard(let discard, _): discard.lease
    }
  }

  /// What is recorded before it ends; nil if there is nothing.
  var outcomes: JobOutcomes? {
    switch self {
    case .acknowledge(_, let outcomes), .retry(_, let outcomes), .wait(_, let outcomes),
      .discard(_, let outcomes):
      outcomes
    }
  }
}
