#if canImport(CryptoKit) && canImport(Security)
  internal import CryptoKit
  internal import Foundation
  public import PushCore
  public import PushKeys
  internal import Security

  /// A device's P-256 keys in the Secure Enclave, for the suite `p256-aesgcm`.
  ///
  /// Each key has its own Keychain item, named by the key ID that envelopes use. Only this device's Enclave can use the
  /// key. The extension only looks keys up. The app makes a key, and enrols it with `PublicKeySet(_:issuedAt:)` and its
  /// identity's `KeySetEditor.enrol(_:at:for:challenge:proof:now:)`. When the backend has a newer key, the app keeps
  /// the old one for 31 more days: the 30 for which APNs may hold a push, and one.
  ///
  /// Items outlive the app: after a reinstall the keys are still there, and only the Keychain knows which. At its first
  /// launch the app asks for ``keyIDs()``, and enrols one of them or calls ``removeAll()``.
  public struct SecureEnclaveKeyStore: DeviceKeyStore {
    private let service: String
    private let accessGroup: String

    /// Makes a store, without touching the Keychain yet.
    ///
    /// The access group is a keychain group or an App Group to which the app and the extension are both entitled. Give
    /// each store a service of its own.
    public init(service: String, accessGroup: String) {
      self.service = service
      self.accessGroup = accessGroup
    }

    /// Returns the device's key with this ID; nil if the app has removed it.
    ///
    /// - Throws: `KeyStoreError.locked` before the phone is first unlocked, else `KeyStoreError.unavailable`.
    public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
      guard let handle = try item(for: id).read() else { return nil }
      let key = try SecureEnclaveKey(handle: handle)
      guard let deviceKey = try? DeviceKey(p256: key.publicKey, agreement: key) else { throw .unavailable }
      return deviceKey.thumbprint.keyID == id ? deviceKey : nil
    }

    /// Makes a new key and stores it.
    ///
    /// - Throws: ``StorageError/noSecureEnclave``, ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func makeKey() throws(StorageError) -> DeviceKey {
      let key = try SecureEnclaveKey()
      guard let deviceKey = try? DeviceKey(p256: key.publicKey, agreement: key) else {
        throw .noSecureEnclave
      }
      try item(for: deviceKey.thumbprint.keyID).write(key.handle)
      return deviceKey
    }

    /// Destroys a key, if it exists; messages sealed to it can no longer be opened.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func removeKey(_ id: KeyID) throws(StorageError) { try item(for: id).remove() }

    /// The IDs of all keys, in no order, including those of a deleted installation.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func keyIDs() throws(StorageError) -> [KeyID] {
      try KeychainItem.accounts(ofService: service, accessGroup: accessGroup).compactMap { try? KeyID($0) }
    }

    /// Destroys all keys, for example at the first launch after a reinstall, or at sign-out.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    public func removeAll() throws(StorageError) {
      for id in try keyIDs() { try removeKey(id) }
    }

    private func item(for id: KeyID) -> KeychainItem {
      KeychainItem(service: service, account: id.text, accessGroup: accessGroup)
    }
  }

  /// A P-256 private key that never leaves the Secure Enclave.
  ///
  /// It can be used from the first unlock after a restart, without Face ID or a passcode, because an extension
  /// cannot ask the user.
  struct SecureEnclaveKey: P256KeyAgreement {
    /// The Enclave's representation of the key, which only it can decrypt.
    let handle: Data

    /// The public key: 65 bytes, 0x04 and both coordinates.
    let publicKey: [UInt8]

    /// Makes a new key.
    ///
    /// - Throws: ``StorageError/noSecureEnclave``, ``StorageError/refused(domain:code:)``.
    init() throws(StorageError) {
      guard SecureEnclave.isAvailable,
        let access = SecAccessControlCreateWithFlags(
          nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
      else { throw .noSecureEnclave }
      do {
        self.init(key: try SecureEnclave.P256.KeyAgreement.PrivateKey(accessControl: access))
      } catch {
        throw SecurityFault(error).storageError
      }
    }

    /// Restores a key that was made before.
    ///
    /// - Throws: `KeyStoreError`.
    init(handle: Data) throws(KeyStoreError) {
      do {
        self.init(key: try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: handle))
      } catch {
        throw SecurityFault(error).keyStoreError
      }
    }

    private init(key: SecureEnclave.P256.KeyAgreement.PrivateKey) {
      handle = key.dataRepresentation
      publicKey = [UInt8](key.publicKey.x963Representation)
    }

    /// The shared secret of ECDH with a public key, computed in the Enclave.
    ///
    /// The key is loaded each time, because the Enclave has room for only a few keys in use.
    func sharedSecret(withX963 publicKey: [UInt8]) throws(KeyStoreError) -> [UInt8] {
      do {
        let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(dataRepresentation: handle)
        let other = try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
        let secret = try key.sharedSecretFromKeyAgreement(with: other)
        return unsafe secret.withUnsafeBytes { unsafe [UInt8]($0) }
      } catch {
        throw SecurityFault(error).keyStoreError
      }
    }
  }
#endif
