internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushSealer
internal import PushStore

/// A sealed push with the job and the device that it is for: a class, because it is handed on from one to the next.
final class JobPush: Deliverable {
  let addressedPush: AddressedPush
  private let message: Preparation.Message

  /// The job's lease.
  var lease: Lease { message.lease }

  /// The device that it is for.
  var device: StoredDevice { message.device }

  /// The uptime from which it is no longer sent.
  var end: Duration { message.end }

  /// Its type.
  var pushType: PushType { addressedPush.push.headers.pushType }

  /// The uptime before which it must begin, because it is a share of its topic's limit; nil if there is no limit.
  var turnEnd: Duration? { message.turnEnd }

  /// How it is sealed.
  var suite: Suite { message.suite }

  init(_ push: SealedNotification, sealedFrom message: Preparation.Message) {
    addressedPush = AddressedPush(push, to: message.device.address, isProven: message.device.hasToken)
    self.message = message
  }
}

/// The messages of leased jobs, which are sealed together.
struct Preparation {
  /// A message that cannot be sealed.
  struct Failure {
    let lease: Lease
    let device: Thumbprint
    let outcome: PushOutcome
  }

  /// What one sealer seals.
  fileprivate struct Group: Hashable {
    let pushType: PushType
    let topic: Topic
    /// The keys of the first attempt.
    let senders: FirstSenders
  }

  /// A message to a device: a class, because it is handed on from one to the next.
  final class Message: Sendable {
    fileprivate let group: Group
    let lease: Lease
    let device: StoredDevice
    /// The uptime from which it is no longer sent.
    let end: Duration
    /// The uptime before which it must begin, because it is a share of its topic's limit; nil if there is no limit.
    let turnEnd: Duration?
    let suite: Suite
    let sealing: SealJob

    fileprivate init(
      group: Group, lease: Lease, device: StoredDevice, end: Duration, turnEnd: Duration?, suite: Suite,
      sealing: SealJob
    ) {
      self.group = group
      self.lease = lease
      self.device = device
      self.end = end
      self.turnEnd = turnEnd
      self.suite = suite
      self.sealing = sealing
    }
  }

  /// How many messages are sealed together.
  private static let partSize = 1000

  private let keys: SigningKeys
  private let policy: SealingPolicy
  /// The store's time, which all workers share.
  private let time: UnixTime
  private let now: UnixTime
  private let uptime: Duration
  /// In the order of the leases, the most urgent first.
  private var messages: ArraySlice<Message> = []
  private var failures: [Failure] = []

  /// Prepares nothing yet; `time` is the store's.
  init(keys: SigningKeys, policy: SealingPolicy, at time: UnixTime, clock: any PushClock) {
    self.keys = keys
    self.policy = policy
    self.time = time
    (now, uptime) = (clock.now, clock.uptime)
  }

  /// Adds a job's message to a device, which must begin before the uptime `turnEnd`.
  mutating func add(_ job: Job, of leased: LeasedJob, for device: StoredDevice, until turnEnd: Duration?) {
    do throws(KeySetError) {
      guard let keys = device.device.keys else { throw .noActiveKey }
      let recipient = try keys.recipient(suite: nil, under: policy.postQuantum, at: time)
      let message = Message(
        group: Group(pushType: job.pushType, topic: device.address.topic, senders: leased.firstSenders),
        lease: leased.lease,
        device: device, end: uptime + .seconds(job.end.seconds - time.seconds), turnEnd: turnEnd,
        suite: recipient.suite,
        sealing: SealJob(
          .payload(job.replacingPayload.changing { $0.derived(for: device.identity) }), to: recipient,
          account: device.device.account,
          // The identity stays when the device's keys are rotated between two attempts.
          messageID: job.messageID.derived(for: device.identity), at: job.createdAt, lifetime: job.validTime,
          headers: HeaderOptions(
            priority: job.apnsPriority, collapseID: job.collapseID,
            expiration: job.pushType == .pushToTalk ? nil : job.expiration)))
      messages.append(message)
    } catch {
      fail(leased.lease, on: device.identity, with: PushOutcome(error))
    }
  }

  /// How many messages are left to seal.
  var count: Int { messages.count }

  /// Whether nothing is left to seal.
  var isEmpty: Bool { messages.isEmpty && failures.isEmpty }

  /// Seals the next messages, not all at once, because a job may have a thousand devices.
  mutating func sealSome() -> (pushes: [JobPush], failures: [Failure]) {
    var pushes: [JobPush] = []
    let part = messages.prefix(Self.partSize)
    messages.removeFirst(part.count)
    for (group, messages) in Self.groups(of: part) { pushes += seal(messages, for: group) }
    defer { failures = [] }
    return (pushes, failures)
  }

  private static func groups(of part: ArraySlice<Message>) -> [Group: ArraySlice<Message>] {
    guard let group = part.first?.group else { return [:] }
    // Most often all belong together, and then none has to be hashed.
    if part.allSatisfy({ $0.group == group }) { return [group: part] }
    return Dictionary(grouping: part, by: \.group).mapValues { $0[...] }
  }

  private mutating func seal(_ messages: ArraySlice<Message>, for group: Group) -> [JobPush] {
    let sealer: Sealer
    do throws(KeySetError) {
      sealer = try keys.sealer(
        of: group.pushType, for: group.topic, preferring: group.senders.keys, at: now)
    } catch {
      // An operator's next key may begin soon.
      for message in messages {
        fail(
          message.lease, on: message.device.identity,
          with: .later("the sender's keys: \(error.reason)", atLeast: nil))
      }
      return []
    }
    var pushes: [JobPush] = []
    for (message, result) in zip(messages, sealer.seal(messages.map(\.sealing))) {
      switch result {
      case .success(let push): pushes.append(JobPush(push, sealedFrom: message))
      case .failure(let error):
        fail(message.lease, on: message.device.identity, with: PushOutcome(error))
      }
    }
    return pushes
  }

  private mutating func fail(_ lease: Lease, on device: Thumbprint, with outcome: PushOutcome) {
    failures.append(Failure(lease: lease, device: device, outcome: outcome))
  }
}

/// Why a leased job is not worked on.
struct UselessJob: Error {
  let reason: String

  /// The job in a leased row, if it is to be worked on at a time of the store's.
  static func check(
    _ leased: LeasedJob, at time: UnixTime, configuration: WorkerConfiguration
  ) throws(UselessJob) -> Job {
    guard leased.attempt <= configuration.maximumAttempts else {
      throw UselessJob(reason: "it was leased \(configuration.maximumAttempts) times, and did not end")
    }
    switch leased.job {
    case .failure(let fault): throw UselessJob(reason: fault.description)
    case .success(let job):
      guard !job.claims.isExpired(at: time) else {
        throw UselessJob(reason: "its lifetime is over")
      }
      return job
    }
  }
}

extension Job {
  /// The message's claims.
  fileprivate var claims: Claims {
    Claims(
      messageID: messageID, issuedAt: createdAt, lifetime: validTime ?? .standard(for: pushType.contentType))
  }

  /// How long the message is valid; nil for its push type's default.
  ///
  /// A push-to-talk push that is sent by itself is valid at once or never; one that a worker finds may be some seconds old.
  fileprivate var validTime: Lifetime? { lifetime ?? (pushType == .pushToTalk ? Lifetime(seconds: 30) : nil) }

  /// The time from which it is no longer sent.
  var end: UnixTime {
    let end = claims.expiresAt
    return expiresAt.map { min($0, end) } ?? end
  }

  /// When APNs gives up, if not at the end of the lifetime: never after it.
  fileprivate var expiration: UnixTime? {
    let end = claims.expiresAt
    return expiresAt.flatMap { $0 < end ? $0 : nil }
  }
}

extension [StoredDevice] {
  /// The devices without duplicates of an address, which would get a message twice.
  ///
  /// An app that is installed again may have its old token and a new identity. If both registrations have proven only their
  /// keys, both are in the directory, and the newer one has the token.
  var atAddressesOfTheirOwn: [StoredDevice] {
    guard count > 1 else { return self }
    var best: [DeviceAddress: StoredDevice] = [:]
    for device in self {
      guard let other = best[device.address], !device.isNewer(than: other) else {
        best[device.address] = device
        continue
      }
    }
    guard best.count < count else { return self }
    return filter { best[$0.address]?.identity == $0.identity }
  }
}

extension PushOutcome {
  /// The outcome if a device's keys cannot be used.
  fileprivate init(_ error: KeySetError) {
    // Another worker may have the suite.
    if case .unavailable = error {
      self = .later("a device's keys: \(error.reason)", atLeast: nil)
    } else {
      self = .failed("a device's keys: \(error.reason)")
    }
  }

  /// The outcome if a message cannot be sealed.
  fileprivate init(_ error: SealError) {
    switch error {
    case .unavailable, .cryptoUnavailable: self = .later(error.description, atLeast: nil)
    default: self = .failed(error.description)
    }
  }
}

extension StoredDevice {
  /// Whether its claim to an address is better than another's.
  fileprivate func isNewer(than other: StoredDevice) -> Bool {
    if hasToken != other.hasToken { return hasToken }
    return (tokenSetAt, identity.text) > (other.tokenSetAt, other.identity.text)
  }

  /// The route that they take.
  var route: Route { Route(of: address) }
}

extension Job {
  /// The payload, with the message in whose place it is shown.
  fileprivate var replacingPayload: JSONObject { replaces.map(payload.replacing) ?? payload }
}
