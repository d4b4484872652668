#if canImport(Security)
  internal import Foundation
  public import PushKeys
  internal import Security

  /// An error of the Keychain or the Secure Enclave.
  ///
  /// A code has a meaning only in its domain: CryptoKit and LocalAuthentication number their errors too.
  struct SecurityFault {
    private let domain: String
    private let code: Int

    /// Takes the Keychain's status.
    init(_ status: OSStatus) {
      domain = NSOSStatusErrorDomain
      code = Int(status)
    }

    /// Takes an error that CryptoKit throws for a key of the Secure Enclave.
    init(_ error: any Error) {
      let error = error as NSError
      domain = error.domain
      code = error.code
    }

    /// Whether the reason is that the phone was not unlocked since it started.
    private var isLocked: Bool {
      domain == NSOSStatusErrorDomain && code == Int(errSecInteractionNotAllowed)
    }

    /// The error for a look-up.
    var keyStoreError: KeyStoreError { isLocked ? .locked : .unavailable }

    /// The error for a change.
    var storageError: StorageError { isLocked ? .locked : .refused(domain: domain, code: code) }
  }

  /// Why an app's shared folder or keys cannot be created or changed.
  public enum StorageError: Error, Equatable, Sendable {
    /// The app or the extension is not entitled to the App Group.
    case noSharedFolder
    /// The Keychain is not available until the phone is first unlocked.
    case locked
    /// The Keychain's data is not a key set of the expected role.
    case unreadable
    /// The key set is invalid, or the operation on it is.
    case keySet(KeySetError)
    /// The Keychain or the Secure Enclave refused: the error's domain, which is `NSOSStatusErrorDomain` for the Keychain's
    /// `OSStatus`, and its code.
    case refused(domain: String, code: Int)
  }

  extension StorageError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
      switch self {
      case .noSharedFolder: "there is no folder of the App Group: the target lacks its entitlement"
      case .locked: "the Keychain cannot be read before the phone is first unlocked"
      case .unreadable: "what the Keychain has is not a key set of the expected role"
      case .keySet(let error): error.description
      case .refused(let domain, let code): "the Keychain or the Secure Enclave refused: \(domain) \(code)"
      }
    }
  }
#endif
