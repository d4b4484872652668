#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new folder (0700) for temporary files, removed with the files in it at the end of this value's life.
package struct DisposableFolder: ~Copyable {
  private let path: String

  /// The names of the files that were asked for.
  private var names: [String] = []

  /// Makes a folder in `$TMPDIR`, by default `/tmp`, with a name that begins with `prefix`.
  ///
  /// - Throws: ``FileError``.
  package init(prefix: String) throws(FileError) {
    var template = Array("\(Self.parent)/\(prefix).XXXXXX".utf8CString)
    try SystemCall.resultOnPath(of: "mkdtemp") { unsafe mkdtemp(&template) == nil ? -1 : 0 }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unsafe unlink("\(path)/\(name)") }
    if unsafe rmdir(path) == 0 { return }
    // The folder has other files, or a call has failed, which the next attempt may not do.
    for _ in 0..<2 {
      removeListedFiles()
      if unsafe rmdir(path) == 0 { return }
    }
  }

  private borrowing func removeListedFiles() {
    guard let folder = try? Folder(path) else { return }
    for name in (try? folder.names()) ?? [] where name != "." && name != ".." { try? folder.remove(name) }
  }

  /// Where temporary folders are made.
  package static var parent: String { unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

  /// The path of a file in the folder.
  package mutating func path(of name: String) -> String {
    names.append(name)
    return "\(path)/\(name)"
  }
}
