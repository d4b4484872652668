private import Dispatch
public import PushEnvelope
public import PushKeys
private import Synchronization

/// A key store on a phone that has not been unlocked since it started.
public struct LockedKeyStore: DeviceKeyStore {
  /// Makes the store.
  public init() {}

  /// - Throws: `KeyStoreError.locked`, always.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    throw .locked
  }
}

/// A key store that does not answer until it is released.
public final class StalledKeyStore: DeviceKeyStore {
  private let keys: any DeviceKeyStore
  private let gate = DispatchSemaphore(value: 0)

  /// Stalls every look-up in `keys`.
  public init(_ keys: any DeviceKeyStore) { self.keys = keys }

  /// Lets one look-up through.
  public func release() { gate.signal() }

  /// Waits to be released, then looks the key up.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    gate.wait()
    return try keys.deviceKey(for: id, at: now)
  }
}

/// Whether a phone has been unlocked since it started.
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
