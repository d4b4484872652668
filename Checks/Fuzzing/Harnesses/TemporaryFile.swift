#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file for code that reads a path, in a folder of its own that is removed with it.
struct TemporaryFile: ~Copyable {
  /// The file's path; there is no file yet.
  let path: String

  private let folder: String

  /// Makes the folder, in `TMPDIR` or otherwise in `/tmp`.
  init() throws {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/fuzzing.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw BrokenProperty(text: "a folder can be made: \(errno)")
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/file"
  }

  /// Makes the file, with this content.
  func fill(_ bytes: [UInt8]) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard unsafe write(file, bytes, bytes.count) == bytes.count else {
      throw BrokenProperty(text: "a file can be written: \(errno)")
    }
  }

  deinit {
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }
}
