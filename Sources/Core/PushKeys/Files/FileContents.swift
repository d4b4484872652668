internal import PushCrypto
internal import PushFiles

/// The contents of a file, wiped when this value is destroyed.
package struct FileContents: ~Copyable {
  /// The largest file that is read, in bytes: 16 MiB.
  static let maximumSize = 16 << 20

  private let memory: Secret
  private let count: Int

  /// The bytes.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { memory.exposedBytes.extracting(0..<count) }
  }

  /// Reads a whole regular file.
  ///
  /// - Throws: ``KeyFileFault``: not a regular file, too large, busy, empty.
  init(of file: borrowing FileDescriptor) throws(KeyFileFault) {
    let size = try KeyFileFault.converting { () throws(FileError) in
      try file.size(atMost: Self.maximumSize)
    }
    // One extra byte shows whether the file is growing.
    let contents = try Self.piece(of: file, after: Span(), size: size + 1)
    guard contents.count <= size else { throw .file(.busy) }
    guard contents.count > 0 else { throw .keySet(.empty) }
    self = contents
  }

  private init(memory: consuming Secret, count: Int) {
    self.memory = memory
    self.count = count
  }

  /// Reads the next bytes of a file after `start`, which was read before; at most `size` bytes with it.
  private static func piece(
    of file: borrowing FileDescriptor, after start: Span<UInt8>, size: Int
  ) throws(KeyFileFault) -> FileContents {
    var result: Result<Int, FileError> = .success(0)
    let memory = Secret(count: size) { bytes in
      for index in start.indices { bytes[index] = start[index] }
      result = read(file, into: &bytes, after: start.count)
    }
    let count = try KeyFileFault.converting { () throws(FileError) in try result.get() }
    return FileContents(memory: memory, count: count)
  }

  /// Reads the whole file at a path, which must not be a link.
  ///
  /// - Throws: ``KeyFileFault``.
  init(at path: String) throws(KeyFileFault) {
    let file = try KeyFileFault.converting { () throws(FileError) in
      let location = try FileLocation(path)
      return try Folder(location.folder).open(location.name, isFollowingLinks: false)
    }
    try self.init(of: file)
  }

  /// Reads a whole file with a secret, through links.
  ///
  /// Only root and the effective user may be able to change or replace the file, and it must be closed to others
  /// (`FileStatus.isClosedToOthers`).
  ///
  /// - Throws: ``KeyFileFault``, as ``KeyFile/load()``; `keySet(.empty)` for an empty file.
  init(ofSecretAt path: String) throws(KeyFileFault) {
    let file = try KeyFileFault.converting { () throws(FileError) in try GuardedWay.file(at: path) }
    let status = try KeyFileFault.converting { () throws(FileError) in try file.status }
    if let kind = status.kind { throw .file(.notRegularFile(kind)) }
    guard status.isOwn || status.isRoots else { throw .wrongOwner }
    guard status.isClosedToOthers else { throw .tooPermissive(mode: status.permissions) }
    try self.init(of: file)
  }

  /// Reads a descriptor to its end: a pipe, or the rest of a file.
  ///
  /// Permissions are not checked: the process that opened the descriptor is responsible for them.
  ///
  /// - Throws: ``KeyFileFault``: too large, an error of the system, `keySet(.empty)`.
  static func all(of file: borrowing FileDescriptor) throws(KeyFileFault) -> FileContents {
    var contents = try piece(of: file, after: Span(), size: 1 << 16)
    while contents.count == contents.memory.count {
      guard contents.count <= maximumSize else { throw .file(.tooLarge) }
      let size = min(2 * contents.count, maximumSize + 1)
      contents = try piece(of: file, after: contents.bytes, size: size)
    }
    guard contents.count > 0 else { throw .keySet(.empty) }
    return contents
  }

  private static func read(
    _ file: borrowing FileDescriptor, into bytes: inout MutableSpan<UInt8>, after start: Int
  ) -> Result<Int, FileError> {
    do throws(FileError) {
      return .success(try file.read(into: &bytes, after: start))
    } catch {
      return .failure(error)
    }
  }
}

/// A file with another system's secret, which must be closed to other users.
package struct SecretFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// Names a file, without accessing it.
  package init(path: String) { self.path = path }

  /// Reads the whole file after the same checks as for loading a key file.
  ///
  /// - Throws: ``KeyFileError``, as ``KeyFile/load()``; `keySet(.empty)` for an empty file.
  package func read() throws(KeyFileError) -> FileContents {
    try KeyFileError.at(path) { () throws(KeyFileFault) in try FileContents(ofSecretAt: path) }
  }

  /// Reads a descriptor to its end, and closes it unless it is standard input; errors show `name` as its path.
  ///
  /// Permissions are not checked: the process that opened the descriptor is responsible for them.
  ///
  /// - Throws: ``KeyFileError``; `keySet(.empty)` if there is nothing.
  package static func read(descriptor number: Int32, named name: String) throws(KeyFileError) -> FileContents
  {
    let file = number == 0 ? FileDescriptor(borrowing: number) : FileDescriptor(owning: number)
    return try KeyFileError.at(name) { () throws(KeyFileFault) in try FileContents.all(of: file) }
  }
}

/// A private key set that the process gets on a descriptor: read once, into memory that is wiped.
package final class KeyStream {
  private let contents: FileContents
  private let name: String

  /// Reads the descriptor to its end, and closes it unless it is standard input; errors show `name` as its path.
  ///
  /// - Throws: ``KeyFileError``.
  package init(descriptor number: Int32, named name: String) throws(KeyFileError) {
    contents = try SecretFile.read(descriptor: number, named: name)
    self.name = name
  }

  /// The set, decrypted with the passphrase if it is encrypted.
  ///
  /// - Throws: ``KeyFileError``, as ``KeyFile/load()``.
  package func load(with passphrase: Passphrase?) throws(KeyFileError) -> KeySet {
    try KeyFileError.at(name) { () throws(KeyFileFault) in
      try KeyFileContents(opening: contents, with: passphrase).keySet
    }
  }
}
