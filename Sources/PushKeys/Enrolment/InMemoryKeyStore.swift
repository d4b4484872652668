public import PushEnvelope
private import Synchronization

/// An app's keys in memory, for tests.
public final class InMemoryKeyStore: EnrolmentStore {
  /// Only a change can fail.
  public typealias Failure = KeySetError

  private let keys: Mutex<DeviceKeys?>

  /// Starts with keys, or without any.
  public init(_ keys: DeviceKeys? = nil) { self.keys = Mutex(keys) }

  /// The device's key of that name.
  public func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    keys.withLock { $0 }?.device.deviceKey(for: id, at: now)
  }

  /// Changes the keys.
  ///
  /// - Throws: ``KeySetError``.
  public func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result? {
    try keys.withLock { (keys) throws(KeySetError) in
      guard
        var changed = try DeviceKeys(
          device: keys?.device, identity: keys?.identity, orMake: suite, at: now)
      else { return nil }
      let result = try change(&changed)
      keys = changed
      return result
    }
  }

  /// Removes the keys.
  public func remove() { keys.withLock { $0 = nil } }
}
