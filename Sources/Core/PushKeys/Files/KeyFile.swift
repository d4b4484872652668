package import PushCrypto
internal import PushFiles

/// A private key set on disk, its owner's alone.
///
/// Any number of processes may load a file while one changes it: they see the old set or the new one, whole. A
/// process that is killed at any moment leaves one of the two, and at most a file `.<name>.<16 hex digits>.tmp`,
/// which the next change removes. Changes hold the folder's lock, the file `.sealed-push.<user ID>.lock` (`flock`), which
/// goes with the process.
public struct KeyFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  let passphrase: Passphrase?
  let patience: Duration
  let parameters: Argon2id.Parameters

  /// Names a file; nothing is read or written yet.
  ///
  /// With a passphrase, new files are encrypted, and encrypted files can be read and changed. An unencrypted file is
  /// rejected (``KeyFileFault/notEncrypted``) until ``setPassphrase(_:)``: somebody may have replaced the encrypted one
  /// with it. Passphrases work on Linux, and on a Mac with the package's trait `Sodium`: CryptoKit lacks the
  /// algorithms (``KeyFileFault/encryptionUnavailable``).
  public init(path: String, passphrase: Passphrase? = nil) {
    self.init(path: path, passphrase: passphrase, patience: .seconds(10))
  }

  /// Names a file whose lock is waited for no longer than `patience`, and to which a passphrase's key is made at the
  /// price of `parameters`.
  package init(
    path: String, passphrase: Passphrase? = nil, patience: Duration = .seconds(10),
    parameters: Argon2id.Parameters = .moderate
  ) {
    self.path = path
    self.passphrase = passphrase
    self.patience = patience
    self.parameters = parameters
  }

  /// Reads the set.
  ///
  /// Links are followed, and the file may belong to root. The file's group may read it if the mode does not let this
  /// user write it: secrets are mounted like that for a service. A file that is changed must be no link, and its user's
  /// alone.
  ///
  /// These are rejected: anything but a regular file; files of a third user, or to which others have access; paths on
  /// which somebody else could replace the file, a link, or a folder above them; more than 16 MiB.
  ///
  /// - Throws: ``KeyFileError``, with the ``KeySetError`` of a set that is at fault.
  public func load() throws(KeyFileError) -> KeySet {
    try naming { () throws(KeyFileFault) in
      try KeyFileContents(opening: try FileContents(ofSecretAt: path), with: passphrase).keySet
    }
  }

  /// Writes a new file, 0600 whatever the process's mask, and never over anything.
  ///
  /// A crash leaves nothing or the whole file.
  ///
  /// - Throws: ``KeyFileError``.
  public func create(_ keySet: KeySet) throws(KeyFileError) {
    try lockToCreate { () throws(KeyFileError) in try lock() }.write(keySet, over: nil)
  }

  /// Encrypts the file with another passphrase, or decrypts it if `new` is nil; the file may be unencrypted.
  ///
  /// This value keeps its own passphrase, and no longer opens the file.
  ///
  /// - Throws: ``KeyFileError``; the file is unchanged then, except after `FileError.notDurable`.
  public func setPassphrase(_ new: Passphrase?) throws(KeyFileError) {
    let file = try lock()
    let old = try file.load(admitsPlain: true)
    try file.encrypt(old.keySet, with: new, isReplacing: true)
  }

  /// Changes the set under the lock: loads it, lets `change` edit it, and puts the new set in its place.
  ///
  /// If `change` throws, or changes nothing, the file stays as it is. Concurrent changes take effect one after the
  /// other. A system error leaves the old set, except `FileError.notDurable`.
  ///
  /// - Throws: ``KeyFileError``; `FileError.busy` after 10 seconds without the lock; `FileError.lockNotOwn(name:)`
  ///   if somebody else may have the lock's file.
  @discardableResult
  public func update<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    try update(change) { (result, _) in result }
  }

  /// Changes the set as `update(_:)` does, with a closure whose errors have any type.
  ///
  /// - Throws: ``KeyFileError``, or what `change` throws; then the file stays as it is.
  @_disfavoredOverload
  @discardableResult
  public func update<Result>(_ change: (inout KeySetEditor) throws -> Result) throws -> Result {
    try update { (editor) throws(KeySetError) in try editor.trying(change) }.get()
  }

  /// Changes the set as `update(_:)` does, and writes its public keys to `file` while the lock is still held.
  ///
  /// So an older public set never replaces a newer one. An old file is replaced, unless it has private keys.
  ///
  /// - Throws: ``KeyFileError``. If it has the path of `file`, the change may have been made: load the set, and write its
  ///   ``KeySet/publicKeys`` yourself.
  @discardableResult
  public func update<Result>(
    writingPublicKeysTo file: PublicKeyFile, _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    let output = OutputFile(path: file.path)
    guard !output.hasPrivateKeys else {
      throw KeyFileError(.keySet(.privateKeyInPublicSet(index: 0)), path: file.path)
    }
    try output.prepare()
    let work = { (editor: inout KeySetEditor) throws(KeySetError) -> (Result, [UInt8]) in
      (try change(&editor), try editor.keySet.publicKeys.encoded())
    }
    let written = try update(work) { (result, _) -> Swift.Result<Result, KeyFileError> in
      do throws(KeyFileError) {
        try output.write(result.1.span, isReplacing: true)
        return .success(result.0)
      } catch {
        return .failure(error)
      }
    }
    return try written.get()
  }

  /// Changes the set as `update(writingPublicKeysTo:_:)` does, with a closure whose errors have any type.
  ///
  /// - Throws: ``KeyFileError``, or what `change` throws; then both files stay as they are.
  @_disfavoredOverload
  @discardableResult
  public func update<Result>(
    writingPublicKeysTo file: PublicKeyFile, _ change: (inout KeySetEditor) throws -> Result
  ) throws -> Result {
    try update(writingPublicKeysTo: file) { (editor) throws(KeySetError) in
      try editor.trying(change)
    }.get()
  }

  /// Changes the set as `update(_:)` does, and calls `publish` with the result of `change` and the new set while the
  /// lock is still held.
  package func update<Result, Published>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result,
    publishing publish: (Result, KeySet) -> Published
  ) throws(KeyFileError) -> Published {
    let file = try lock()
    let (result, keySet) = try file.update(change)
    return withExtendedLifetime(file) { publish(result, keySet) }
  }

  /// Waits for the lock of the file's folder.
  ///
  /// - Throws: ``KeyFileError``; `file(.missing)` if there is no folder.
  package func lock() throws(KeyFileError) -> LockedKeyFile { try LockedKeyFile(self) }

  /// Makes the folder, 0700, unless it is there; not those above it.
  ///
  /// - Throws: ``KeyFileError``.
  package func makeFolder() throws(KeyFileError) {
    try naming { () throws(KeyFileFault) in
      do throws(FileError) {
        try Folder.make(at: try FileLocation(path).folder)
      } catch .missing {
        throw .folderMissing
      } catch {
        throw .file(error)
      }
    }
  }

  /// Runs work on the file, and adds the path to its error.
  func naming<Result: ~Copyable>(
    _ work: () throws(KeyFileFault) -> Result
  ) throws(KeyFileError) -> Result {
    try KeyFileError.at(path, running: work)
  }

  /// Takes the lock to create a file; the error for a missing folder is then ``KeyFileFault/folderMissing``.
  private func lockToCreate(
    _ lock: () throws(KeyFileError) -> LockedKeyFile
  ) throws(KeyFileError) -> LockedKeyFile {
    do throws(KeyFileError) {
      return try lock()
    } catch {
      throw error.fault == .file(.missing) ? KeyFileError(.folderMissing, path: path) : error
    }
  }
}

extension KeySetEditor {
  /// Makes a change whose errors have any type; after one that is not its own, the set is as before.
  fileprivate mutating func trying<Value>(
    _ change: (inout KeySetEditor) throws -> Value
  ) throws(KeySetError) -> Result<Value, any Error> {
    let old = self
    do {
      return .success(try change(&self))
    } catch let error as KeySetError {
      throw error
    } catch {
      self = old
      return .failure(error)
    }
  }
}

/// Rehearsals of changes, which fail where the changes would fail before writing.
extension KeyFile {
  /// Does what `update(_:)` does except for writing.
  ///
  /// - Throws: ``KeyFileError``.
  package func rehearse<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    try LockedKeyFile(rehearsing: self).rehearse(change)
  }

  /// Checks that a new file could be made, and makes none.
  ///
  /// - Throws: ``KeyFileError``.
  package func rehearseCreation() throws(KeyFileError) {
    _ = try lockToCreate { () throws(KeyFileError) in try LockedKeyFile(rehearsing: self) }
  }

  /// Checks that the file loads, encrypted or not, as ``setPassphrase(_:)`` needs it.
  ///
  /// - Throws: ``KeyFileError``.
  package func checkPassphrase() throws(KeyFileError) {
    _ = try LockedKeyFile(rehearsing: self).load(admitsPlain: true)
  }
}
