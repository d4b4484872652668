private import Glibc
import PushKeys

/// Where lines of output go, whole lines at a time.
final class LineOutput {
  private let path: String?
  private let file: Int32

  /// Creates a file, or takes standard output for `-` or no path.
  ///
  /// A file that exists is left alone unless `replaces`, and always if it is one of `others`.
  init(_ path: String?, replaces: Bool, unlike others: [FileIdentity]) throws(ToolError) {
    guard let path, path != "-" else {
      (self.path, file) = (nil, STDOUT_FILENO)
      Console.beginOutput()
      return
    }
    self.path = path
    if let identity = FileIdentity(path: path), others.contains(identity) {
      throw .usage("\(path) is another of the command's files")
    }
    try FileOutput.check(path, replaces: replaces)
    file = Interruption.retrying {
      unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? 0 : O_EXCL), 0o666)
    }
    guard file >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemMessage.current)")
    }
    let file = file
    guard Interruption.retrying({ ftruncate(file, 0) }) == 0 else {
      throw ToolError(.cannotCreate, "cannot replace \(path): \(SystemMessage.current)")
    }
  }

  /// The file, to tell it from others; null for what is no regular one.
  var identity: FileIdentity? { FileIdentity(file: file) }

  /// Where the next line goes, if it is to a regular file: behind all that is there.
  func place() -> Place {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return Place(size: nil)
    }
    return Place(size: status.st_size)
  }

  /// Writes lines, all or, in a file, none.
  func write(_ lines: [UInt8]) throws(ToolError) {
    let place = place()
    let written = FileOutput.written(lines, to: file)
    guard written < lines.count else { return }
    let error =
      path.map { ToolError(.failed, "cannot write \($0): \(SystemMessage.current)") } ?? Console.loss()
    takeBack(written, to: place)
    throw error
  }

  /// Takes the last bytes back, which were written from `place` on, unless others have written there since.
  func takeBack(_ count: Int, to place: Place) {
    guard count > 0, let start = place.size, let end = self.place().size else { return }
    guard end - start == count, lseek(file, 0, SEEK_CUR) == end else { return }
    let file = file
    guard Interruption.retrying({ ftruncate(file, start) }) == 0 else { return }
    lseek(file, start, SEEK_SET)
  }

  /// Waits until a file's lines are on the disk, and closes it.
  func finish() throws(ToolError) {
    guard let path else { return }
    let file = file
    let isOnDisk = Interruption.retrying({ fsync(file) }) == 0
    guard close(file) == 0 || errno == EINTR, isOnDisk else {
      throw ToolError(.failed, "the disk did not confirm \(path)")
    }
  }

  /// A place in a file; null in what is none.
  struct Place {
    fileprivate let size: off_t?
  }
}
