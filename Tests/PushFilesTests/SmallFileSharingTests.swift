import Foundation
import Locks
import PushFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A small file that many processes change", .hangGuard)
struct SmallFileSharingTests {
  /// Adds one to the number in the file.
  private static func increment(_ path: String) throws(FileError) {
    try SmallFile(path: path, maximumSize: 8, patience: HangGuard.patience).update {
      (old) throws(FileError) in
      ([(old?.first ?? 0) + 1], ())
    }
  }

  @Test("loses no change of eight threads")
  func threads() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")
    let failures = Mutex(0)
    await onThreads(8) { _ in
      for _ in 0..<25 where (try? Self.increment(path)) == nil { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(folder.bytes(of: "state") == [200])
    #expect(try folder.names == ["state"])
  }

  @Test("loses no change of two processes")
  func processes() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")
    async let first: Void = incrementInChild(path)
    async let second: Void = incrementInChild(path)
    _ = await (first, second)
    #expect(folder.bytes(of: "state") == [200])
    #expect(try folder.names == ["state"])
  }

  private func incrementInChild(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      for _ in 0..<100 { try Self.increment(path) }
    }
  }

  @Test("is whole after a process is killed at any moment")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")
    for _ in 0..<20 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
        let file = SmallFile(path: path, maximumSize: 4096, patience: HangGuard.patience)
        try file.update { (_) throws(FileError) in ([UInt8](repeating: 0, count: 4096), ()) }
        Thread.detachNewThread {
          usleep(.random(in: 0..<5_000))
          kill(getpid(), SIGKILL)
        }
        while true {
          try file.update { (old) throws(FileError) in
            ([UInt8](repeating: (old?.first ?? 0) &+ 1, count: 4096), ())
          }
        }
      }
      let bytes = try #require(try SmallFile(path: path, maximumSize: 4096).read())
      #expect(bytes.count == 4096 && Set(bytes).count == 1)
    }
    try SmallFile(path: path, maximumSize: 4096).update { (_) throws(FileError) in ([1], ()) }
    #expect(try folder.names == ["state"])
  }
}
