#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Folder {
  /// Removes what killed processes left behind of a file, while the caller holds the lock.
  ///
  /// What cannot be removed is left: in a shared folder it may be somebody else's, of that name by malice.
  package func removeStaleFiles(of location: FileLocation) throws(FileError) {
    for name in try names() where location.isTemporary(name) { try? remove(name) }
  }

  /// The names in the folder.
  func names() throws(FileError) -> [String] {
    let folder = descriptor.number
    // A descriptor of its own, since a duplicate would share its place in the list.
    let list = try SystemCall.result(of: "openat") {
      unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    guard let stream = unsafe fdopendir(list) else {
      let error = FileError.system(call: "fdopendir", errno: errno)
      close(list)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    guard errno == 0 else { throw .system(call: "readdir", errno: errno) }
    return names
  }
}
