private import Dispatch
private import Locks
package import PushCore
public import PushKeys

/// A key store on a phone that has not been unlocked since it started.
package struct LockedKeyStore: DeviceKeyStore {
  /// Makes the store.
  package init() {}

  /// - Throws: `KeyStoreError.locked`, always.
  package func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    throw .locked
  }
}

/// A key store whose look-ups block until the test releases them.
package final class StalledKeyStore: DeviceKeyStore {
  private let keys: any DeviceKeyStore
  private let gate = DispatchSemaphore(value: 0)

  /// Makes a store that blocks every look-up in `keys`.
  package init(_ keys: any DeviceKeyStore) { self.keys = keys }

  /// Lets one look-up through.
  package func release() { gate.signal() }

  /// Waits to be released, then looks the key up.
  package func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    gate.wait()
    return try keys.deviceKey(for: id, at: now)
  }
}

/// The lock of a phone.
///
/// After each start, no key can be read until the phone is first unlocked.
public final class PhoneLock: Sendable {
  private let state: Mutex<Bool>

  /// Makes the lock of a phone, which by default has just started.
  public init(isLocked: Bool = true) { state = Mutex(isLocked) }

  /// Whether the phone was not unlocked since it started.
  public var isLocked: Bool { state.withLock { $0 } }

  /// Unlocks the phone for the first time.
  public func unlock() { state.withLock { $0 = false } }

  /// Starts the phone again.
  public func restart() { state.withLock { $0 = true } }

  /// Returns a store of the same keys that can be read only after the phone was first unlocked.
  public func protect(_ keys: any DeviceKeyStore) -> any DeviceKeyStore { Protected(lock: self, keys: keys) }

  private struct Protected: DeviceKeyStore {
    let lock: PhoneLock
    let keys: any DeviceKeyStore

    func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      if lock.isLocked { throw .locked }
      return try keys.deviceKey(for: id, at: now)
    }

    func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
      if lock.isLocked { throw .locked }
      return try keys.thumbprints(at: now)
    }
  }
}
