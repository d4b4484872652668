internal import PushEnvelope
public import PushKeys
private import Synchronization

/// Whether a phone was unlocked since it started.
///
/// What is stored to be read after first unlock cannot be read before.
public final class PhoneLock: Sendable {
  private let isLocked: Mutex<Bool>

  /// Starts a phone, which nobody has unlocked.
  public init() { isLocked = Mutex(true) }

  /// Unlocks the phone for the first time.
  public func unlock() { isLocked.withLock { $0 = false } }

  /// The same keys, as they can be read on this phone.
  public func protect(_ keys: any DeviceKeyStore) -> any DeviceKeyStore { Protected(lock: self, keys: keys) }

  private struct Protected: DeviceKeyStore {
    let lock: PhoneLock
    let keys: any DeviceKeyStore

    func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      if lock.isLocked.withLock({ $0 }) { throw .locked }
      return try keys.deviceKey(for: id, at: now)
    }
  }
}
