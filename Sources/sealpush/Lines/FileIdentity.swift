private import Glibc

/// Which regular file something is, by whatever path.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// The file of a path; null if there is none, or no regular one.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file; null if it is no regular one.
  init?(file: Int32) {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
