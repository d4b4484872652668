public import PushCore
internal import PushFiles

/// Where a receiver looks up its device's private keys and shared keys.
///
/// The receiver only reads them.
public protocol DeviceKeyStore: Sendable {
  /// Returns the key that an envelope names, if the device still has it at `now`.
  ///
  /// - Throws: ``KeyStoreError``.
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey?

  /// The thumbprints of the keys that the device has at `now`, also of those that were replaced; none if the store cannot tell.
  ///
  /// A message to several devices has another ID on each, which depends on the key. So this says under which identifiers a
  /// message may be on the screen: see `Receiver.identifiers(of:)`.
  ///
  /// - Throws: ``KeyStoreError``.
  func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint]
}

extension DeviceKeyStore {
  /// None: the store cannot tell.
  public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] { [] }
}

/// Where a receiver looks up the public keys of the senders it trusts.
public protocol SenderKeyStore: Sendable {
  /// Returns the key that a signature names, if it is trusted at `now`.
  ///
  /// A store that forwards another store's keys must return the same ``SenderKey``, which knows when its signed set
  /// ends.
  ///
  /// - Throws: ``KeyStoreError``.
  func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey?
}

/// Why a key store cannot answer.
public enum KeyStoreError: Error, Equatable, Sendable {
  /// The store cannot be read before the first unlock after a restart. The key may still be there: retry later.
  case locked

  /// The store cannot be read for another reason, and a retry will not help. The key may still be there.
  ///
  /// It is distinguished from ``locked`` only for debugging, for example to find a missing entitlement. A receiver
  /// treats both alike, because the key may still exist.
  case unavailable
}

extension KeyStoreError: CustomStringConvertible {
  /// Why the store cannot answer.
  public var description: String {
    switch self {
    case .locked: "the keys cannot be read before the phone is first unlocked"
    case .unavailable: "the keys cannot be read"
    }
  }
}

/// Several key stores combined into one, for example a device's own keys and its shared keys.
public struct CombinedKeyStore: DeviceKeyStore {
  private let stores: [any DeviceKeyStore]

  /// Combines stores, which are searched in this order.
  public init(_ stores: any DeviceKeyStore...) { self.stores = stores }

  /// Returns the key with this ID from the first store that has it.
  ///
  /// Stores are searched by key ID, not by suite. If a later store has a key with the same ID for another suite, that
  /// key is not found, and messages sealed to it do not open.
  ///
  /// - Throws: The ``KeyStoreError`` of the first store that could not answer, if no other store has the key.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    var fault: KeyStoreError?
    for store in stores {
      do throws(KeyStoreError) {
        if let key = try store.deviceKey(for: id, at: now) { return key }
      } catch {
        fault = fault ?? error
      }
    }
    if let fault { throw fault }
    return nil
  }

  /// The thumbprints of the keys of all stores.
  ///
  /// - Throws: The ``KeyStoreError`` of the first store that could not answer.
  public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
    var all: [Thumbprint] = []
    for store in stores { all += try store.thumbprints(at: now) }
    return all
  }
}

extension KeyFile: DeviceKeyStore {
  /// Returns the device's key with this ID from the current contents of the file.
  ///
  /// The file is read at each lookup, so changes take effect at once and no key stays in memory. If the file is
  /// missing, there is no key. Each lookup in an encrypted file takes 256 MiB and about a second: load such a file
  /// once instead.
  ///
  /// - Throws: ``KeyStoreError/locked`` if the system denies access, as before the phone's first unlock;
  ///   ``KeyStoreError/unavailable`` if the file cannot be read for another reason, or the passphrase is wrong.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    try current()?.deviceKey(for: id, at: now)
  }

  /// The thumbprints of the device's keys, from the current contents of the file.
  ///
  /// - Throws: ``KeyStoreError``, as ``deviceKey(for:at:)``.
  public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
    try current()?.thumbprints(at: now) ?? []
  }

  /// The current contents; nil if the file is missing.
  private func current() throws(KeyStoreError) -> KeySet? {
    do throws(KeyFileError) {
      return try load()
    } catch {
      guard let error = KeyStoreError(error) else { return nil }
      throw error
    }
  }
}

extension PublicKeyFile: SenderKeyStore {
  /// Returns the sender's key with this ID from the current contents of the file.
  ///
  /// The file is read at each lookup, and all its keys are trusted. If the file is missing, there is no key.
  ///
  /// - Throws: ``KeyStoreError/locked`` if the system denies access, as before the phone's first unlock;
  ///   ``KeyStoreError/unavailable`` if the file cannot be read for another reason.
  public func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey? {
    let keySet: PublicKeySet
    do throws(KeyFileError) {
      keySet = try load()
    } catch {
      guard let error = KeyStoreError(error) else { return nil }
      throw error
    }
    return keySet.senderKey(for: id, at: now)
  }
}

extension KeyStoreError {
  /// Maps a file's error to the store's; nil if the file is missing, which means that there is no key.
  package init?(_ error: KeyFileError) {
    guard case .file(let error) = error.fault else {
      self = .unavailable
      return
    }
    self.init(error)
  }

  /// Maps the error of a file without private keys, in the same way.
  package init?(_ error: FileError) {
    switch error {
    case .missing: return nil
    case .notPermitted: self = .locked
    default: self = .unavailable
    }
  }
}
