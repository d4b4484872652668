internal import PushFiles
public import PushEnvelope

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
