import Foundation
import PushCore
import PushKeys
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Changing a key file")
struct KeyFileUpdateTests {
  private let folder: TemporaryFolder
  private let file: KeyFile
  private let set = Kind.x25519.makeSet()

  init() throws {
    folder = try TemporaryFolder()
    file = KeyFile(path: folder.path(of: "keys.json"))
    try file.create(set)
  }

  @Test func writesTheNewSet() throws {
    let count = try file.update { (editor) throws(KeySetError) in
      try editor.rotate(at: start)
      return editor.keySet.records.count
    }
    #expect(count == 2)
    let records = try file.load().records
    #expect(records.map(\.life.status) == [.accepted, .active])
    #expect(records[0].id == set.records[0].id)
    #expect(try folder.names == ["keys.json"])
    #expect(try mode(of: file.path) == 0o600)
  }

  @Test func keepsTheFileIfTheChangeThrows() throws {
    expectFault(.keySet(.graceTooShort)) {
      try file.update { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
        try editor.rotate(grace: .zero, at: start)
      }
    }
    #expect(try file.load().records == set.records)
    #expect(try folder.names == ["keys.json"])
  }

  @Test func takesAClosureAsOneWritesIt() throws {
    let rotation = try file.update { editor in
      let rotation = try editor.rotate(at: start)
      return rotation
    }
    #expect(rotation.added.count == 1)
    #expect(try file.load().records.count == 2)
    expectFault(.keySet(.graceTooShort)) {
      try file.update { editor in
        let grace = Duration.zero
        try editor.rotate(grace: grace, at: start)
      }
    }
  }

  private struct OwnError: Error {}

  @Test func keepsTheFileIfTheChangeThrowsAnErrorOfItsOwn() throws {
    #expect(throws: OwnError.self) {
      try file.update { editor in
        try editor.rotate(at: start)
        throw OwnError()
      }
    }
    #expect(try file.load().records == set.records)
  }

  @Test func writesThePublicKeysToo() throws {
    let publicFile = PublicKeyFile(path: folder.path(of: "public.json"))
    for count in 2...3 {
      try file.update(writingPublicKeysTo: publicFile) { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
      }
      #expect(try publicFile.load() == file.load().publicKeys)
      #expect(try file.load().records.count == count)
    }
    #expect(throws: OwnError.self) {
      try file.update(writingPublicKeysTo: publicFile) { editor in
        try editor.rotate(at: start)
        throw OwnError()
      }
    }
    #expect(try publicFile.load() == file.load().publicKeys && file.load().records.count == 3)
    try file.update(writingPublicKeysTo: publicFile) { try $0.rotate(at: start) }
    #expect(try publicFile.load() == file.load().publicKeys && file.load().records.count == 4)
    #expect(try folder.names == ["keys.json", "public.json"])
  }

  @Test func writesThePublicKeysOverNoPrivateOnes() throws {
    let other = KeyFile(path: folder.path(of: "other.json"))
    try other.create(Kind.x25519.makeSet())
    let before = try other.load().records
    expectFault(.keySet(.privateKeyInPublicSet(index: 0))) {
      try file.update(writingPublicKeysTo: PublicKeyFile(path: other.path)) { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
      }
    }
    #expect(try other.load().records == before && file.load().records == set.records)
  }

  @Test func changesNothingIfThePublicKeysHaveNoFolder() throws {
    expectFault(.file(.missing)) {
      try file.update(writingPublicKeysTo: PublicKeyFile(path: folder.path(of: "none/public.json"))) {
        (editor) throws(KeySetError) in try editor.rotate(at: start)
      }
    }
    #expect(try file.load().records == set.records)
  }

  @Test func leavesTheFileAloneIfNothingChanges() throws {
    let before = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
    #expect(try file.update { $0.prune(at: start) }.isEmpty)
    #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int == before)
  }

  @Test func doesNotMakeAFile() throws {
    let missing = KeyFile(path: folder.path(of: "missing.json"))
    expectFault(.file(.missing)) { try missing.update { $0.prune(at: start) } }
    #expect(try folder.names == ["keys.json"])
  }

  @Test(.hangGuard) func losesNoChangeOfEightThreads() throws {
    let threads = (0..<8).map { _ in
      WorkerThread { [file] in
        do {
          try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
        } catch {
          return false
        }
        return true
      }
    }
    #expect(threads.map { $0.result() } == Array(repeating: true, count: 8))
    let records = try file.load().records
    #expect(records.count == 9)
    #expect(records.map(\.life.status) == Array(repeating: .accepted, count: 8) + [.active])
    #expect(try folder.names == ["keys.json"])
  }

  @Test(.hangGuard) func isReadableAtEveryMoment() throws {
    let writer = WorkerThread { [file] in
      for _ in 0..<100 {
        guard (try? file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }) != nil
        else {
          return false
        }
      }
      return true
    }
    let reader = WorkerThread { [file] in
      var count = 1
      while count < 101 {
        guard let records = try? file.load().records, records.count >= count else { return false }
        count = records.count
      }
      return true
    }
    #expect(writer.result())
    #expect(reader.result())
  }

  @Test func saysThatOthersHoldTheLock() throws {
    let holder = try folder.lock()
    defer { close(holder) }
    let impatient = KeyFile(path: file.path, patience: .milliseconds(50))
    expectFault(.file(.busy)) { try impatient.update { $0.prune(at: start) } }
    expectFault(.file(.busy)) { try impatient.create(set) }
    #expect(try impatient.load().records == set.records)
  }

  @Test func waitsForTheLock() throws {
    let holder = try folder.lock()
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      flock(holder, LOCK_UN)
      close(holder)
    }
    try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    #expect(try file.load().records.count == 2)
  }

  @Test func removesWhatAKilledProcessLeft() throws {
    let mine = ".keys.json.0123456789abcdef.tmp"
    let others = [
      ".keys.json.0123456789abcdef0.tmp", ".keys.json.0123456789ABCDEF.tmp",
      ".keys.json.bak.0123456789abcdef.tmp",
      ".other.json.0123456789abcdef.tmp", "0123456789abcdef.tmp",
    ]
    for name in [mine] + others { try folder.write("half", to: name) }
    try file.update { $0.prune(at: start) }
    #expect(try folder.names == (others + ["keys.json"]).sorted())
  }

  @Test func keepsTheOldSetIfTheNewOneCannotTakeItsPlace() throws {
    expectFault(.file(.system(call: "renameat", errno: EISDIR))) {
      try file.update { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
        #expect(unsafe rename(file.path, folder.path(of: "old.json")) == 0)
        #expect(unsafe mkdir(file.path, 0o700) == 0)
      }
    }
    #expect(try KeyFile(path: folder.path(of: "old.json")).load().records == set.records)
    #expect(try folder.names == ["keys.json", "old.json"])
  }

  @Test func failsInAFolderThatIsGone() throws {
    expectFault(.file(.missing)) {
      try file.update { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
        #expect(unsafe unlink(file.path) == 0)
        #expect(unsafe unlink(folder.lockPath) == 0 && rmdir(folder.path) == 0)
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere")) func failsInAReadOnlyFolder() throws {
    try setMode(0o500, of: folder.path)
    defer { try? setMode(0o700, of: folder.path) }
    expectFault(.file(.notPermitted)) {
      try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
    }
    #expect(try file.load().records == set.records)
    #expect(try folder.names == ["keys.json"])
  }

  @Test(arguments: [0o000, 0o022, 0o777] as [mode_t]) func isPrivateWhateverTheMask(mask: mode_t) async {
    await #expect(processExitsWith: .success) { [mask = mask as mode_t] in
      let folder = try TemporaryFolder()
      let file = KeyFile(path: folder.path(of: "keys.json"))
      umask(mask)
      try file.create(Kind.x25519.makeSet())
      #expect(try mode(of: file.path) == 0o600)
      try file.update { (editor) throws(KeySetError) in try editor.rotate(at: start) }
      #expect(try mode(of: file.path) == 0o600)
      try OutputFile(path: folder.path(of: "private")).write([1].span, isPrivate: true)
      #expect(try mode(of: folder.path(of: "private")) == 0o600)
      try OutputFile(path: folder.path(of: "public")).write([1].span)
      #expect(try mode(of: folder.path(of: "public")) == 0o666 & ~mask)
    }
  }
}
