#if canImport(Darwin)
  internal import Foundation

  /// The folder of an App Group, which the app and its extension share.
  ///
  /// Files in it are readable from the first unlock after a restart, unless the app asks for more, and are part of
  /// backups. Keep private keys in `KeychainKeyStore` instead: they then stay on the device.
  public struct SharedFolder: Sendable {
    /// The path.
    public let path: String

    /// Finds the folder of an App Group, such as `group.com.example.app`.
    ///
    /// iOS returns a folder only for groups to which the process is entitled, macOS for any group.
    ///
    /// - Throws: ``StorageError/noSharedFolder``.
    public init(appGroup: String) throws(StorageError) {
      let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
      guard let folder else { throw .noSharedFolder }
      path = folder.path(percentEncoded: false)
    }

    /// Creates a folder in this one, unless it exists, and returns its path: its files can be read and written before
    /// the phone is first unlocked.
    ///
    /// Files that the folder already has keep their protection class until they are written anew.
    ///
    /// Use it for the log and for kept envelopes, which hold no secret. Create it in the app, at its first launch: a new
    /// file gets the protection class of its folder.
    ///
    /// - Throws: ``StorageError/noSharedFolder``.
    public func unprotected(_ name: String) throws(StorageError) -> String {
      let path = path(of: name)
      do {
        let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.none]
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: attributes)
        #if !os(macOS)
          // A folder that existed before, such as one from a backup, keeps its class unless it is set.
          try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
        #endif
        return path
      } catch {
        throw .noSharedFolder
      }
    }

    /// The path of a name in the folder.
    public func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
  }
#endif
