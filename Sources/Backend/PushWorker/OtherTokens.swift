internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushStore

/// The tokens of devices besides their device tokens, for jobs that go to them.
struct OtherTokens {
  private var tokens: [Thumbprint: [TokenUse: DeviceToken]] = [:]

  /// No tokens.
  init() {}

  /// Takes the tokens of devices.
  init(_ pairs: some Sequence<(StoredDevice, [TokenUse: DeviceToken])>) {
    for (device, found) in pairs where !found.isEmpty { tokens[device.identity] = found }
  }

  /// The devices as a job's message is sent to them: at their device tokens, or those that have a token for its type, at that one.
  func devices(_ devices: [StoredDevice], for job: Job) -> [StoredDevice] {
    guard let use = job.tokenUse else { return devices }
    return devices.compactMap { device in
      tokens[device.identity]?[use].map { device.at($0, for: use.pushType) }
    }
  }
}
