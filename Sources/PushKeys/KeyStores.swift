public import PushEnvelope
internal import PushFiles

/// Where a receiver finds its device's private keys, and shared ones, which it only ever reads.
public protocol DeviceKeyStore: Sendable {
  /// The key that an envelope names, if the device still has it at `now`.
  ///
  /// - Throws: ``KeyStoreError``.
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey?
}

/// Where a receiver finds the public keys of the senders that it trusts.
public protocol SenderKeyStore: Sendable {
  /// The key that a signature names, if it is trusted at `now`.
  ///
  /// - Throws: ``KeyStoreError``.
  func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey?
}

/// Why a key store gives no answer.
public enum KeyStoreError: Error, Equatable, Sendable {
  /// It cannot be read before the phone is first unlocked. The key may well be there.
  case locked

  /// It cannot be read for another reason, which waiting does not mend. The key may well be there.
  ///
  /// It is told from ``locked`` for whoever looks for the fault, a missing entitlement for instance; a receiver
  /// treats both alike, because in neither case is the key known to be gone.
  case unavailable
}

/// Several key stores as one, as for a device that has shared keys beside its own.
public struct CombinedKeyStore: DeviceKeyStore {
  private let stores: [any DeviceKeyStore]

  /// Takes the stores, in the order in which they are asked.
  public init(_ stores: any DeviceKeyStore...) { self.stores = stores }

  /// The key of that name, from the first store that has it.
  ///
  /// A store is asked for a name, and not for a suite: should a later store have a key of the same name for another
  /// suite, it is not found, and what was sealed for it does not open.
  ///
  /// - Throws: ``KeyStoreError`` of the first store that gave no answer, if no other has the key.
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
}

extension KeyFile: DeviceKeyStore {
  /// The device's key of that name, from the set as the file has it now.
  ///
  /// The file is read at each look-up, so that a change is seen at once and nothing is kept in memory. Without a
  /// file there is no key. Each look-up in an encrypted one takes 256 MiB and a second or so: load it once instead.
  ///
  /// - Throws: ``KeyStoreError/locked`` if the system does not permit it, as before the phone is first unlocked;
  ///   ``KeyStoreError/unavailable`` if it cannot be read otherwise, or not without another passphrase.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    let keySet: KeySet
    do throws(KeyFileError) {
      keySet = try load()
    } catch {
      guard let error = KeyStoreError(error) else { return nil }
      throw error
    }
    return keySet.deviceKey(for: id, at: now)
  }
}

extension PublicKeyFile: SenderKeyStore {
  /// The sender's key of that name, from the set as the file has it now.
  ///
  /// The file is read at each look-up, and all its keys are trusted. Without a file there is no key.
  ///
  /// - Throws: ``KeyStoreError/locked`` if the system does not permit it, as before the phone is first unlocked;
  ///   ``KeyStoreError/unavailable`` if it cannot be read otherwise.
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
  /// What a file that cannot be read means to a store; null if there is no file, and so no key.
  package init?(_ error: KeyFileError) {
    guard case .file(let error) = error else {
      self = .unavailable
      return
    }
    self.init(error)
  }

  /// The same of a file that holds no private keys.
  init?(_ error: FileError) {
    switch error {
    case .missing: return nil
    case .notPermitted: self = .locked
    default: self = .unavailable
    }
  }
}
