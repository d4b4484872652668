package import PushSimulation
package import PushCore
internal import SealedPush
internal import PushEnrolment
package import PushKeys
package import PushReceiver
package import PushHost
package import UserNotifications

/// Adding phones.
extension APNsModel {
  /// Adds a phone that makes its own keys, and trusts these senders; seal to ``StandInPhone/publicKeys``.
  package func phone(
    name: String? = nil, topic: Topic, senders: any SenderKeyStore
  ) -> StandInPhone {
    let address = DeviceAddress(topic: topic, environment: settings.environment, token: .random())
    return self.phone(
      name: name, address: address, keys: InMemoryKeyStore(.made(at: clock.now)), senders: senders)
  }

  /// Adds a phone that runs the app's extension.
  ///
  /// `makeExtension` gets the stand-in's clock, which the extension's receiver must share, and the phone's lock, which
  /// protects keys until the phone is unlocked.
  package func phone(
    name: String? = nil, address: DeviceAddress, settings phone: Phone = Phone(),
    running makeExtension: @escaping @Sendable (ManualClock, PhoneLock) -> UNNotificationServiceExtension
  ) -> StandInPhone {
    let lock = PhoneLock(isLocked: false)
    return self.phone(
      name: name, address: address, keys: nil, receiver: nil, lock: lock, settings: phone
    ) { [clock] in makeExtension(clock, lock) }
  }

  /// Adds a phone with these keys that trusts these senders, and runs the package's own extension.
  package func phone(
    name: String? = nil, address: DeviceAddress, keys: any DeviceKeyStore,
    senders: any SenderKeyStore, accepts: AcceptedEnvelopes = .signed, settings phone: Phone = Phone()
  ) -> StandInPhone {
    let lock = PhoneLock(isLocked: false)
    var receiver = Receiver(
      topic: address.topic, keys: lock.protect(keys), senders: senders, accepts: accepts,
      replay: InMemoryReplayStore(), clock: clock)
    receiver.strings = phone.strings
    return self.phone(
      name: name, address: address, keys: keys as? any EnrolmentStore, receiver: receiver, lock: lock,
      settings: phone
    ) { [receiver] in StandInService(receiver) }
  }

  /// Adds a phone without an extension: it shows payloads as they arrive.
  package func phone(name: String? = nil, address: DeviceAddress) -> StandInPhone {
    phone(name: name, address: address) { _, _ in UNNotificationServiceExtension() }
  }

  private func phone(
    name: String?, address: DeviceAddress, keys: (any EnrolmentStore)?, receiver: Receiver?, lock: PhoneLock,
    settings phone: Phone, running makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) -> StandInPhone {
    StandInPhone(
      name: name ?? "phone \(nextPhoneNumber())", address: address, keys: keys, receiver: receiver,
      host: ExtensionHost(clock: clock, phone: phone, running: makeExtension), lock: lock, clock: clock,
      tokens: tokens, log: log, settings: settings)
  }
}

extension DeviceKeys {
  /// The keys of a phone: one for the suite that every system has, so that it has the same on every machine.
  fileprivate static func made(at now: UnixTime) -> DeviceKeys {
    let (device, identity) = (KeySet(generating: .device, at: now), KeySet(generating: .identity, at: now))
    guard let keys = try? DeviceKeys(device: device, identity: identity) else {
      preconditionFailure("the sets have their roles")
    }
    return keys
  }
}

/// The extension of a phone that has keys and no app.
final class StandInService: SealedNotificationService {
  private let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { receiver }
}
