private import Dispatch
public import PushEnvelope
public import PushKeys

/// A key store on a phone that was not unlocked since it started.
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
