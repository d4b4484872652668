#if canImport(Darwin)
  public import PushKeys

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
