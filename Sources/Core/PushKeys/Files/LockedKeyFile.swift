internal import PushCrypto
internal import PushFiles

/// A key file whose folder's lock is held: what changes it, while nobody else can.
///
/// The lock is held for as long as this value lives, and the values of other files that share it.
package struct LockedKeyFile: ~Copyable {
  private let file: KeyFile
  private let location: FileLocation
  private let lock: HeldFolder

  /// Waits for the lock of the file's folder, and removes what killed processes left of the file.
  ///
  /// - Throws: ``KeyFileError``; `file(.missing)` if there is no folder.
  init(_ file: KeyFile) throws(KeyFileError) {
    let (location, lock) = try file.naming { () throws(KeyFileFault) in
      try KeyFileFault.converting { () throws(FileError) in
        let location = try FileLocation(file.path)
        var folder = try Folder(location.folder, isGuarded: true)
        try folder.lock(within: file.patience)
        try folder.removeStaleFiles(of: location)
        return (location, HeldFolder(folder))
      }
    }
    self.file = file
    self.location = location
    self.lock = lock
  }

  /// Shares the lock that is held for another file in the same folder.
  ///
  /// - Throws: ``KeyFileError``.
  package init(_ file: KeyFile, besides other: borrowing LockedKeyFile) throws(KeyFileError) {
    let lock = other.lock
    let location = try file.naming { () throws(KeyFileFault) in
      try KeyFileFault.converting { () throws(FileError) in
        let location = try FileLocation(file.path)
        try lock.folder.removeStaleFiles(of: location)
        return location
      }
    }
    self.file = file
    self.location = location
    self.lock = lock
  }

  /// Opens the folder, if files can be made in it, and holds its lock, if it has one: a rehearsal makes no file, and
  /// must not write.
  ///
  /// - Throws: ``KeyFileError``; `file(.missing)` if there is no folder.
  init(rehearsing file: KeyFile) throws(KeyFileError) {
    let (location, lock) = try file.naming { () throws(KeyFileFault) in
      try KeyFileFault.converting { () throws(FileError) in
        let location = try FileLocation(file.path)
        var folder = try Folder(location.folder, isGuarded: true)
        do throws(FileError) {
          try folder.lock(within: file.patience, isMaking: false)
        } catch .missing {}
        try folder.checkWritable()
        return (location, HeldFolder(folder))
      }
    }
    self.file = file
    self.location = location
    self.lock = lock
  }

  /// What is in the file, which must be this user's alone.
  ///
  /// An unencrypted file is rejected if there is a passphrase, unless `admitsPlain`.
  ///
  /// - Throws: ``KeyFileError``; `file(.missing)` if there is none.
  package func load(admitsPlain: Bool = false) throws(KeyFileError) -> KeyFileContents {
    try file.naming { () throws(KeyFileFault) in
      let contents = try KeyFileFault.converting { () throws(FileError) in
        try lock.folder.open(location.name, isFollowingLinks: false)
      }
      try Self.checkOwn(contents)
      return try KeyFileContents(
        opening: try FileContents(of: contents), with: file.passphrase, admitsPlain: admitsPlain)
    }
  }

  /// What is in the file; nil if there is none.
  ///
  /// - Throws: ``KeyFileError``.
  package func loadIfThere() throws(KeyFileError) -> KeyFileContents? {
    do throws(KeyFileError) {
      return try load()
    } catch {
      guard error.fault == .file(.missing) else { throw error }
      return nil
    }
  }

  /// Checks that a file which is to be changed is this user's alone.
  private static func checkOwn(_ file: borrowing FileDescriptor) throws(KeyFileFault) {
    let status = try KeyFileFault.converting { () throws(FileError) in try file.status }
    if let kind = status.kind { throw .file(.notRegularFile(kind)) }
    guard status.isOwn else { throw .wrongOwner }
    guard status.isOursAlone else { throw .tooPermissive(mode: status.permissions) }
  }

  /// Writes a set in the place of another, if the two differ, or a new file.
  ///
  /// - Throws: ``KeyFileError``.
  package func write(_ keySet: KeySet, over old: KeyFileContents?) throws(KeyFileError) {
    guard let old else { return try encrypt(keySet, with: file.passphrase, isReplacing: false) }
    guard keySet.records != old.keySet.records || keySet.serial != old.keySet.serial else { return }
    try file.naming { () throws(KeyFileFault) in try write(keySet, with: old.key, isReplacing: true) }
  }

  /// Writes a set under a passphrase's new key, or unencrypted without one.
  ///
  /// - Throws: ``KeyFileError``.
  func encrypt(_ keySet: KeySet, with passphrase: Passphrase?, isReplacing: Bool) throws(KeyFileError) {
    try file.naming { () throws(KeyFileFault) in
      let key = try passphrase.map { (passphrase) throws(KeyFileFault) in
        try FileKey(new: passphrase, parameters: file.parameters, random: SystemRandom())
      }
      try write(keySet, with: key, isReplacing: isReplacing)
    }
  }

  private func write(_ keySet: KeySet, with key: FileKey?, isReplacing: Bool) throws(KeyFileFault) {
    var bytes = try KeyFileContents(keySet: keySet, key: key).encoded()
    defer { bytes.wipe() }
    try put(bytes.span, isReplacing: isReplacing)
  }

  /// Writes another form of a key.
  ///
  /// - Throws: ``KeyFileError``.
  func write(_ bytes: Span<UInt8>, isReplacing: Bool) throws(KeyFileError) {
    try file.naming { () throws(KeyFileFault) in try put(bytes, isReplacing: isReplacing) }
  }

  /// Writes the file, its owner's alone, whole or not at all.
  private func put(_ bytes: Span<UInt8>, isReplacing: Bool) throws(KeyFileFault) {
    try KeyFileFault.converting { () throws(FileError) in
      try lock.folder.write(bytes, to: location, for: .owner, isReplacing: isReplacing)
    }
  }

  /// Changes the set, and puts the new one in its place.
  ///
  /// - Throws: ``KeyFileError``.
  func update<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    let old = try load()
    let changed = try edit(old.keySet, with: change)
    try write(changed.keySet, over: old)
    return changed
  }

  /// Does what `update(_:)` does except for writing.
  ///
  /// - Throws: ``KeyFileError``.
  func rehearse<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    try edit(try load().keySet, with: change)
  }

  private func edit<Result>(
    _ old: KeySet, with change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    var editor = KeySetEditor(old)
    do throws(KeySetError) {
      let result = try change(&editor)
      return (result, editor.keySet)
    } catch {
      throw KeyFileError(.keySet(error), path: file.path)
    }
  }

  /// Removes the file, if it is there.
  ///
  /// - Throws: ``KeyFileError``.
  package func remove() throws(KeyFileError) {
    try file.naming { () throws(KeyFileFault) in
      do throws(FileError) {
        try lock.folder.removeFile(location.name)
      } catch .missing {
      } catch {
        throw .file(error)
      }
    }
  }
}

/// A folder whose lock is held until it goes.
private final class HeldFolder {
  let folder: Folder

  init(_ folder: consuming Folder) { self.folder = folder }
}
