package import PushCrypto
internal import PushFiles

/// A private key set on disk, its owner's alone.
///
/// Any number of processes may load a file while one changes it: they see the old set or the new one, whole. A
/// process that is killed at any moment leaves one of the two, and at most a file `.<name>.<16 hex digits>.tmp`,
/// which the next change removes. Changes hold a lock on the folder (`flock`) that goes with the process.
public struct KeyFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let passphrase: Passphrase?
  private let patience: Duration
  private let parameters: Argon2id.Parameters

  /// Names a file, and touches nothing yet.
  ///
  /// With a passphrase a new file is encrypted, and an encrypted one can be read and changed. One that is not
  /// encrypted stays so until ``setPassphrase(_:)``.
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
  /// Refused are: links and all that is no regular file; a file of another user, or one that the group or others
  /// may read or write; a folder in which somebody else could replace it; more than 16 MiB.
  ///
  /// - Throws: ``KeyFileError``, with the ``KeySetError`` of a set that is at fault.
  public func load() throws(KeyFileError) -> KeySet {
    let location = try location
    return try load(location.name, in: open(location)).keySet
  }

  /// Writes a new file, 0600 whatever the process's mask, and never over anything.
  ///
  /// A crash leaves nothing or the whole file.
  ///
  /// - Throws: ``KeyFileError``.
  public func create(_ keySet: KeySet) throws(KeyFileError) {
    let location = try location
    let folder = try lock(location)
    try write(keySet, newKey(passphrase), to: location, in: folder, isReplacing: false)
  }

  /// Encrypts the file anew, with another passphrase, or, without one, not at all.
  ///
  /// This value keeps the passphrase that it was made with, and no longer opens the file.
  ///
  /// - Throws: ``KeyFileError``; the file is as it was then, but for ``KeyFileError/notDurable``.
  public func setPassphrase(_ new: Passphrase?) throws(KeyFileError) {
    let location = try location
    let folder = try lock(location)
    let keySet = try load(location.name, in: folder).keySet
    try write(keySet, newKey(new), to: location, in: folder, isReplacing: true)
  }

  /// Changes the set under the lock: loads it, lets `change` edit it, and puts the new set in its place.
  ///
  /// If `change` throws, or changes nothing, the file stays as it is. Two changes at once both take effect, one
  /// after the other. An error from the system leaves the old set, but for ``KeyFileError/notDurable``.
  ///
  /// - Throws: ``KeyFileError``; ``KeyFileError/busy`` after 10 seconds without the lock.
  @discardableResult
  public func update<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    let location = try location
    let folder = try lock(location)
    let old = try load(location.name, in: folder)
    var editor = KeySetEditor(old.keySet)
    let result: Result
    do throws(KeySetError) {
      result = try change(&editor)
    } catch {
      throw .keySet(error)
    }
    if editor.keySet.records != old.keySet.records {
      try write(editor.keySet, old.key, to: location, in: folder, isReplacing: true)
    }
    return result
  }

  private var location: FileLocation {
    get throws(KeyFileError) {
      try KeyFileError.converting { () throws(FileError) in try FileLocation(path) }
    }
  }

  private func open(_ location: FileLocation) throws(KeyFileError) -> Folder {
    try KeyFileError.converting { () throws(FileError) in try Folder(location.folder) }
  }

  /// Opens the folder, and holds its lock for as long as the result lives.
  private func lock(_ location: FileLocation) throws(KeyFileError) -> Folder {
    try KeyFileError.converting { () throws(FileError) in
      let folder = try Folder(location.folder)
      try folder.checkOwnership()
      try folder.lock(within: patience)
      try folder.removeStaleFiles(of: location)
      return folder
    }
  }

  /// The set, and the key that it is encrypted with, if it is.
  private func load(
    _ name: String, in folder: borrowing Folder
  ) throws(KeyFileError) -> (keySet: KeySet, key: FileKey?) {
    let file = try KeyFileError.converting { () throws(FileError) in
      try folder.open(name, isFollowingLinks: false)
    }
    try check(file, in: folder)
    let contents = try FileContents(of: file)
    guard EncryptedKeySet.isEncrypted(contents.bytes) else { return (try Self.parse(contents.bytes), nil) }
    let encrypted = try EncryptedKeySet(parsing: contents.bytes)
    guard let passphrase else { throw .passphraseNeeded }
    let key = try FileKey(passphrase, salt: encrypted.header.salt, encrypted.header.parameters)
    let plaintext = try key.decrypt(encrypted)
    return (try Self.parse(plaintext.exposedBytes), key)
  }

  private static func parse(_ bytes: Span<UInt8>) throws(KeyFileError) -> KeySet {
    do throws(KeySetError) {
      return try KeySet(parsing: bytes)
    } catch {
      throw .keySet(error)
    }
  }

  /// A key with a salt of its own; null without a passphrase.
  private func newKey(_ passphrase: Passphrase?) throws(KeyFileError) -> FileKey? {
    guard let passphrase else { return nil }
    return try FileKey(new: passphrase, parameters, random: SystemRandom())
  }

  private func check(
    _ file: borrowing FileDescriptor, in folder: borrowing Folder
  ) throws(KeyFileError) {
    let status = try KeyFileError.converting { () throws(FileError) in try file.status }
    if let kind = status.kind { throw .notRegularFile(FileKind(kind)) }
    guard status.isOwn else { throw .wrongOwner }
    guard status.permissions & 0o077 == 0 else { throw .tooPermissive(mode: status.permissions) }
    try KeyFileError.converting { () throws(FileError) in try folder.checkOwnership() }
  }

  private func write(
    _ keySet: KeySet, _ key: FileKey?, to location: FileLocation, in folder: borrowing Folder,
    isReplacing: Bool
  ) throws(KeyFileError) {
    var bytes = keySet.encoded()
    defer { bytes.wipe() }
    if let key {
      var encrypted = key.encrypt(bytes.span, random: SystemRandom()).encoded()
      swap(&bytes, &encrypted)
      encrypted.wipe()
    }
    let span = bytes.span
    try KeyFileError.converting { () throws(FileError) in
      try folder.write(span, to: location, for: .owner, isReplacing: isReplacing)
    }
  }
}
