internal import PushDelivery
internal import PushEnvelope
internal import PushKeys
internal import PushPayload
internal import PushSealer
internal import PushStore

/// The messages of claimed jobs, which are sealed together.
struct Preparation {
  /// A message that cannot be sealed.
  struct Failure {
    let job: JobID
    let device: Thumbprint
    let outcome: PushOutcome
  }

  /// What one sealer seals.
  private struct Group: Hashable {
    let topic: Topic
    /// The key of the first attempt.
    let sender: Thumbprint?
  }

  private struct Message {
    let job: JobID
    let device: Thumbprint
    let address: DeviceAddress
    let sealing: SealJob
  }

  private let keys: SigningKeys
  private let policy: SealingPolicy
  private let now: UnixTime
  private var messages: [Group: [Message]] = [:]
  private var failures: [Failure] = []

  init(_ keys: SigningKeys, _ policy: SealingPolicy, at now: UnixTime) {
    (self.keys, self.policy, self.now) = (keys, policy, now)
  }

  /// Adds a job's message to a device.
  mutating func add(_ job: Job, _ claimed: ClaimedJob, _ device: StoredDevice) {
    do throws(KeySetError) {
      guard let keys = device.device.keys else { throw .noActiveKey }
      let recipient = try keys.recipient(suite: nil, policy.postQuantum, at: now)
      let address = device.address
      let message = Message(
        job: claimed.claim.job, device: device.identity, address: address,
        sealing: SealJob(
          .payload(job.payload), to: recipient,
          // The identity stays when the device's keys are rotated between two attempts.
          messageID: job.messageID.derived(for: device.identity), at: job.createdAt, lifetime: job.lifetime,
          headers: HeaderOptions(
            priority: job.apnsPriority, collapseID: job.collapseID, expiration: job.expiresAt)))
      messages[Group(topic: address.topic, sender: claimed.sender), default: []].append(message)
    } catch {
      fail(claimed.claim.job, device.identity, .failed("a device's keys: \(error.reason)"))
    }
  }

  /// Seals all messages.
  consuming func seal() -> (pushes: [JobPush], failures: [Failure]) {
    var pushes: [JobPush] = []
    for (group, messages) in messages {
      let sealer: Sealer
      do throws(KeySetError) {
        sealer = try keys.sealer(for: group.topic, group.sender, at: now)
      } catch {
        // An operator's next key may begin soon.
        for message in messages {
          fail(message.job, message.device, .later("the sender's keys: \(error.reason)", atLeast: nil))
        }
        continue
      }
      for (message, result) in zip(messages, sealer.seal(messages.map(\.sealing))) {
        switch result {
        case .success(let push):
          pushes.append(
            JobPush(
              addressedPush: AddressedPush(push, to: message.address), job: message.job,
              device: message.device))
        case .failure(let error): fail(message.job, message.device, .failed("\(error)"))
        }
      }
    }
    return (pushes, failures)
  }

  private mutating func fail(_ job: JobID, _ device: Thumbprint, _ outcome: PushOutcome) {
    failures.append(Failure(job: job, device: device, outcome: outcome))
  }
}

/// Why a claimed job is not worked on.
struct UselessJob: Error {
  let reason: String

  /// The job in a claimed row, if it is to be worked on.
  static func check(
    _ claimed: ClaimedJob, _ configuration: WorkerConfiguration, at now: UnixTime
  ) throws(UselessJob) -> Job {
    guard claimed.attempt <= configuration.maximumAttempts else {
      throw UselessJob(reason: "it was claimed \(configuration.maximumAttempts) times, and never ended")
    }
    switch claimed.job {
    case .failure(let fault): throw UselessJob(reason: fault.description)
    case .success(let job):
      let lifetime = job.lifetime ?? .standard(for: configuration.policy.pushType.contentType)
      let claims = Claims(messageID: job.messageID, issuedAt: job.createdAt, lifetime: lifetime)
      guard !claims.isExpired(at: now) else { throw UselessJob(reason: "its lifetime is over") }
      return job
    }
  }
}

extension StoredDevice {
  /// Where its messages go.
  var address: DeviceAddress {
    guard let topic = device.topic, let environment = device.environment else {
      preconditionFailure("a directory's devices have an app and an environment")
    }
    return DeviceAddress(topic: topic, environment: environment, token: device.token)
  }
}
