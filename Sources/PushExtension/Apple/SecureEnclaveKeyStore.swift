#if canImport(CryptoKit) && canImport(Security)
  public import PushEnvelope
  public import PushKeys

  /// A device's P-256 keys in the Secure Enclave, for the suite `p256-aesgcm`.
  ///
  /// Each key has an item of its own in the Keychain, which only this device's Enclave can make use of, under the name
  /// that envelopes have for the key. The extension only looks keys up. The app makes a key, enrols it by
  /// `KeySetEditor.enrol(_:at:challenge:now:)` of its identity with `PublicKeySet(_:issuedAt:)`, and, when a newer one has
  /// replaced it and the backend has that, keeps it for 31 more days, as long as APNs may hold a push, and one.
  public struct SecureEnclaveKeyStore: DeviceKeyStore {
    private let service: String
    private let accessGroup: String

    /// Names the items, and touches nothing yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled.
    public init(service: String, accessGroup: String) {
      self.service = service
      self.accessGroup = accessGroup
    }

    /// The device's key of that name, as long as the app has not removed it.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      guard let handle = try item(id).read() else { return nil }
      let key = try SecureEnclaveKey(handle: handle)
      guard let deviceKey = try? DeviceKey(p256: key.publicKey, agreement: key) else { throw .unavailable }
      return deviceKey.thumbprint.keyID == id ? deviceKey : nil
    }

    /// Makes a new key and keeps it.
    ///
    /// - Throws: ``StorageError/noSecureEnclave``, ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func makeKey() throws(StorageError) -> DeviceKey {
      let key = try SecureEnclaveKey()
      guard let deviceKey = try? DeviceKey(p256: key.publicKey, agreement: key) else {
        throw .noSecureEnclave
      }
      try item(deviceKey.thumbprint.keyID).write(key.handle)
      return deviceKey
    }

    /// Destroys a key, if it is there: nothing opens what was sealed to it.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    public func removeKey(_ id: KeyID) throws(StorageError) { try item(id).remove() }

    private func item(_ id: KeyID) -> KeychainItem {
      KeychainItem(service: service, account: id.text, accessGroup: accessGroup)
    }
  }
#endif
