internal import PushFiles

extension KeyFile {
  /// Changes the set as ``update(_:)``, and calls `publish` with what `change` gave and the set that the file has now,
  /// before anybody else can change it.
  package func update<Result, Published>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result,
    publishing publish: (Result, KeySet) -> Published
  ) throws(KeyFileError) -> Published {
    let folder = try lock()
    let old = try load(in: folder)
    let (result, new) = try Self.changed(old.keySet, change)
    try write(new, over: old, in: folder)
    return withExtendedLifetime(folder) { publish(result, new) }
  }

  /// Does what ``update(_:)`` does but for the writing, and fails where that would fail before it.
  package func rehearse<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    let folder = try lockToWrite()
    return try Self.changed(try load(in: folder).keySet, change)
  }

  private static func changed<Result>(
    _ old: KeySet, _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeyFileError) -> (result: Result, keySet: KeySet) {
    var editor = KeySetEditor(old)
    do throws(KeySetError) {
      let result = try change(&editor)
      return (result, editor.keySet)
    } catch {
      throw .keySet(error)
    }
  }

  /// Makes sure that a new file could be made, and makes none.
  package func rehearseCreation() throws(KeyFileError) { _ = try lockToWrite() }

  /// Makes sure that the file loads, encrypted or not, as ``setPassphrase(_:)`` needs it.
  package func checkPassphrase() throws(KeyFileError) { _ = try load(in: folder(), admitsPlain: true) }

  /// Opens the folder and holds its lock, if files can be made in it.
  private func lockToWrite() throws(KeyFileError) -> Folder {
    let folder = try lock()
    try KeyFileError.converting { () throws(FileError) in try folder.checkWritable() }
    return folder
  }
}
