internal import PushCrypto
internal import PushFiles

/// The contents of a file, wiped at the end of its life.
package struct FileContents: ~Copyable {
  /// The most that is read: 16 MiB.
  static let maximumSize = 16 << 20

  private let memory: Secret
  private let count: Int

  /// The bytes.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { memory.exposedBytes.extracting(0..<count) }
  }

  /// Reads a regular file whole.
  ///
  /// - Throws: ``KeyFileFault``: not a regular file, too large, busy, empty.
  init(of file: borrowing FileDescriptor) throws(KeyFileFault) {
    let size = try KeyFileFault.converting { () throws(FileError) in
      try file.size(atMost: Self.maximumSize)
    }
    var result: Result<Int, FileError> = .success(0)
    // One extra byte shows whether the file is growing.
    let memory = Secret(count: size + 1) { bytes in
      result = Self.read(file, into: &bytes)
    }
    let count = try KeyFileFault.converting { () throws(FileError) in try result.get() }
    guard count <= size else { throw .file(.busy) }
    guard count > 0 else { throw .keySet(.empty) }
    self.memory = memory
    self.count = count
  }

  /// Reads the file at a path whole, if that is no link.
  ///
  /// - Throws: ``KeyFileFault``.
  init(at path: String) throws(KeyFileFault) {
    let file = try KeyFileFault.converting { () throws(FileError) in
      let location = try FileLocation(path)
      return try Folder(location.folder).open(location.name, isFollowingLinks: false)
    }
    try self.init(of: file)
  }

  private static func read(
    _ file: borrowing FileDescriptor, into bytes: inout MutableSpan<UInt8>
  ) -> Result<Int, FileError> {
    do throws(FileError) {
      return .success(try file.read(into: &bytes))
    } catch {
      return .failure(error)
    }
  }
}

/// A file with a secret of another system, which only its owner has access to.
package struct SecretFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// Names a file, and touches nothing yet.
  package init(path: String) { self.path = path }

  /// Reads the whole file, which must pass the same checks as a key file.
  ///
  /// - Throws: ``KeyFileError``, as ``KeyFile/load()``; `keySet(.empty)` for an empty file.
  package func read() throws(KeyFileError) -> FileContents {
    try KeyFileError.at(path) { () throws(KeyFileFault) in try contents() }
  }

  private func contents() throws(KeyFileFault) -> FileContents {
    let location = try KeyFileFault.converting { () throws(FileError) in try FileLocation(path) }
    let folder = try KeyFileFault.converting { () throws(FileError) in
      try Folder(location.folder, isGuarded: true)
    }
    let file = try KeyFileFault.converting { () throws(FileError) in
      try folder.open(location.name, isFollowingLinks: false)
    }
    try KeyFile.check(file)
    return try FileContents(of: file)
  }
}
