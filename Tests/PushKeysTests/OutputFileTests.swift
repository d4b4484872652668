import Foundation
import PushFiles
import PushKeys
import Testing

@Suite("Files of results")
struct OutputFileTests {
  private static let leftOver = ".output.0123456789abcdef.tmp"

  private let folder: TemporaryFolder
  private let file: OutputFile

  init() throws {
    folder = try TemporaryFolder()
    file = OutputFile(path: folder.path(of: "output"), patience: .zero)
  }

  private var contents: Data? { FileManager.default.contents(atPath: folder.path(of: "output")) }

  @Test func isWrittenOverAnOldOneOnlyIfAsked() throws {
    let old: [UInt8] = [1]
    let new: [UInt8] = [2]
    try file.write(old.span)
    #expect(throws: KeyFileError.exists) { try file.write(new.span) }
    #expect(contents == Data(old))
    try file.write(new.span, isReplacing: true)
    #expect(contents == Data(new))
    #expect(try folder.names == ["output"])
  }

  @Test(arguments: [true, false]) func removesWhatKilledProcessesLeft(isPrivate: Bool) throws {
    let others = [".output.tmp", ".other.0123456789abcdef.tmp", "output.0123456789abcdef.tmp"]
    for name in others + [Self.leftOver] { try folder.write("a private key", to: name) }
    try file.write([1].span, isPrivate: isPrivate)
    #expect(try folder.names == (others + ["output"]).sorted())
  }

  @Test func isWrittenWithoutTheLock() throws {
    // What is there may be what the lock's holder is writing.
    try folder.write("unfinished", to: Self.leftOver)
    let holder = try Folder(folder.path)
    try holder.lock(within: .zero)
    try file.write([1].span)
    #expect(contents == Data([1]))
    #expect(try folder.names == [Self.leftOver, "output"])
  }
}
