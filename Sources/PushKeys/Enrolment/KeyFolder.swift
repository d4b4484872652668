public import PushEnvelope
internal import PushFiles

/// A folder with an app's keys: a file for those that open, which the extension reads, and one for the identity, which
/// only the app does.
///
/// Both are as ``KeyFile`` keeps them, and changes of both are one after the other.
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
    orMake suite: Suite, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    let folder = try device.lock()
    try identity.removeStaleFiles(in: folder)
    let (oldDevice, oldIdentity) = (try device.loadIfThere(in: folder), try identity.loadIfThere(in: folder))
    let made = DeviceKeys(generating: suite, at: now)
    let result: Result
    var keys: DeviceKeys
    do throws(KeySetError) {
      keys = try DeviceKeys(
        device: oldDevice?.keySet ?? made.device, identity: oldIdentity?.keySet ?? made.identity)
      result = try change(&keys)
    } catch {
      throw .keySet(error)
    }
    try device.write(keys.device, over: oldDevice, in: folder)
    try identity.write(keys.identity, over: oldIdentity, in: folder)
    return result
  }
}
