import PushFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A small file", .hangGuard)
struct SmallFileTests {
  private let folder: TemporaryFolder
  private let file: SmallFile

  init() throws {
    folder = try TemporaryFolder()
    file = SmallFile(path: folder.path(of: "state"), maximumSize: 8, patience: HangGuard.patience)
  }

  private func put(_ bytes: [UInt8]?) throws(FileError) {
    try file.update { (_) throws(FileError) in (bytes, ()) }
  }

  @Test("does not exist before it is written")
  func absent() throws {
    #expect(try file.read() == nil)
    #expect(try file.update { (old) throws(FileError) in (nil, old == nil) })
    #expect(try folder.names.isEmpty)
  }

  @Test("has the bytes that a change made of the old ones, for its owner alone")
  func changes() throws {
    try put([1])
    let old = try file.update { (old) throws(FileError) in ((old ?? []) + [2], old) }
    #expect(old == [1])
    #expect(try file.read() == [1, 2])
    #expect(folder.bytes(of: "state") == [1, 2])
    #expect(try mode(of: file.path) == 0o600)
    #expect(try folder.names == ["state"])
  }

  @Test("is for its owner alone, whatever its mode was")
  func permissions() throws {
    let file = SmallFile(path: file.path, maximumSize: 8)
    try folder.write([1], to: "state")
    try file.update { (_) throws(FileError) in ([2], ()) }
    #expect(try mode(of: file.path) == 0o600)
    #expect(try file.read() == [2])
  }

  @Test("can be empty")
  func empty() throws {
    try put([])
    #expect(try file.read() == [])
  }

  @Test("stays as it is if a change returns no bytes")
  func untouched() throws {
    try put([1])
    let before = try number(of: file.path)
    try put(nil)
    #expect(try number(of: file.path) == before)
    #expect(try file.read() == [1])
  }

  @Test("stays as it is if a change throws")
  func changeThrows() throws {
    try put([1])
    #expect(throws: FileError.exists) {
      try file.update { (_) throws(FileError) -> ([UInt8]?, Void) in throw .exists }
    }
    #expect(try file.read() == [1])
    #expect(try folder.names == ["state"])
    try put([2])
  }

  @Test("has at most its size, read or written")
  func size() throws {
    let most = [UInt8](repeating: 1, count: 8)
    try put(most)
    #expect(try file.read() == most)
    #expect(throws: FileError.tooLarge) { try put(most + [1]) }
    #expect(try file.read() == most)
    #expect(try folder.names == ["state"])
    try folder.write(most + [1], to: "state")
    #expect(throws: FileError.tooLarge) { try file.read() }
    #expect(throws: FileError.tooLarge) { try put([1]) }
    #expect(folder.bytes(of: "state") == most + [1])
  }

  @Test("is replaced, never overwritten, so that a reader keeps the file that it opened")
  func replaced() throws {
    try put([1])
    let reader = unsafe open(file.path, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    try put([2])
    var byte: UInt8 = 0
    #expect(unsafe read(reader, &byte, 1) == 1)
    #expect(byte == 1)
  }

  @Test("has only its own leftovers of killed processes removed")
  func stale() throws {
    try folder.write([1], to: ".state.0123456789abcdef.tmp")
    try folder.write([1], to: ".other.0123456789abcdef.tmp")
    try put(nil)
    #expect(try folder.names == [".other.0123456789abcdef.tmp"])
  }
}
