internal import PushEnrolment

#if canImport(Security)
  internal import Foundation
  private import Locks
  public import PushCore
  public import PushKeys

  /// A device's key set in the Keychain, shared by the app and its extension.
  ///
  /// Its keys are in the Keychain, or in the Secure Enclave, where they stay: the item then has what names them.
  ///
  /// Only this device can use the item, even from a backup, and only after the first unlock following a restart. The
  /// extension only looks keys up; the app changes them, with a ``KeychainEnrolmentStore``. Restoring a device from its
  /// own backup brings back keys that were destroyed after the backup.
  public struct KeychainKeyStore: DeviceKeyStore {
    private let item: KeychainItem

    /// Makes a store, without touching the Keychain yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled.
    public init(service: String, account: String = "device", accessGroup: String) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// Returns the device's key with this ID from the current set; nil also if there is no set.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      try load()?.deviceKey(for: id, at: now)
    }

    /// The thumbprints of the device's keys in the current set.
    ///
    /// - Throws: `KeyStoreError`, as ``deviceKey(for:at:)``.
    public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
      try load()?.thumbprints(at: now) ?? []
    }

    /// Reads the set; nil if there is none.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked; `KeyStoreError.unavailable` if it
    ///   cannot be read for another reason, or is not a valid set.
    public func load() throws(KeyStoreError) -> KeySet? {
      guard let data = try item.read() else { return nil }
      guard let keySet = try? KeySet(parsing: data.span, vault: SecureEnclaveVault()) else {
        throw .unavailable
      }
      return keySet
    }

    /// Stores a set, replacing an existing one.
    ///
    /// Call this only in the app, from one process at a time: the last write wins. The copy that is made for the
    /// Keychain is wiped; copies that the system makes are not.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func save(_ keySet: KeySet) throws(StorageError) {
      try keySet.withEncodedBytes { (bytes) throws(StorageError) in
        var data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        try item.write(data)
      }
    }

    /// Removes the set, if it exists.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func remove() throws(StorageError) { try item.remove() }
  }

  /// An app's keys in the Keychain: the device's, which its extension can read, and its identity, which it cannot.
  ///
  /// An extension reads data that anyone can send. So the identity, which tells the backend whose keys these are, is in
  /// the app's own keychain group, and the extension has only a ``KeychainKeyStore``.
  public struct KeychainEnrolmentStore: EnrolmentStore {
    /// Where the private keys of the device are, which open messages.
    public enum Place: Sendable {
      /// In the Keychain: a key for `x25519-chachapoly`, and one for `xwing-aesgcm` if the system has that suite.
      case keychain

      /// In the Secure Enclave, which never gives them out: keys for `p256-aesgcm`, the only suite that it has.
      ///
      /// No key can be copied from a phone, not even from one that is broken into. But the suite does not resist quantum
      /// computers, as `xwing-aesgcm` does.
      case secureEnclave
    }

    private let device: KeychainKeyStore
    private let identity: KeychainKeyStore
    private let place: Place

    /// The suite of the key that is made first: `x25519-chachapoly`, or `p256-aesgcm` in the Secure Enclave.
    public var suite: Suite { place == .keychain ? .x25519ChaChaPoly : .p256AESGCM }

    /// Makes a store, without touching the Keychain yet.
    ///
    /// The identity group must be one to which the extension is not entitled. Every app has a group of its own: its
    /// application identifier, which is the team's prefix and the bundle ID, as in `ABCDE12345.com.example.app`.
    ///
    /// `place` is for keys that are made: those that are there stay where they are, and so do the keys that replace them. To
    /// move, call ``remove()`` at a login; the phone is then a new registration. The identity is in the Keychain.
    public init(
      service: String, account: String = "device", accessGroup: String, identityGroup: String,
      deviceKeysIn place: Place = .keychain
    ) {
      self.place = place
      precondition(identityGroup != accessGroup, "the extension could read the app's identity")
      device = KeychainKeyStore(service: service, account: account, accessGroup: accessGroup)
      identity = KeychainKeyStore(
        service: service, account: "\(account) identity", accessGroup: identityGroup)
    }

    /// Returns the device's key with this ID from the current set; nil also if there is no set.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      try device.deviceKey(for: id, at: now)
    }

    /// The thumbprints of the device's keys in the current set.
    ///
    /// - Throws: `KeyStoreError`, as ``deviceKey(for:at:)``.
    public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
      try device.thumbprints(at: now)
    }

    /// Changes the device's keys and the identity under a lock within this process.
    ///
    /// If they are missing, they are made first, for `suite` and at `now`; without a suite, the result is nil. Changes
    /// that another process makes at the same time are lost.
    ///
    /// - Throws: ``StorageError``.
    public func update<Result>(
      orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
    ) throws(StorageError) -> Result? {
      try Self.lock.withLock { (_) throws(StorageError) in
        let (oldDevice, oldIdentity) = (try Self.load(from: device), try Self.load(from: identity))
        let result: Result
        var keys: DeviceKeys
        do throws(KeySetError) {
          guard
            let found = try DeviceKeys(
              device: oldDevice, identity: oldIdentity, orMake: suite,
              in: place == .secureEnclave ? SecureEnclaveVault() : nil, at: now)
          else { return nil }
          keys = found
          result = try change(&keys)
        } catch {
          throw .keySet(error)
        }
        // The opening keys are stored first, so the identity never signs keys that do not exist.
        if keys.device.records != oldDevice?.records { try device.save(keys.device) }
        if keys.identity.serial != oldIdentity?.serial { try identity.save(keys.identity) }
        return result
      }
    }

    /// One lock for all items, because changes are rare.
    private static let lock = Mutex(())

    private static func load(from store: KeychainKeyStore) throws(StorageError) -> KeySet? {
      do throws(KeyStoreError) {
        return try store.load()
      } catch {
        throw error == .locked ? .locked : .unreadable
      }
    }

    /// Removes the set and the identity, if they exist; the app is then a new registration.
    ///
    /// Items outlive the app: after a reinstall they are still there, and the app is still the old registration.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func remove() throws(StorageError) {
      try device.remove()
      try identity.remove()
    }
  }
#endif
