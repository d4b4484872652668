import Foundation
import Locks
import PushCore
import PushReceiver
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("A replay file that many use", .hangGuard)
struct FileReplayStoreSharingTests {
  private let folder: TemporaryFolder
  private let now = UnixTime(clamping: 0)

  init() throws { folder = try TemporaryFolder() }

  @Test("two stores and eight threads: each message is the first once, then a duplicate")
  func threads() async throws {
    let stores = [folder.store(), folder.store()]
    let verdicts = Mutex<[UInt64: [ReplayVerdict?]]>([:])
    await onThreads(8) { [now] thread in
      for message in 0..<16 as Range<UInt64> {
        let verdict = try? stores[thread % 2].record(.sample(message), at: now)
        verdicts.withLock { $0[message, default: []].append(verdict) }
      }
    }
    let found = verdicts.withLock { $0 }
    #expect(found.count == 16)
    for (message, verdicts) in found {
      #expect(verdicts.count { $0 == .first } == 1, "\(message)")
      #expect(verdicts.count { $0 == .duplicate } == 7, "\(message)")
    }
  }

  @Test("two processes: each message is the first once")
  func processes() async throws {
    async let left: Void = recordInChild("left")
    async let right: Void = recordInChild("right")
    _ = await (left, right)
    let firsts = try ["left", "right"].map { name in
      try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8).split(separator: " ").map(
        String.init)
    }
    #expect(firsts.joined().sorted() == (0..<200).map(String.init).sorted())
  }

  /// Records 200 messages in a process of its own, which leaves the numbers of those that were new.
  private func recordInChild(_ name: String) async {
    await #expect(processExitsWith: .success) { [path = folder.path as String, name = name as String] in
      let store = FileReplayStore(path: path + "/store", patience: HangGuard.patience)
      var firsts: [String] = []
      for message in 0..<200 as Range<UInt64> {
        let verdict = try store.record(.sample(message), at: UnixTime(clamping: 0))
        if verdict == .first { firsts.append("\(message)") }
      }
      try Data(firsts.joined(separator: " ").utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
  }

  @Test("a process that is killed at any moment loses no message of which it was told")
  func killed() async throws {
    for round in 0..<20 as Range<UInt64> {
      let told = "\(folder.path)/told"
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = folder.path as String, told = told as String, round = round as UInt64] in
        let store = FileReplayStore(path: path + "/store", capacity: 4096, patience: HangGuard.patience)
        let log = unsafe open(told, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = try store.record(.sample(round << 32), at: UnixTime(clamping: 0))
        Thread.detachNewThread {
          usleep(.random(in: 0..<5_000))
          kill(getpid(), SIGKILL)
        }
        for message in 1... as PartialRangeFrom<UInt64> {
          _ = try store.record(.sample(round << 32 | message), at: UnixTime(clamping: 0))
          unsafe write(log, "1", 1)
        }
      }
      let count = UInt64(FileManager.default.contents(atPath: told)?.count ?? 0)
      let store = folder.store(capacity: 4096)
      for message in 0...count {
        #expect(try store.record(.sample(round << 32 | message), at: now) == .duplicate)
      }
    }
    #expect(try folder.store(capacity: 4096).record(.sample(.max), at: now) == .first)
    #expect(try folder.names == ["store", "told"])
  }
}
