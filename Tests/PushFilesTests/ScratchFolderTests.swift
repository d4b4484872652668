import PushFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A folder for scratch files")
struct ScratchFolderTests {
  private let folder: TemporaryFolder
  private let passing: ScratchFolder

  init() throws {
    folder = try TemporaryFolder()
    passing = ScratchFolder(path: folder.path(of: "passing"), prefix: "passing-")
  }

  @Test("is its owner's alone when it is made")
  func newFolder() throws {
    try passing.prepare(removingFilesOlderThan: 0)
    #expect(try mode(of: passing.path) == 0o700)
  }

  @Test("is not used where others can put files", arguments: [0o777, 0o770] as [mode_t])
  func othersFolder(mode: mode_t) throws {
    try passing.prepare(removingFilesOlderThan: 0)
    #expect(unsafe chmod(passing.path, mode) == 0)
    #expect(throws: FileError.folderWritableByOthers(path: passing.path, mode: UInt32(mode))) {
      try passing.prepare(removingFilesOlderThan: 0)
    }
  }
}
