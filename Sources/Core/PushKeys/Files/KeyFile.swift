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

  private let passphrase: Passphrase?
  private let patience: Duration
  private let parameters: Argon2id.Parameters

  /// Names a file; nothing is read or written yet.
  ///
  /// With a passphrase, new files are encrypted, and encrypted files can be read and changed. An unencrypted file is
  /// rejected (``KeyFileFault/notEncrypted``) until ``setPassphrase(_:)``: somebody may have put it in the place of the
  /// encrypted one. Passphrases work on Linux, and on a Mac with the package's trait `Sodium`: CryptoKit lacks the
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
  /// Links are followed, and the file may belong to root. Its group may read it if the mode does not let this user
  /// write it: so are secrets mounted for a service. A change takes none of these.
  ///
  /// Rejected are anything but a regular file; files of a third user, or that others have access to; paths on which
  /// somebody else could replace the file, a link, or a folder above them; more than 16 MiB.
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
    try naming { () throws(KeyFileFault) in
      let folder: Folder
      do throws(KeyFileFault) {
        folder = try lock()
      } catch .file(.missing) {
        throw .folderMissing
      }
      try write(keySet, with: newKey(from: passphrase), in: folder, isReplacing: false)
    }
  }

  /// Encrypts the file with another passphrase, or decrypts it if `new` is nil; the file may be unencrypted.
  ///
  /// This value keeps its own passphrase, and no longer opens the file.
  ///
  /// - Throws: ``KeyFileError``; the file is unchanged then, except after ``FileError/notDurable``.
  public func setPassphrase(_ new: Passphrase?) throws(KeyFileError) {
    try naming { () throws(KeyFileFault) in
      let folder = try lock()
      let old = try load(in: folder, admitsPlain: true)
      try write(old.keySet, with: newKey(from: new), in: folder, isReplacing: true)
    }
  }

  /// Changes the set under the lock: loads it, lets `change` edit it, and puts the new set in its place.
  ///
  /// If `change` throws, or changes nothing, the file stays as it is. Concurrent changes take effect one after the
  /// other. A system error leaves the old set, except ``FileError/notDurable``.
  ///
  /// - Throws: ``KeyFileError``; ``FileError/busy`` after 10 seconds without the lock; ``FileError/lockNotOwn(name:)``
  ///   if somebody else may have the lock's file.
  @discardableResult
  public func update<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> Result {
    try update(change) { (result, _) in result }
  }

  /// Runs work on the file, and adds the path to its error.
  package func naming<Result: ~Copyable>(
    _ work: () throws(KeyFileFault) -> Result
  ) throws(KeyFileError) -> Result {
    try KeyFileError.at(path, running: work)
  }

  private var location: FileLocation {
    get throws(KeyFileFault) {
      try KeyFileFault.converting { () throws(FileError) in try FileLocation(path) }
    }
  }

  /// Makes the folder, 0700, unless it is there; not those above it.
  package func makeFolder() throws(KeyFileFault) {
    let location = try location
    do throws(FileError) {
      try Folder.make(at: location.folder)
    } catch .missing {
      throw .folderMissing
    } catch {
      throw .file(error)
    }
  }

  /// Opens the folder, if nobody else can put another file there.
  func folder() throws(KeyFileFault) -> Folder {
    let location = try location
    return try KeyFileFault.converting { () throws(FileError) in
      try Folder(location.folder, isGuarded: true)
    }
  }

  /// Opens the folder, and holds its lock for as long as the result lives.
  package func lock() throws(KeyFileFault) -> Folder {
    let location = try location
    return try KeyFileFault.converting { () throws(FileError) in
      var folder = try Folder(location.folder, isGuarded: true)
      try folder.lock(within: patience)
      try folder.removeStaleFiles(of: location)
      return folder
    }
  }

  /// Removes the temporary files of killed processes, while the caller holds the lock.
  package func removeStaleFiles(in folder: borrowing Folder) throws(KeyFileFault) {
    let location = try location
    try KeyFileFault.converting { () throws(FileError) in try folder.removeStaleFiles(of: location) }
  }

  /// Removes the file, if it is there, while the caller holds the lock.
  package func remove(in folder: borrowing Folder) throws(KeyFileFault) {
    let location = try location
    do throws(FileError) {
      try folder.removeFile(location.name)
    } catch .missing {
    } catch {
      throw .file(error)
    }
  }

  /// What is in the file; nil if there is none.
  package func loadIfThere(in folder: borrowing Folder) throws(KeyFileFault) -> KeyFileContents? {
    do throws(KeyFileFault) {
      return try load(in: folder)
    } catch .file(.missing) {
      return nil
    }
  }

  /// What is in the file, which must be this user's alone.
  ///
  /// An unencrypted file is rejected if there is a passphrase, unless `admitsPlain`.
  func load(
    in folder: borrowing Folder, admitsPlain: Bool = false
  ) throws(KeyFileFault) -> KeyFileContents {
    let name = try location.name
    let file = try KeyFileFault.converting { () throws(FileError) in
      try folder.open(name, isFollowingLinks: false)
    }
    try Self.checkOwn(file)
    return try KeyFileContents(
      opening: try FileContents(of: file), with: passphrase, admitsPlain: admitsPlain)
  }

  /// A key with a new salt; nil without a passphrase.
  private func newKey(from passphrase: Passphrase?) throws(KeyFileFault) -> FileKey? {
    guard let passphrase else { return nil }
    return try FileKey(new: passphrase, parameters: parameters, random: SystemRandom())
  }

  /// Checks that a file which is to be changed is this user's alone.
  private static func checkOwn(_ file: borrowing FileDescriptor) throws(KeyFileFault) {
    let status = try KeyFileFault.converting { () throws(FileError) in try file.status }
    if let kind = status.kind { throw .file(.notRegularFile(kind)) }
    guard status.isOwn else { throw .wrongOwner }
    guard status.isOursAlone else { throw .tooPermissive(mode: status.permissions) }
  }

  /// Writes a set in the place of another, if it is another, or a new file.
  package func write(_ keySet: KeySet, over old: KeyFileContents?, in folder: borrowing Folder)
    throws(KeyFileFault)
  {
    guard let old else {
      return try write(keySet, with: newKey(from: passphrase), in: folder, isReplacing: false)
    }
    guard keySet.records != old.keySet.records || keySet.serial != old.keySet.serial else { return }
    try write(keySet, with: old.key, in: folder, isReplacing: true)
  }

  private func write(
    _ keySet: KeySet, with key: FileKey?, in folder: borrowing Folder, isReplacing: Bool
  ) throws(KeyFileFault) {
    let location = try location
    var bytes = try KeyFileContents(keySet: keySet, key: key).encoded()
    defer { bytes.wipe() }
    let span = bytes.span
    try KeyFileFault.converting { () throws(FileError) in
      try folder.write(span, to: location, for: .owner, isReplacing: isReplacing)
    }
  }
}

extension KeyFile {
  /// Changes the set as ``update(_:)``, and calls `publish` with what `change` gave and the set that the file has now,
  /// before anybody else can change it.
  package func update<Result, Published>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result,
    publishing publish: (Result, KeySet) -> Published
  ) throws(KeyFileError) -> Published {
    try naming { () throws(KeyFileFault) in
      let folder = try lock()
      let old = try load(in: folder)
      let (result, new) = try Self.changed(old.keySet, by: change)
      try write(new, over: old, in: folder)
      return withExtendedLifetime(folder) { publish(result, new) }
    }
  }

  /// Does what ``update(_:)`` does except for writing, and fails where that would fail before writing.
  package func rehearse<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    try naming { () throws(KeyFileFault) in
      let folder = try lockToRehearse()
      return try Self.changed(try load(in: folder).keySet, by: change)
    }
  }

  private static func changed<Result>(
    _ old: KeySet, by change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileFault) -> (result: Result, keySet: KeySet) {
    var editor = KeySetEditor(old)
    do throws(KeySetError) {
      let result = try change(&editor)
      return (result, editor.keySet)
    } catch {
      throw .keySet(error)
    }
  }

  /// Checks that a new file could be made, and makes none.
  package func rehearseCreation() throws(KeyFileError) {
    try naming { () throws(KeyFileFault) in
      do throws(KeyFileFault) {
        _ = try lockToRehearse()
      } catch .file(.missing) {
        throw .folderMissing
      }
    }
  }

  /// Checks that the file loads, encrypted or not, as ``setPassphrase(_:)`` needs it.
  package func checkPassphrase() throws(KeyFileError) {
    try naming { () throws(KeyFileFault) in _ = try load(in: folder(), admitsPlain: true) }
  }

  /// Opens the folder, if files can be made in it, and holds its lock, if it has one: a rehearsal makes no file.
  private func lockToRehearse() throws(KeyFileFault) -> Folder {
    let location = try location
    return try KeyFileFault.converting { () throws(FileError) in
      var folder = try Folder(location.folder, isGuarded: true)
      do throws(FileError) {
        try folder.lock(within: patience, isMaking: false)
      } catch .missing {}
      try folder.checkWritable()
      return folder
    }
  }
}
