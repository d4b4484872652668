internal import PushFiles

/// A public key set on disk.
public struct PublicKeyFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// Names a file, and touches nothing yet.
  public init(path: String) { self.path = path }

  /// Reads the set from a regular file of at most 16 MiB, through links if there are any.
  ///
  /// Whose the file is does not matter here: nothing in it is secret, and whether to trust it is the caller's to
  /// know.
  ///
  /// - Throws: ``KeyFileError``, with the ``KeySetError`` of a set that is at fault.
  public func load() throws(KeyFileError) -> PublicKeySet {
    let file = try KeyFileError.converting { () throws(FileError) in
      let location = try FileLocation(path)
      return try Folder(location.folder).open(location.name, isFollowingLinks: true)
    }
    let contents = try FileContents(of: file)
    // What a passphrase protects is private.
    guard !EncryptedKeySet.isEncrypted(contents.bytes) else {
      throw .keySet(.privateKeyInPublicSet(index: 0))
    }
    do throws(KeySetError) {
      return try PublicKeySet(parsing: contents.bytes)
    } catch {
      throw .keySet(error)
    }
  }
}
