public import PushKeys
public import PushCore
internal import PushFiles

/// A folder with an app's keys: a file with the device keys for app and extension, and a file with the identity for the
/// app alone.
///
/// The first keys also make the folder (0700); the folder above it must exist. Both files are `KeyFile`s, and one
/// lock serializes changes of both. Do not use it on Apple platforms: files are backed up there, but an identity must
/// not be. Use `KeychainEnrolmentStore` instead.
public struct KeyFolder: EnrolmentStore {
  /// The file of the device keys.
  public let device: KeyFile

  /// The file of the identity.
  public let identity: KeyFile

  /// Names the files, without accessing them.
  public init(
    path: String, device: String = "device.jwks", identity: String = "identity.jwks",
    passphrase: Passphrase? = nil
  ) {
    let prefix = path == "." ? "" : path.hasSuffix("/") ? path : "\(path)/"
    self.device = KeyFile(path: prefix + device, passphrase: passphrase)
    self.identity = KeyFile(path: prefix + identity, passphrase: passphrase)
  }

  /// Returns the device's key with this ID from the current contents of the file.
  ///
  /// - Throws: `KeyStoreError`, as `KeyFile` does.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    try device.deviceKey(for: id, at: now)
  }

  /// The thumbprints of the device's keys, from the current contents of the file.
  ///
  /// - Throws: `KeyStoreError`, as `KeyFile` does.
  public func thumbprints(at now: UnixTime) throws(KeyStoreError) -> [Thumbprint] {
    try device.thumbprints(at: now)
  }

  /// Changes the keys under the folder's lock.
  ///
  /// The device keys are written first, so that every signed key is stored already.
  ///
  /// - Throws: `KeyFileError`, which names the file.
  public func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result? {
    guard let suite else {
      guard let lockedDevice = try lock() else { return nil }
      return try update(lockedDevice, over: lockedDevice.loadIfThere(), orMake: nil, at: now, change)
    }
    try device.makeFolder()
    let lockedDevice = try device.lock()
    return try update(lockedDevice, over: lockedDevice.loadIfThere(), orMake: suite, at: now, change)
  }

  /// Changes the keys as ``update(orMake:at:_:)`` does, where there is a file of the device keys, and makes an identity if
  /// there is none.
  ///
  /// - Throws: `KeyFileError`, which names the file; `file(.missing)` without a file of the device keys.
  package func update<Result>(
    orMakeIdentityAt now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    let lockedDevice = try device.lock()
    let result = try update(
      lockedDevice, over: lockedDevice.load(), orMake: .x25519ChaChaPoly, at: now, change)
    guard let result else { preconditionFailure("keys are made if a suite is given") }
    return result
  }

  private func update<Result>(
    _ lockedDevice: borrowing LockedKeyFile, over oldDevice: KeyFileContents?, orMake suite: Suite?,
    at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result? {
    let lockedIdentity = try LockedKeyFile(identity, besides: lockedDevice)
    let oldIdentity = try lockedIdentity.loadIfThere()
    let result: Result
    var keys: DeviceKeys
    do throws(KeySetError) {
      guard
        let found = try DeviceKeys(
          device: oldDevice?.keySet, identity: oldIdentity?.keySet, orMake: suite, at: now)
      else { return nil }
      keys = found
      result = try change(&keys)
    } catch {
      let isIdentitys = oldIdentity.map { $0.keySet.role != .identity } ?? false
      throw KeyFileError(.keySet(error), path: isIdentitys ? identity.path : device.path)
    }
    try lockedDevice.write(keys.device, over: oldDevice)
    try lockedIdentity.write(keys.identity, over: oldIdentity)
    return result
  }

  /// Removes both files, if they exist.
  ///
  /// The contents on the disk are not wiped.
  ///
  /// - Throws: `KeyFileError`.
  public func remove() throws(KeyFileError) {
    guard let lockedDevice = try lock() else { return }
    try LockedKeyFile(identity, besides: lockedDevice).remove()
    try lockedDevice.remove()
  }

  /// The device's file under the folder's lock; nil if there is no folder.
  private func lock() throws(KeyFileError) -> LockedKeyFile? {
    do throws(KeyFileError) {
      return try device.lock()
    } catch {
      guard error.fault == .file(.missing) else { throw error }
      return nil
    }
  }
}
