#if canImport(Security)
  internal import Foundation
  public import PushKeys
  internal import Security

  /// A generic password in the data protection keychain: for this device only, readable after first unlock.
  struct KeychainItem: Sendable {
    /// The item's service and account, which identify it.
    let service, account: String

    /// The group that shares it.
    let accessGroup: String

    /// Its data; nil if there is no such item.
    ///
    /// - Throws: `KeyStoreError`.
    func read() throws(KeyStoreError) -> Data? {
      var query = self.query
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var result: CFTypeRef?
      switch unsafe SecItemCopyMatching(query as CFDictionary, &result) {
      case errSecSuccess:
        guard let data = result as? Data else { throw .unavailable }
        return data
      case errSecItemNotFound: return nil
      case errSecInteractionNotAllowed: throw .locked
      default: throw .unavailable
      }
    }

    /// Replaces its data, or makes the item; readers see either the old data or the new, never a mixture.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    func write(_ data: Data) throws(StorageError) {
      let attributes: [String: Any] = [
        kSecValueData as String: data,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
      guard status == errSecItemNotFound else { return try check(status) }
      let item = query.merging(attributes) { $1 }
      try check(SecItemAdd(item as CFDictionary, nil))
    }

    /// Removes it, if it exists.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(code:)``.
    func remove() throws(StorageError) {
      let status = SecItemDelete(query as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private var query: [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrAccessGroup as String: accessGroup,
        kSecUseDataProtectionKeychain as String: true,
      ]
    }

    private func check(_ status: OSStatus) throws(StorageError) {
      switch status {
      case errSecSuccess: break
      case errSecInteractionNotAllowed: throw .locked
      default: throw .refused(code: Int(status))
      }
    }
  }

  /// Why an app's shared folder or keys cannot be created or changed.
  public enum StorageError: Error, Equatable, Sendable {
    /// The app or the extension is not entitled to the App Group.
    case noSharedFolder
    /// The device has no Secure Enclave.
    case noSecureEnclave
    /// The Keychain is not available until the phone is first unlocked.
    case locked
    /// The Keychain's data is not a key set of the expected role.
    case unreadable
    /// The key set is invalid, or the operation on it is.
    case keySet(KeySetError)
    /// The Keychain, or with it the Secure Enclave, refused: the `OSStatus`, or the error's code.
    case refused(code: Int)
  }
#endif
