// Code that catches an error can use its payload without importing PushFiles, which is not a product.
@_exported public import PushFiles

/// Why a file of keys cannot be read or written.
public enum KeyFileError: Error, Equatable, Sendable {
  /// There is no such file, or no such folder.
  case missing
  /// There is something of that name already.
  case exists
  /// It is no regular file.
  case notRegularFile(FileKind)
  /// The group or others may do something with it: its permission bits, which should be 0600 or fewer.
  case tooPermissive(mode: UInt32)
  /// It belongs to another user. Nobody is an exception, root included.
  case wrongOwner
  /// Somebody else could put another file in its place: the group or others may write to the folder, which has no
  /// sticky bit.
  case folderWritableByOthers
  /// Somebody else could put another file in its place: the folder is another user's, and not root's.
  case folderOfAnotherUser
  /// The system does not permit it.
  case notPermitted
  /// It has more than 16 MiB.
  case tooLarge
  /// Others kept the folder locked, or changed the file while it was read.
  case busy
  /// The file is encrypted, and no passphrase was given.
  case passphraseNeeded
  /// The file is not encrypted, and a passphrase was given: it may be an older copy, or one that somebody put there.
  case notEncrypted
  /// The passphrase does not open the file.
  case wrongPassphrase
  /// The file is encrypted, and is not as it was written; no passphrase was tried.
  case damaged
  /// The file is encrypted, and asks for more than 16 passes or 1 GiB, or for less than 1 pass or 8 KiB.
  ///
  /// None that was written here does: somebody changed it.
  case unreasonableParameters
  /// The system has not the memory that the passphrase needs, usually 256 MiB.
  case notEnoughMemory
  /// A passphrase needs Argon2id and XChaCha20-Poly1305, which the system's library, CryptoKit, does not
  /// have.
  case encryptionUnavailable
  /// What the file holds, or what was to be done with it, is at fault.
  case keySet(KeySetError)
  /// The change is in the file, but the disk did not confirm it: a power failure may undo it.
  case notDurable
  /// Something else that the system said: which call, and its `errno`.
  case system(call: String, errno: Int32)

  /// What an error of any file is, of a file of keys.
  init(_ error: FileError) {
    switch error {
    case .missing: self = .missing
    case .exists: self = .exists
    case .notRegularFile(let kind): self = .notRegularFile(kind)
    case .folderWritableByOthers: self = .folderWritableByOthers
    case .folderOfAnotherUser: self = .folderOfAnotherUser
    case .notPermitted: self = .notPermitted
    case .tooLarge: self = .tooLarge
    case .busy: self = .busy
    case .notDurable: self = .notDurable
    case .system(let call, let errno): self = .system(call: call, errno: errno)
    }
  }

  /// Runs what can fail only as a file can.
  static func converting<Result: ~Copyable>(
    _ work: () throws(FileError) -> Result
  ) throws(KeyFileError) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      throw KeyFileError(error)
    }
  }
}
