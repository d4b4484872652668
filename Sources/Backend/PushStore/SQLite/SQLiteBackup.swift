internal import CSQLite
internal import Glibc
internal import PushFiles

/// A copy of a store's file that is made while others write.
struct SQLiteBackup {
  private let original: String
  private let copy: String

  /// The name of a copy that is not whole.
  private var unfinished: String { copy + ".unfinished" }

  init(of original: String, to copy: String) {
    self.original = original
    self.copy = copy
  }

  /// Makes the copy.
  ///
  /// - Throws: ``StoreError``.
  func run() throws(StoreError) {
    let descriptor = try create()
    // Not before the copy's connection is closed: closing the descriptor releases the connection's locks.
    defer { close(descriptor) }
    defer { unsafe unlink(unfinished) }
    do throws(SQLiteError) { try copyPages() } catch { throw error.storeError(at: copy) }
    // A second name for the file, because renaming it would replace a file of that name.
    guard unsafe link(unfinished, copy) == 0, syncFolder() else { throw failure }
  }

  /// Makes the unfinished file, which is this backup's as long as the descriptor is open.
  private func create() throws(StoreError) -> CInt {
    guard !copy.isEmpty, !copy.utf8.contains(0) else {
      throw .cannotOpen(place: copy, reason: SQLiteFile.pathRule)
    }
    guard unsafe access(copy, F_OK) != 0 else {
      throw .cannotOpen(place: copy, reason: SystemMessage.text(of: EEXIST))
    }
    try removeLeftover()
    try SQLiteFile.checkSafe(unfinished, of: copy)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(unfinished, flags, 0o600)
    guard descriptor >= 0 else { throw failure }
    guard Self.lock(descriptor) else {
      close(descriptor)
      throw .busy(place: copy)
    }
    return descriptor
  }

  /// Locks a new file; false if another backup has taken it for a leftover meanwhile, and locks or has removed it.
  static func lock(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &status) == 0 else {
      return false
    }
    return status.st_nlink == 1
  }

  /// Removes the file that a crash has left, but not one that another backup with the same name is writing: that backup
  /// would otherwise give its name to an incomplete file.
  private func removeLeftover() throws(StoreError) {
    let descriptor = unsafe open(unfinished, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy(place: copy) }
    unsafe unlink(unfinished)
  }

  /// Copies in one step, so that the copy is one state of the original, although others go on writing.
  private func copyPages() throws(SQLiteError) {
    let source = try Database(path: original, patience: .seconds(60))
    let target = try Database(path: unfinished, patience: .seconds(60))
    guard let backup = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw unsafe SQLiteError(of: target.handle, code: sqlite3_errcode(target.handle))
    }
    let code = unsafe sqlite3_backup_step(backup, -1)
    let end = unsafe sqlite3_backup_finish(backup)
    try target.check(code == SQLITE_BUSY || code == SQLITE_LOCKED ? code : end)
  }

  private func syncFolder() -> Bool {
    let folder = copy.lastIndex(of: "/").map { String(copy[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private var failure: StoreError {
    switch errno {
    case ENOSPC, EDQUOT: .full(place: copy)
    case EROFS: .readOnly(place: copy)
    default: .cannotOpen(place: copy, reason: SystemMessage.current)
    }
  }
}
