// Code that catches an error can use its payload without importing PushFiles, which is not a product.
@_exported public import PushFiles

/// Why a key file cannot be read or written, and which file it is.
public struct KeyFileError: Error, Equatable, Sendable {
  /// What is wrong.
  public let fault: KeyFileFault

  /// The file's path, as it was given.
  public let path: String

  /// Makes an error.
  public init(_ fault: KeyFileFault, path: String) {
    self.fault = fault
    self.path = path
  }

  /// Runs work on the file at a path, and adds the path to its error.
  static func at<Result: ~Copyable>(
    _ path: String, running work: () throws(KeyFileFault) -> Result
  ) throws(KeyFileError) -> Result {
    do throws(KeyFileFault) {
      return try work()
    } catch {
      throw KeyFileError(error, path: path)
    }
  }
}

/// What is wrong with a key file.
public enum KeyFileFault: Error, Equatable, Sendable {
  /// The file cannot be read or written, whatever it contains; `FileError` says why.
  ///
  /// A key file is `FileError.tooLarge` above 16 MiB.
  case file(FileError)
  /// A new file cannot be made, because its folder does not exist.
  case folderMissing
  /// The group or others have access to the file: its permission bits, which should be 0600 or fewer, or 0440 where
  /// the file is only read.
  case tooPermissive(mode: UInt32)
  /// The file belongs to another user, whom not even root trusts. A file that is only read may belong to root.
  case wrongOwner
  /// The file is encrypted, and no passphrase was given.
  case passphraseNeeded
  /// The file is not encrypted, although a passphrase was given: it may be an older copy, or planted.
  case notEncrypted
  /// The passphrase does not open the file.
  case wrongPassphrase
  /// The file is encrypted and was altered or truncated; no passphrase was tried.
  case damaged
  /// The file is encrypted and asks for more than 16 passes or 1 GiB, or for less than 1 pass or 8 KiB.
  ///
  /// No file written by this package does: somebody changed it.
  case unreasonableParameters
  /// The system does not have the memory that the passphrase needs, usually 256 MiB.
  case notEnoughMemory
  /// A passphrase needs Argon2id and XChaCha20-Poly1305, which CryptoKit does not have.
  case encryptionUnavailable
  /// The keys in the file, or the change to be made, are invalid.
  case keySet(KeySetError)

  /// Runs work that fails only as any file can.
  static func converting<Result: ~Copyable>(
    _ work: () throws(FileError) -> Result
  ) throws(KeyFileFault) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      throw .file(error)
    }
  }
}

extension KeyFileError: CustomStringConvertible {
  /// What is wrong with which file, in a sentence without secrets.
  public var description: String {
    let path = PrintableText.escaped(path)
    return switch fault {
    case .file(let error): error.sentence(about: path)
    case .folderMissing: "cannot create \(path): its folder does not exist"
    case .tooPermissive(let mode):
      "\(path) can be read or written by others (mode \(PrintableText.mode(mode)))"
    case .wrongOwner: "\(path) belongs to another user"
    case .passphraseNeeded: "\(path) is encrypted: its passphrase is needed"
    case .notEncrypted: "\(path) is not encrypted, but a passphrase was given"
    case .wrongPassphrase: "that is not the passphrase of \(path)"
    case .damaged: "\(path) is damaged"
    case .unreasonableParameters:
      "\(path) asks for more memory or time than any key file that sealpush makes"
    case .notEnoughMemory: "there is not enough memory to check the passphrase of \(path)"
    case .encryptionUnavailable: "this build cannot encrypt or decrypt \(path)"
    case .keySet(let error): "\(path): \(error.reason)"
    }
  }
}

extension KeyFileFault: CustomStringConvertible {
  /// What is wrong; ``KeyFileError`` says with which file.
  public var description: String {
    if case .file(let error) = self { return error.description }
    return KeyFileError(self, path: "the key file").description
  }
}

extension FileError {
  /// What is wrong with a file that has keys, at a path that may be shown.
  package func sentence(about path: String) -> String {
    switch self {
    case .missing: "there is no \(path)"
    case .exists: "\(path) exists, and key files are never replaced"
    case .notRegularFile(let kind): "\(path) is not a regular file but a \(kind.rawValue)"
    case .folderWritableByOthers(let folder, let mode):
      "others can replace \(path): \(PrintableText.escaped(folder)) has mode \(PrintableText.mode(mode))"
    case .folderOfAnotherUser(let folder, let owner):
      "\(PrintableText.escaped(folder)) belongs to another user (\(owner)), who can replace \(path)"
    case .linkOfAnotherUser(let link, let owner):
      "the link \(PrintableText.escaped(link)) belongs to another user (\(owner)), who can replace \(path)"
    case .lockNotOwn: "\(path): \(self)"
    case .notPermitted: "\(path): not permitted"
    case .tooLarge: "\(path) is larger than any key file"
    case .notDurable: "\(path) is changed, but the disk did not confirm it"
    case .busy: "another process is changing \(path)"
    case .system(let call, let errno): "\(path): \(call): \(SystemMessage.text(of: errno))"
    }
  }
}
