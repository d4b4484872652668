private import Glibc

/// A folder of the process's own, mode 0700.
struct TemporaryFolder {
  private let path: String

  init() throws(ToolError) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/sealpush-demo.XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw ToolError(.cannotCreate, "cannot make a folder in \(parent): \(SystemMessage.current)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in it.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Removes the folder and the files in it.
  func remove() {
    guard let folder = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { unsafe unlink("\(path)/\(name)") }
    }
    unsafe closedir(folder)
    unsafe rmdir(path)
  }
}
