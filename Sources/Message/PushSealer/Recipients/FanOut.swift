public import PushAttachments
public import PushCore
public import PushEnrolment
public import PushKeys

/// The result of sealing a notification to one of a person's devices, which a client of APNs takes as it is.
public struct DevicePush: Equatable, Sendable {
  /// The device.
  public let device: EnrolledDevice

  /// The sealed message for the service that carries it, or why there is none.
  public let result: Result<ServicePush, DeviceError>
}

extension DevicePush: Deliverable {
  /// The sealed notification, to the device's address.
  ///
  /// - Throws: ``DeviceError`` if there is none; ``DeviceError/carriedByFCM`` if your client of FCM must send it.
  public var addressedPush: AddressedPush {
    get throws(DeviceError) {
      switch try result.get() {
      case .apns(let push): return push
      case .fcm: throw .carriedByFCM
      }
    }
  }
}

/// Why a notification was not sealed to one of several devices.
public enum DeviceError: Error, Equatable, Sendable {
  /// The device has no keys: it never enrolled any, or they were revoked.
  case noKeys

  /// The device's keys cannot be used: none is active, the active one has expired, or none is for the suite.
  case keys(KeySetError)

  /// The device enrolled for another app.
  case otherTopic

  /// The notification could not be sealed to it.
  case seal(SealError)

  /// It was sealed, and FCM carries it, so no client of APNs can send it.
  case carriedByFCM
}

extension DeviceError: CustomStringConvertible {
  /// Why nothing was sealed for the device.
  public var description: String {
    switch self {
    case .noKeys: "the device has no keys"
    case .keys(let error): "the device's keys: \(error.reason)"
    case .otherTopic: "the device enrolled for another app"
    case .seal(let error): error.description
    case .carriedByFCM: "FCM carries the device's messages, so an APNs client cannot send them"
    }
  }
}

/// One message to each of a person's devices.
public struct FanOutJob: Sendable {
  /// The content to seal.
  public var content: SealJob.Content

  /// The attachments, whose blobs must have been uploaded.
  public var attachments: [AttachmentDescriptor]

  /// The person's devices.
  public var devices: [EnrolledDevice]

  /// The suite whose keys are used; nil for the key that each device prefers.
  public var suite: Suite?

  /// The ID from which each device's own ID is derived; it stays the same when you retry a job.
  public var messageID: MessageID

  /// The time at which the message is issued.
  public var issuedAt: UnixTime

  /// How long the message is valid; nil for the push type's default, `Lifetime.standard(for:)`.
  public var lifetime: Lifetime?

  /// The header values that replace the defaults.
  public var headers: HeaderOptions

  /// Makes a job.
  public init(
    _ content: SealJob.Content, attachments: [AttachmentDescriptor] = [], to devices: [EnrolledDevice],
    suite: Suite? = nil, messageID: MessageID = .random(), at now: UnixTime = .now, lifetime: Lifetime? = nil,
    headers: HeaderOptions = HeaderOptions()
  ) {
    self.content = content
    self.attachments = attachments
    self.devices = devices
    self.suite = suite
    self.messageID = messageID
    issuedAt = now
    self.lifetime = lifetime
    self.headers = headers
  }

  /// The job of one device, or why it has none.
  fileprivate func job(
    for device: EnrolledDevice, from sealer: Sealer
  ) -> Result<ServiceJob, DeviceError> {
    guard sealer.serves(device.address) else { return .failure(.otherTopic) }
    return recipient(of: device, under: sealer.policy.postQuantum).map { recipient in
      ServiceJob(
        SealJob(
          content, attachments: attachments, to: recipient, account: device.account,
          messageID: messageID.derived(for: recipient.thumbprint), at: issuedAt, lifetime: lifetime,
          headers: headers.placing(content, on: recipient.thumbprint)),
        over: device.address.service)
    }
  }

  private func recipient(
    of device: EnrolledDevice, under policy: PostQuantum
  ) -> Result<Recipient, DeviceError> {
    guard let keys = device.keys else { return .failure(.noKeys) }
    do throws(KeySetError) {
      return .success(try keys.recipient(suite: suite, under: policy, at: issuedAt))
    } catch {
      return .failure(.keys(error))
    }
  }
}

extension Sealer {
  /// Seals messages, each to all of a person's devices, and returns the results in the same order.
  ///
  /// A device that fails does not affect the others. What FCM carries is sealed for FCM.
  public func seal(_ jobs: [FanOutJob]) -> [[DevicePush]] {
    let all = jobs.map { job in
      job.devices.map { ($0, job.job(for: $0, from: self)) }
    }
    var pushes = seal(all.joined().compactMap { try? $0.1.get() }).makeIterator()
    return all.map { devices in
      devices.map { device, job in
        let result = job.flatMap { _ in
          guard let push = pushes.next() else { preconditionFailure("each job has its result") }
          return push.mapError(DeviceError.seal).map { message in
            guard let push = message.addressed(to: device.address) else {
              preconditionFailure("a job has its device's service")
            }
            return push
          }
        }
        return DevicePush(device: device, result: result)
      }
    }
  }

  /// Seals `notification` to each of a person's devices, with a different message ID for each.
  ///
  /// The results are in the order of `devices`. A device that fails does not affect the others. Each device's message
  /// ID is `MessageID.derived(for:)` of `messageID`, so Apple cannot use it to link two devices to one person, and a
  /// retry with the same `messageID` gives each device the same ID again. The message is sealed to each device's
  /// preferred key, or to its key for `suite`, and for the service that carries the device's messages.
  public func seal(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [],
    to devices: [EnrolledDevice], suite: Suite? = nil, messageID: MessageID = .random(),
    at now: UnixTime = .now, lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) -> [DevicePush] {
    let job = FanOutJob(
      .notification(notification), attachments: attachments, to: devices, suite: suite, messageID: messageID,
      at: now, lifetime: lifetime, headers: headers)
    return seal([job])[0]
  }

  /// Seals `notification` to each device that `directory` lists for a person.
  ///
  /// - Throws: Any error that the directory throws. A failure of one device is in its result.
  public func seal<Person>(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], to person: Person,
    in directory: some RecipientDirectory<Person>, messageID: MessageID = .random(), at now: UnixTime = .now,
    lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) async throws -> [DevicePush] {
    seal(
      notification, attachments: attachments, to: try await directory.recipients(for: person),
      messageID: messageID, at: now, lifetime: lifetime, headers: headers)
  }
}

extension Sealer {
  /// Whether the sealer's app is the one at an address.
  package func serves(_ address: PushAddress) -> Bool {
    switch address {
    case .apns(let address): address.topic == topic
    case .fcm(let address): address.topic == applicationID
    }
  }
}

extension HeaderOptions {
  /// The options of a message to one of several devices: one that replaces another takes its place under the ID that the other
  /// has there.
  package func placing(_ content: SealJob.Content, on recipient: Thumbprint) -> HeaderOptions {
    var options = self
    options.replaced = content.changes.replaces?.derived(for: recipient)
    return options
  }
}

/// Keeps a text and persons out of logs.
extension FanOutJob: CustomStringConvertible, CustomReflectable {
  /// The message's ID, the size of the content, and how many devices get it.
  public var description: String { "job \(messageID), \(content), \(devices.count) devices" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
