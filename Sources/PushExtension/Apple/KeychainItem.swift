#if canImport(Security)
  internal import Foundation
  public import PushKeys
  internal import Security

  /// A generic password in the data protection keychain: of this device, readable from the first unlock on.
  struct KeychainItem: Sendable {
    /// The item's service and account, by which it is found.
    let service, account: String

    /// The group that shares it.
    let accessGroup: String

    /// What it holds; nil if there is no such item.
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

    /// Puts `data` in the place of what it holds, or makes it; readers see the old data or the new, whole.
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

    /// Removes it, if it is there.
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

  /// Why an app's shared folder or keys cannot be made or changed.
  public enum StorageError: Error, Equatable, Sendable {
    /// The app or the extension is not entitled to the App Group.
    case noSharedFolder
    /// The device has no Secure Enclave.
    case noSecureEnclave
    /// The Keychain cannot be used before the phone is first unlocked.
    case locked
    /// What the Keychain holds is no key set of its role.
    case unreadable
    /// The key set is at fault, or what was to be done with it.
    case keySet(KeySetError)
    /// The Keychain, or with it the Secure Enclave, refused: the `OSStatus`, or the error's code.
    case refused(code: Int)
  }
#endif
