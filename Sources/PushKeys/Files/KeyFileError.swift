// Code that catches an error can use its payload without importing PushFiles, which is not a product.
@_exported public import PushFiles

/// Why a key file cannot be read or written.
public enum KeyFileError: Error, Equatable, Sendable {
  /// The file cannot be read or written, whatever it contains; ``FileError`` says why.
  ///
  /// A key file is ``FileError/tooLarge`` above 16 MiB.
  case file(FileError)
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
  ) throws(KeyFileError) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      throw .file(error)
    }
  }
}
