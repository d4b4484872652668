#if canImport(Darwin)
  internal import Foundation

  /// The folder of an App Group, which the app and its extension share.
  ///
  /// Files in it are readable from the first unlock after a restart, unless the app asks for more, and are part of
  /// backups. A private key is better kept by `KeychainKeyStore`, which does not leave the device.
  public struct SharedFolder: Sendable {
    /// The path.
    public let path: String

    /// Finds the folder of a group, such as `group.com.example.app`.
    ///
    /// iOS knows the groups to which the process is entitled. macOS names a folder for any.
    ///
    /// - Throws: ``StorageError/noSharedFolder``.
    public init(appGroup: String) throws(StorageError) {
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
      guard let folder else { throw .noSharedFolder }
      path = folder.path(percentEncoded: false)
    }

    /// The path of a folder in it whose files can be read and written before the phone is first unlocked; it is made if
    /// it is not there.
    ///
    /// It is for the log and for kept envelopes, which hold no secret. The app makes it, at its first launch: files get
    /// the protection class of their folder when they are made.
    ///
    /// - Throws: ``StorageError/noSharedFolder``.
    public func unprotected(_ name: String) throws(StorageError) -> String {
      let path = path(of: name)
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true,
          attributes: [.protectionKey: FileProtectionType.none])
        return path
      } catch {
        throw .noSharedFolder
      }
    }

    /// The path of a name in the folder.
    public func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
  }
#endif
