import Foundation
import PushFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The way to a guarded folder", .hangGuard)
struct GuardedWayTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["above", "above/own", "above/own/deep", "other"] { _ = try folder.make(name) }
    for name in ["above", "above/own", "above/own/deep", "other"] { try setMode(0o700, of: path(name)) }
  }

  private func path(_ name: String) -> String { folder.path(of: name) }

  private func link(_ name: String, to target: String) throws {
    try #require(unsafe symlink(target, path(name)) == 0)
  }

  /// Opens a folder, or returns the error.
  private func expect(_ error: FileError?, _ name: String, sourceLocation: SourceLocation = #_sourceLocation)
  {
    var found: FileError?
    do throws(FileError) { _ = try Folder(path(name), isGuarded: true) } catch { found = error }
    #expect(found == error, "\(name)", sourceLocation: sourceLocation)
  }

  private func writable(_ name: String, _ mode: UInt32 = 0o777) -> FileError {
    .folderWritableByOthers(path: path(name), mode: mode)
  }

  @Test("is one that only its owner and root can change")
  func own() throws {
    for name in ["", "above/own/deep", "above/own/deep/", "above/./own//deep", "above/own/../../other"] {
      expect(nil, name)
    }
    expect(.missing, "nowhere")
    expect(.missing, "above/nowhere/own")
    try folder.write("", to: "file")
    expect(.missing, "file")
    expect(.missing, "file/own")
  }

  @Test("has no folder at any height that others write to", arguments: [0o777, 0o770, 0o707, 0o720, 0o702])
  func writableByOthers(mode: mode_t) throws {
    try setMode(mode, of: path("above"))
    for name in ["above", "above/own", "above/own/deep", "above/../other"] {
      expect(writable("above", UInt32(mode)), name)
    }
    expect(nil, "other")
    try setMode(0o755, of: path("above"))
    expect(nil, "above/own/deep")
  }

  @Test("has sticky folders, if what is in them is its owner's or root's")
  func sticky() throws {
    try setMode(0o1777, of: path("above"))
    expect(nil, "above/own/deep")
    try link("above/link", to: "own")
    expect(nil, "above/link/deep")
    guard geteuid() == 0 else { return }
    try #require(unsafe lchown(path("above/link"), 12345, 12345) == 0)
    expect(.linkOfAnotherUser(path: path("above/link"), owner: 12345), "above/link/deep")
    try #require(unsafe chown(path("above/own"), 12345, 12345) == 0)
    expect(.folderOfAnotherUser(path: path("above/own"), owner: 12345), "above/own/deep")
  }

  @Test("leads to a file through links, as one that an orchestrator mounts")
  func file() throws {
    try setMode(0o3777, of: path("above"))
    try folder.write("secret", to: "above/own/file")
    try link("above/..data", to: "own")
    try link("above/file", to: "..data/file")
    let size = try GuardedWay.file(at: path("above/file")).status.size
    #expect(size == 6)
    #expect(throws: FileError.missing) { try GuardedWay.file(at: path("above/nothing")).status }
    #expect(throws: FileError.notRegularFile(.folder)) {
      try GuardedWay.file(at: path("above/..data")).status
    }
    try setMode(0o770, of: path("above/own"))
    #expect(throws: writable("above/own", 0o770)) { try GuardedWay.file(at: path("above/file")).status }
    try setMode(0o700, of: path("above/own"))
    guard geteuid() == 0 else { return }
    try #require(unsafe lchown(path("above/file"), 12345, 12345) == 0)
    #expect(throws: FileError.linkOfAnotherUser(path: path("above/file"), owner: 12345)) {
      try GuardedWay.file(at: path("above/file")).status
    }
  }

  @Test("has no folder of another user's", .enabled(if: geteuid() == 0, "only root can give a folder away"))
  func anothers() throws {
    try #require(unsafe chown(path("above"), 12345, 12345) == 0)
    for name in ["above", "above/own", "above/own/deep"] {
      expect(.folderOfAnotherUser(path: path("above"), owner: 12345), name)
    }
  }

  @Test("leads through links that keep the rule on their own way, and through no others")
  func links() throws {
    try link("relative", to: "above/own")
    try link("absolute", to: path("above/own"))
    try link("other/chain", to: "../relative/deep")
    for name in ["relative/deep", "absolute/deep", "other/chain", "other/chain/.."] { expect(nil, name) }
    try setMode(0o777, of: path("above"))
    for name in ["relative/deep", "absolute/deep", "other/chain"] { expect(writable("above"), name) }
    // The folder that the path names is its owner's, and so is the one that the link leads to.
    try setMode(0o700, of: path("above"))
    try setMode(0o777, of: path("other"))
    try link("other/link", to: path("above/own"))
    expect(writable("other"), "other/link/deep")
  }

  @Test("ends where links lead in a circle, or nowhere")
  func circles() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    expect(.system(call: "readlinkat", errno: ELOOP), "a")
    try link("hanging", to: "nowhere")
    expect(.missing, "hanging")
  }

  @Test("is looked at above the working folder, too")
  func relative() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let above = try folder.make("above")
      let own = try folder.make("above/own")
      _ = try folder.make("above/own/deep")
      try #require(unsafe chdir(own) == 0)
      for name in [above, own, "deep"] { try setMode(0o700, of: name) }
      for name in [".", "deep", "./deep/", "deep/..", "..", "../own/deep"] {
        _ = try Folder(name, isGuarded: true)
      }
      try setMode(0o777, of: above)
      for name in [".", "deep", "..", "../own"] {
        #expect(throws: FileError.folderWritableByOthers(path: above, mode: 0o777), "\(name)") {
          _ = try Folder(name, isGuarded: true)
        }
      }
      try setMode(0o700, of: above)
      try setMode(0o770, of: "deep")
      #expect(throws: FileError.folderWritableByOthers(path: own + "/deep", mode: 0o770)) {
        _ = try Folder("deep", isGuarded: true)
      }
    }
  }

  @Test("leads through folders whose names may not be read")
  func searchable() async {
    await #expect(processExitsWith: .success) {
      guard geteuid() == 0 else { return }
      let folder = try TemporaryFolder(mode: 0o711)
      let own = try folder.make("own")
      try #require(unsafe chown(own, 65534, 65534) == 0)
      try #require(seteuid(65534) == 0)
      _ = try Folder(own, isGuarded: true)
      try #require(seteuid(0) == 0)
    }
  }

  @Test("gives the status of a file, through links")
  func files() throws {
    try folder.write("text", to: "above/own/file", mode: 0o640)
    try link("other/file", to: "../above/own/file")
    for name in ["above/own/file", "other/file"] {
      let status = try GuardedWay.status(ofFileAt: path(name))
      #expect(status.size == 4 && status.permissions == 0o640 && status.isOwn)
    }
    #expect(throws: FileError.notRegularFile(.folder)) { try GuardedWay.status(ofFileAt: path("above/own")) }
    #expect(throws: FileError.missing) { try GuardedWay.status(ofFileAt: path("above/none")) }
    try setMode(0o777, of: path("above"))
    #expect(throws: writable("above")) { try GuardedWay.status(ofFileAt: path("other/file")) }
  }
}
