public import PushAttachments
public import PushEnvelope
public import PushKeys
public import PushPayload

/// What became of a notification for one of a person's devices.
public struct DevicePush: Equatable, Sendable {
  /// The device.
  public let device: EnrolledDevice

  /// The sealed notification, or why there is none.
  public let result: Result<SealedPush, DeviceError>
}

/// Why a notification was not sealed to one of several devices.
public enum DeviceError: Error, Equatable, Sendable {
  /// The device has no keys: it never enrolled them, or they were revoked.
  case noKeys

  /// The device's keys cannot be sealed to: none is active, the active one has ended, or none is of the suite.
  case keys(KeySetError)

  /// The device enrolled for another app.
  case otherTopic

  /// The notification could not be sealed to it.
  case seal(SealError)
}

extension Sealer {
  /// Seals `notification` to each of a person's devices, under an identity of its own on each of them.
  ///
  /// The results are in the order of `devices`. One that cannot be sealed to harms no other. What `messageID` becomes
  /// on a device is ``PushEnvelope/MessageID/derived(for:)``: Apple cannot tell by it that two devices are one
  /// person's, and a job that is tried again with the same `messageID` gives each device the same one again. The key
  /// is each device's preferred one, or its one for `suite`.
  public func seal(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [],
    to devices: [EnrolledDevice], suite: Suite? = nil, messageID: MessageID = .random(),
    at now: UnixTime = .now, lifetime: Lifetime = .maximum, headers: HeaderOptions = HeaderOptions()
  ) -> [DevicePush] {
    devices.map { device in
      do throws(DeviceError) {
        let recipient = try recipient(device, suite, now)
        let push = try sealOne(
          SealJob(
            .notification(notification), attachments: attachments, to: recipient,
            messageID: messageID.derived(for: recipient.thumbprint), at: now, lifetime: lifetime,
            headers: headers))
        return DevicePush(device: device, result: .success(push))
      } catch {
        return DevicePush(device: device, result: .failure(error))
      }
    }
  }

  /// Seals `notification` to each device that `directory` has for a person.
  ///
  /// - Throws: What the directory throws; a fault of one device is in its result.
  public func seal<Person>(
    _ notification: RemoteNotification, attachments: [AttachmentDescriptor] = [], to person: Person,
    in directory: some RecipientDirectory<Person>, messageID: MessageID = .random(), at now: UnixTime = .now,
    lifetime: Lifetime = .maximum, headers: HeaderOptions = HeaderOptions()
  ) async throws -> [DevicePush] {
    seal(
      notification, attachments: attachments, to: try await directory.recipients(for: person),
      messageID: messageID, at: now, lifetime: lifetime, headers: headers)
  }

  private func recipient(
    _ device: EnrolledDevice, _ suite: Suite?, _ now: UnixTime
  ) throws(DeviceError) -> Recipient {
    guard [nil, topic].contains(device.topic) else { throw .otherTopic }
    guard let keys = device.keys else { throw .noKeys }
    do throws(KeySetError) {
      return try keys.recipient(suite: suite, at: now)
    } catch {
      throw .keys(error)
    }
  }

  private func sealOne(_ job: SealJob) throws(DeviceError) -> SealedPush {
    do throws(SealError) {
      return try seal(job)
    } catch {
      throw .seal(error)
    }
  }
}
