public import PushAttachments
internal import PushCrypto
public import PushEnvelope
public import PushKeys
public import PushPayload

/// The result of sealing a notification to one of a person's devices.
public struct DevicePush: Equatable, Sendable {
  /// The device.
  public let device: EnrolledDevice

  /// The sealed notification, or why there is none.
  public let result: Result<SealedPush, DeviceError>
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
}

extension Sealer {
  /// Seals `notification` to each of a person's devices, with a different message id for each.
  ///
  /// The results are in the order of `devices`. A device that fails does not affect the others. Each device's message id
  /// is `MessageID.derived(for:)` of `messageID`, so Apple cannot use it to link two devices to one person, and a retry
  /// with the same `messageID` gives each device the same id again. The message is sealed to each device's preferred key,
  /// or to its key for `suite`.
  public func seal(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [],
    to devices: [EnrolledDevice], suite: Suite? = nil, messageID: MessageID = .random(),
    at now: UnixTime = .now, lifetime: Lifetime? = nil, headers: HeaderOptions = HeaderOptions()
  ) -> [DevicePush] {
    let jobs = devices.map { device in
      recipient(device, suite, now).map { recipient in
        SealJob(
          .notification(notification), attachments: attachments, to: recipient,
          messageID: messageID.derived(for: recipient.thumbprint), at: now, lifetime: lifetime,
          headers: headers)
      }
    }
    var pushes = seal(jobs.compactMap { try? $0.get() }).makeIterator()
    return zip(devices, jobs).map { device, job in
      let result = job.flatMap { _ in
        guard let push = pushes.next() else { preconditionFailure("each job has its result") }
        return push.mapError(DeviceError.seal)
      }
      return DevicePush(device: device, result: result)
    }
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

  private func recipient(
    _ device: EnrolledDevice, _ suite: Suite?, _ now: UnixTime
  ) -> Result<Recipient, DeviceError> {
    guard [nil, topic].contains(device.topic) else { return .failure(.otherTopic) }
    guard let keys = device.keys else { return .failure(.noKeys) }
    do throws(KeySetError) {
      return .success(try keys.recipient(suite: suite, at: now))
    } catch {
      return .failure(.keys(error))
    }
  }
}

extension MessageID {
  private static let fanOutLabel = Array("sealed-push v1 fan-out\0".utf8)

  /// Returns the id of this message for one of several devices.
  ///
  /// The same inputs always give the same id. Without the original id nobody can tell that two derived ids belong to the same message.
  public func derived(for recipient: Thumbprint) -> MessageID {
    // FORMAT.md, 9: UUIDv8 of SHA-256("sealed-push v1 fan-out" 0x00 | id | T)[0..16).
    let input = Self.fanOutLabel + bytes + recipient.bytes
    var bytes = Array(SHA256.digest(input.span).prefix(Self.size))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    guard let derived = MessageID(bytes) else { preconditionFailure("SHA-256 has at least 16 bytes") }
    return derived
  }
}
