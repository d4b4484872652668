// A complete test of an extension, which runs on Linux: what a backend seals, the person sees.

import PushTesting
import Testing
import UserNotifications

@Suite struct LunchTests {
  let clock = ManualClock(UnixTime(seconds: 1_800_000_000)!)
  let device: KeySet
  let backend: KeySet

  init() {
    device = KeySet(generating: .device, at: clock.now)
    backend = KeySet(generating: .sender, at: clock.now)
  }

  /// What the backend sends.
  func sealed(_ notification: RemoteNotification) throws -> [UInt8] {
    let sealer = Sealer(topic: try Topic("com.example.app"), signingKey: try backend.signingKey())
    return try sealer.seal(notification, to: device.publicKeys.recipient(), at: clock.now).payload
  }

  /// A phone with the extension, whose keys are in `keys`.
  func phone(keys: any DeviceKeyStore, _ steps: [EnrichmentStep] = []) throws -> ExtensionHost {
    var receiver = Receiver(
      topic: try Topic("com.example.app"), keys: keys, senders: try backend.publicKeys,
      replay: InMemoryReplayStore(), clock: clock)
    receiver.steps = steps
    return ExtensionHost(clock: clock) { [receiver] in LunchService(receiver) }
  }

  @Test func theTextIsShown() async throws {
    let phone = try phone(keys: device)
    let shown = try await phone.deliver(sealed(RemoteNotification(title: "Ada", body: "Lunch at noon?")))
    #expect(shown.body == "Lunch at noon?")
  }

  @Test func anAvatarThatNeverComesDoesNotCostTheText() async throws {
    let avatar = StalledStep("avatar")
    let phone = try phone(keys: device, [avatar.step])
    let push = try phone.push(sealed(RemoteNotification(title: "Ada", body: "Lunch at noon?")))
    await avatar.waitUntilBegun()
    phone.advance(by: .seconds(25))
    #expect(try await push.shown().body == "Lunch at noon?")
    #expect(push.faults.isEmpty)
  }

  @Test func aPhoneThatWasNotUnlockedShowsThePlaceholder() async throws {
    let lock = PhoneLock()
    let phone = try phone(keys: lock.protect(device))
    let payload = try sealed(RemoteNotification(title: "Ada", body: "Lunch at noon?"))
    let placeholder = try await phone.deliver(payload, admitsPlaceholder: true)
    #expect(placeholder.body == "(Encrypted)" && placeholder.degraded?.reason == .keyLocked)
    lock.unlock()
    #expect(try await phone.deliver(payload).body == "Lunch at noon?")
  }
}

/// The app's extension, with a receiver of the test's.
final class LunchService: SealedNotificationService {
  private let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { receiver }
}
