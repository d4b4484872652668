internal import CSQLite
internal import Glibc
internal import PushFiles

/// A copy of a store's file that is made while others write.
struct SQLiteBackup {
  private let original: String
  private let copy: String

  /// The name of a copy that is not whole.
  private var unfinished: String { copy + ".unfinished" }

  init(of original: String, to copy: String) { (self.original, self.copy) = (original, copy) }

  /// Makes the copy.
  ///
  /// - Throws: ``StoreError``.
  func run() throws(StoreError) {
    let descriptor = try create()
    // Not before the copy's connection is closed, whose locks that takes away.
    defer { close(descriptor) }
    defer { unsafe unlink(unfinished) }
    do throws(SQLiteError) { try copyPages() } catch { throw error.storeError(at: copy) }
    // A second name, and not another one, because that would replace a file.
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
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(unfinished, flags, 0o600)
    guard descriptor >= 0 else { throw failure }
    var status = stat()
    // Another may have taken it for a leftover.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe fstat(descriptor, &status) == 0,
      status.st_nlink == 1
    else {
      close(descriptor)
      throw .busy(place: copy)
    }
    return descriptor
  }

  /// Removes what a crash has left, and nothing that another backup to the same name is writing: it would give its name
  /// to a file that is not whole.
  private func removeLeftover() throws(StoreError) {
    let descriptor = unsafe open(unfinished, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy(place: copy) }
    unsafe unlink(unfinished)
  }

  /// One step: the copy is one state of the original, whose writers go on.
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
