#if canImport(Security)
  internal import Foundation
  internal import PushKeys
  internal import Security

  /// A generic password in the data protection keychain: for this device only, readable after first unlock.
  struct KeychainItem: Sendable {
    /// The item's service and account, which identify it.
    let service, account: String

    /// The keychain group that shares the item.
    let accessGroup: String

    /// Reads the item's data; nil if there is no such item.
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
      case let status: throw SecurityFault(status).keyStoreError
      }
    }

    /// Replaces the item's data, or makes the item; readers see either the old data or the new, never a mixture.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    func write(_ data: Data) throws(StorageError) {
      let attributes: [String: Any] = [
        kSecValueData as String: data,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      let status = SecItemUpdate(query as CFDictionary, attributes as CFDictionary)
      guard status == errSecItemNotFound else { return try Self.check(status) }
      let item = query.merging(attributes) { $1 }
      try Self.check(SecItemAdd(item as CFDictionary, nil))
    }

    /// Removes the item, if it exists.
    ///
    /// - Throws: ``StorageError/locked``, ``StorageError/refused(domain:code:)``.
    func remove() throws(StorageError) {
      let status = SecItemDelete(query as CFDictionary)
      if status != errSecItemNotFound { try Self.check(status) }
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

    private static func check(_ status: OSStatus) throws(StorageError) {
      guard status == errSecSuccess else { throw SecurityFault(status).storageError }
    }
  }
#endif
