#if canImport(Security)
  internal import Foundation
  public import PushEnvelope
  public import PushKeys

  /// A device's key set in the Keychain, where the app keeps it and its extension finds it.
  ///
  /// The item stays on this device, is in no backup, and can be read from the first unlock after a restart. The
  /// extension only looks keys up: creating, rotating and removing are the app's.
  public struct KeychainKeyStore: DeviceKeyStore {
    private let item: KeychainItem

    /// Names an item, and touches nothing yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled.
    public init(service: String, account: String = "device", accessGroup: String) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// The device's key of that name, from the set as the Keychain has it now; null also if it has no set.
    ///
    /// - Throws: ``KeyStoreError/locked`` before the phone is first unlocked, else ``KeyStoreError/unavailable``.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      try load()?.deviceKey(for: id, at: now)
    }

    /// The set; null if there is none.
    ///
    /// - Throws: ``KeyStoreError/locked`` before the phone is first unlocked; ``KeyStoreError/unavailable`` if it cannot
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
    public func save(_ keySet: KeySet) throws(StorageError) {
      try keySet.withEncodedBytes { (bytes) throws(StorageError) in
        var data = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
        defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
        try item.write(data)
      }
    }

    /// Removes the set, if there is one.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func remove() throws(StorageError) { try item.remove() }
  }
#endif
