internal import PushFiles

/// A public key set on disk.
public struct PublicKeyFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// Names a file; nothing is read yet.
  public init(path: String) { self.path = path }

  /// Reads the set from a regular file of at most 16 MiB, through links if there are any.
  ///
  /// The file's owner and the folders' permissions are not checked: nothing in it is secret, another user may have
  /// distributed it, and the caller decides whether to trust it.
  ///
  /// - Throws: ``KeyFileError``, with the ``KeySetError`` of an invalid set.
  public func load() throws(KeyFileError) -> PublicKeySet {
    try KeyFileError.at(path) { () throws(KeyFileFault) in try keys() }
  }

  private func keys() throws(KeyFileFault) -> PublicKeySet {
    let file = try KeyFileFault.converting { () throws(FileError) in
      let location = try FileLocation(path)
      return try Folder(location.folder).open(location.name, isFollowingLinks: true)
    }
    let contents = try FileContents(of: file)
    // Only private sets are encrypted.
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
