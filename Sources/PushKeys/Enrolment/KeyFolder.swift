public import PushEnvelope
internal import PushFiles

/// A folder with an app's keys: a file for those that open, which the extension reads, and one for the identity, which
/// only the app does.
///
/// Both are as ``KeyFile`` keeps them, and changes of both are one after the other. On Apple's systems files are part of
/// backups, and an identity must not be: there `KeychainKeyStore` is the place.
public struct KeyFolder: EnrolmentStore {
  /// The file of the keys that open.
  public let device: KeyFile

  /// The file of the identity.
  public let identity: KeyFile

  /// Names the files, and touches nothing yet.
  public init(
    path: String, device: String = "device.jwks", identity: String = "identity.jwks",
    passphrase: Passphrase? = nil
  ) {
    let prefix = path.hasSuffix("/") ? path : "\(path)/"
    self.device = KeyFile(path: prefix + device, passphrase: passphrase)
    self.identity = KeyFile(path: prefix + identity, passphrase: passphrase)
  }

  /// The device's key of that name, from the set as the file has it now.
  ///
  /// - Throws: ``KeyStoreError``, as of ``KeyFile``.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    try device.deviceKey(for: id, at: now)
  }

  /// Changes the keys under the folder's lock; the file that opens is written first, so that nothing is signed that is
  /// not there.
  ///
  /// - Throws: ``KeyFileError``.
  public func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result? {
    let folder = try device.lock()
    try identity.removeStaleFiles(in: folder)
    let (oldDevice, oldIdentity) = (try device.loadIfThere(in: folder), try identity.loadIfThere(in: folder))
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
      throw .keySet(error)
    }
    try device.write(keys.device, over: oldDevice, in: folder)
    try identity.write(keys.identity, over: oldIdentity, in: folder)
    return result
  }

  /// Removes both files, if they are there.
  ///
  /// The disk under them is not wiped.
  ///
  /// - Throws: ``KeyFileError``.
  public func remove() throws(KeyFileError) {
    let folder = try device.lock()
    for file in [identity, device] { try file.remove(in: folder) }
  }
}
