import PushFiles
import PushKeys

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// Where lines of output go, whole lines at a time.
final class LineOutput {
  private let path: String?
  private let file: Int32
  private let folder: Folder?
  /// Whether it is a terminal, which gets all of a line escaped.
  private let isTerminal: Bool

  /// Creates a file, opens an existing one unchanged, or takes standard output for `-` or no path; the rule must have
  /// been checked.
  init(path: String?, rule: Rule) throws(ToolError) {
    guard let path, path != "-" else {
      (self.path, file) = (nil, STDOUT_FILENO)
      folder = nil
      isTerminal = isatty(file) == 1
      Console.beginOutput()
      return
    }
    self.path = path
    isTerminal = false
    try rule.checkIsOther(path)
    do throws(FileError) {
      folder = try Folder(FileLocation(path).folder)
    } catch {
      throw KeyFileFailure.writing(error, at: path, existing: "")
    }
    file = Interruption.retrying {
      cOpen(path, O_WRONLY | O_CREAT | O_CLOEXEC | (rule.replaces ? 0 : O_EXCL), mode: 0o666)
    }
    guard file >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemMessage.current)")
    }
  }

  /// Whether it is a named file, and not standard output.
  var isFile: Bool { path != nil }

  /// Empties a file that is replaced; if a shell appends standard output to a file, starts a new line there.
  func begin() throws(ToolError) {
    guard let path else { return try endLastLine() }
    let file = file
    guard Interruption.retrying({ ftruncate(file, 0) }) == 0 else {
      throw ToolError(.cannotCreate, "cannot replace \(path): \(SystemMessage.current)")
    }
  }

  /// Ends the last line of the file: a killed process may have left half a line.
  private func endLastLine() throws(ToolError) {
    guard let size = place().size, size > 0, lseek(file, 0, SEEK_CUR) == size || isAppending else { return }
    // It may be open for writing only.
    let copy = Interruption.retrying { cOpen("/dev/fd/\(file)", O_RDONLY | O_CLOEXEC, mode: 0) }
    guard copy >= 0 else { return }
    defer { close(copy) }
    var last = UInt8(ascii: "\n")
    guard unsafe pread(copy, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") else { return }
    try write([UInt8(ascii: "\n")])
  }

  private var isAppending: Bool { fcntl(file, F_GETFL) & O_APPEND != 0 }

  /// What identifies the file; nil if it is not a regular file.
  var identity: FileIdentity? { (try? FileDescriptor(borrowing: file).status)?.identity }

  /// Where the next line goes in a regular file: at its end.
  func place() -> Place {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return Place(size: nil)
    }
    return Place(size: status.st_size)
  }

  /// Writes lines; to a file all of them or none.
  func write(_ lines: [UInt8]) throws(ToolError) {
    let lines = isTerminal ? OutputForm.json.printable(lines) : lines
    let place = place()
    var written = 0
    do throws(FileError) {
      try FileDescriptor(borrowing: file).write(lines.span, count: &written)
    } catch {
      takeBack(written, to: place)
      guard let path else { throw Console.loss(for: error) }
      throw ToolError(.failed, "cannot write \(path): \(error)")
    }
  }

  /// Removes the last bytes, which were written from `place` on, unless another process has written since.
  func takeBack(_ count: Int, to place: Place) {
    guard count > 0, let start = place.size, let end = self.place().size else { return }
    guard end - start == count, lseek(file, 0, SEEK_CUR) == end else { return }
    let file = file
    guard Interruption.retrying({ ftruncate(file, start) }) == 0 else { return }
    lseek(file, start, SEEK_SET)
  }

  /// Waits until the file's contents and its name are on the disk, and closes it.
  func finish() throws(ToolError) {
    guard let path else { return }
    let file = file
    let isOnDisk = Interruption.retrying({ fsync(file) }) == 0
    guard close(file) == 0 || errno == EINTR, isOnDisk, (try? folder?.synchronize()) != nil else {
      throw ToolError(.failed, "the disk did not confirm \(path)")
    }
  }

  /// Which files may be created or replaced.
  struct Rule {
    /// Whether a file that exists is replaced.
    let replaces: Bool
    private let hint: String
    private let others: [FileIdentity]

    /// Makes a command's rule.
    ///
    /// A command that resumes (`goesOn`) replaces no file, because it may have earlier results.
    ///
    /// None of `others` is ever replaced.
    init(isForced: Bool, goesOn: Bool, others: [FileIdentity]) {
      self.init(
        replaces: isForced && !goesOn,
        hint: goesOn
          ? "with --skip no file is replaced: give another name, or append with >>"
          : "--force replaces it", others: others)
    }

    private init(replaces: Bool, hint: String, others: [FileIdentity]) {
      (self.replaces, self.hint, self.others) = (replaces, hint, others)
    }

    /// The rule with one more file that must not be written.
    func unlike(_ other: FileIdentity?) -> Rule {
      Rule(replaces: replaces, hint: hint, others: others + [other].compactMap(\.self))
    }

    /// Checks that a file may be created or replaced, and changes nothing.
    func check(_ path: String?) throws(ToolError) {
      guard let path, path != "-" else { return }
      try checkIsOther(path)
      _ = try FileOutput(path: path, replaces: replaces, existing: hint)
    }

    /// Checks that a path leads to none of the files that must not be written.
    fileprivate func checkIsOther(_ path: String) throws(ToolError) {
      guard let identity = FileStatus(at: path, isFollowingLinks: true)?.identity, others.contains(identity)
      else { return }
      throw .usage("this command already uses \(path) for something else")
    }
  }

  /// A position in a file; nil if the output is not a regular file.
  struct Place {
    fileprivate let size: off_t?
  }
}
