#if canImport(Security)
  internal import Foundation
  public import PushEnvelope
  public import PushKeys
  private import Synchronization

  /// A device's key set in the Keychain, where the app keeps it and its extension finds it.
  ///
  /// The item is of use to this device alone, in a backup too, and can be read from the first unlock after a restart. The
  /// extension only looks keys up: creating, rotating and removing are the app's. A device that is restored from its own
  /// backup has the keys again that were destroyed since.
  ///
  /// The app's identity is an item of its own, which the extension has no use for.
  public struct KeychainKeyStore: EnrolmentStore {
    private let item: KeychainItem
    private let identity: KeychainItem

    /// Names the items, and touches nothing yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled.
    public init(service: String, account: String = "device", accessGroup: String) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
      identity = KeychainItem(service: service, account: "\(account) identity", accessGroup: accessGroup)
    }

    /// The device's key of that name, from the set as the Keychain has it now; nil also if it has no set.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      try load()?.deviceKey(for: id, at: now)
    }

    /// The set; nil if there is none.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked; `KeyStoreError.unavailable` if it cannot
    ///   be read otherwise, or is no set.
    public func load() throws(KeyStoreError) -> KeySet? {
      guard let data = try item.read() else { return nil }
      guard let keySet = try? KeySet(parsing: data.span) else { throw .unavailable }
      return keySet
    }

    /// Puts a set in the place of the one that is there, if there is one.
    ///
    /// It is the app that calls this, and one process at a time: the last one wins. The copy that is made for the
    /// Keychain is wiped, but not the ones that the system makes.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func save(_ keySet: KeySet) throws(StorageError) { try save(keySet, in: item) }

    /// Changes the device's keys and the identity under a lock of the process's; those that are missing are made first, of
    /// `suite` and at `now`, or, without a suite, the result is null.
    ///
    /// It is the app that calls this, and no other process: what that changes at the same time is lost.
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
        // What opens comes first, so that nothing is signed that is not there.
        if keys.device.records != oldDevice?.records { try save(keys.device, in: item) }
        if keys.identity.serial != oldIdentity?.serial { try save(keys.identity, in: identity) }
        return result
      }
    }

    /// One for all items: changes are rare.
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

    /// Removes the set and the identity, if they are there: the app is a new registration after that.
    ///
    /// Items outlive the app: one that was installed anew has them still, and is the old registration.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func remove() throws(StorageError) {
      try item.remove()
      try identity.remove()
    }
  }
#endif
