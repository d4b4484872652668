#if canImport(Security)
  internal import Foundation
  public import PushEnvelope
  public import PushKeys
  private import Synchronization

  /// A device's key set in the Keychain, shared by the app and its extension.
  ///
  /// Only this device can use the item, even from a backup, and only after the first unlock following a restart. The
  /// extension only looks keys up; the app creates, rotates and removes them. Restoring a device from its own backup
  /// brings back keys that were destroyed since.
  ///
  /// The app's identity is a separate item, which the extension does not use.
  public struct KeychainKeyStore: EnrolmentStore {
    private let item: KeychainItem
    private let identity: KeychainItem

    /// Makes a store, without touching the Keychain yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled.
    public init(service: String, account: String = "device", accessGroup: String) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
      identity = KeychainItem(service: service, account: "\(account) identity", accessGroup: accessGroup)
    }

    /// Returns the device's key with this id from the current set; nil also if there is no set.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      try load()?.deviceKey(for: id, at: now)
    }

    /// The set; nil if there is none.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked; `KeyStoreError.unavailable` if it
    ///   cannot be read for another reason, or is not a valid set.
    public func load() throws(KeyStoreError) -> KeySet? {
      guard let data = try item.read() else { return nil }
      guard let keySet = try? KeySet(parsing: data.span) else { throw .unavailable }
      return keySet
    }

    /// Stores a set, replacing an existing one.
    ///
    /// Call this only in the app, from one process at a time: the last write wins. The copy that is made for the
    /// Keychain is wiped; copies that the system makes are not.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func save(_ keySet: KeySet) throws(StorageError) { try save(keySet, in: item) }

    /// Changes the device's keys and the identity under a lock within this process.
    ///
    /// If they are missing, they are made first, for `suite` and at `now`; without a suite the result is nil. Call this
    /// only in the app: changes that another process makes at the same time are lost.
    ///
    /// - Throws: ``StorageError``.
    public func update<Result>(
      orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
    ) throws(StorageError) -> Result? {
      try Self.lock.withLock { (_) throws(StorageError) in
        let (oldDevice, oldIdentity) = (try load(item), try load(identity))
        let result: Result
        var keys: DeviceKeys
        do throws(KeySetError) {
          guard
            let found = try DeviceKeys(device: oldDevice, identity: oldIdentity, orMake: suite, at: now)
          else { return nil }
          keys = found
          result = try change(&keys)
        } catch {
          throw .keySet(error)
        }
        // The opening keys are stored first, so the identity never signs keys that do not exist.
        if keys.device.records != oldDevice?.records { try save(keys.device, in: item) }
        if keys.identity.serial != oldIdentity?.serial { try save(keys.identity, in: identity) }
        return result
      }
    }

    /// One lock for all items, because changes are rare.
    private static let lock = Mutex(())

    private func load(_ item: KeychainItem) throws(StorageError) -> KeySet? {
      let data: Data?
      do throws(KeyStoreError) {
        data = try item.read()
      } catch {
        throw error == .locked ? .locked : .unreadable
      }
      guard let data else { return nil }
      guard let keySet = try? KeySet(parsing: data.span) else { throw .unreadable }
      return keySet
    }

    private func save(_ keySet: KeySet, in item: KeychainItem) throws(StorageError) {
      try keySet.withEncodedBytes { (bytes) throws(StorageError) in
        var data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        try item.write(data)
      }
    }

    /// Removes the set and the identity, if they exist; the app is then a new registration.
    ///
    /// Items outlive the app: after a reinstall they are still there, and the app is still the old registration.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func remove() throws(StorageError) {
      try item.remove()
      try identity.remove()
    }
  }
#endif
