import Glibc
import PushFiles
import TestSupport
import Testing

/// What another user's locks cost.
@Suite("Locks of others", .serialized, .hangGuard)
struct OthersLockTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func whoMayReadTheFolderKeepsNobodyFromChangingKeys() async throws {
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
    try await tool.makeSender()
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)"
    let enrolment = try await tool.succeed(enrol)
    // What takes no more than to be allowed to read the folder.
    let reader = unsafe open(tool.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(reader) }
    try #require(flock(reader, LOCK_EX | LOCK_NB) == 0)
    let accept = "keys accept --registrations registrations --registration phone --new \(Tool.backend)"
    try await tool.register(enrolment.output, accept: accept, enrol: enrol)
    try await tool.succeed("keys rotate --keys device.jwks")
    let active = try #require(try await tool.keys("sender.jwks").first { $0.status == "active" })
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(active.kid)")
    try await tool.succeed(enrol)
    try await tool.succeed("keys new --role device --out new.jwks")
    try await tool.succeed("keys export --private --format jwk --keys new.jwks --out new.jwk")
  }

  @Test func aLockThatIsNotOursIsRefusedAtOnce() async throws {
    try await tool.succeed("keys new --role device --out device.jwks")
    try tool.setMode(0o644, of: tool.lockName)
    let others = unsafe open(tool.path(tool.lockName), O_RDONLY | O_CLOEXEC)
    defer { close(others) }
    try #require(flock(others, LOCK_EX | LOCK_NB) == 0)
    let message = "\(tool.lockName), the lock of its folder, is not a file of yours with mode 0600"
    for line in ["rotate", "rotate --dry-run", "prune"] {
      let run = try await tool.refuse("keys \(line) --keys device.jwks", 77, "device.jwks: \(message)")
      #expect(run.hint == "rm -r \(tool.lockName), or move device.jwks to a folder of your own")
    }
    try await tool.refuse("keys new --role device --out new.jwks", 77, "new.jwks: \(tool.lockName), the lock")
    // Who only reads needs no lock, and an output that is no key none either.
    try await tool.succeed("keys list --keys device.jwks")
    try await tool.succeed("keys export --keys device.jwks --out device.pub.jwks")
    #expect(try await tool.shell("rm -r \(tool.lockName)").status == 0)
    try await tool.succeed("keys rotate --keys device.jwks")
    #expect(try tool.mode(of: tool.lockName) == 0o600)
  }

  @Test func outputsLeaveNoLock() async throws {
    let pair = try await Pair()
    let (tool, folder) = (pair.tool, try TemporaryFolder())
    try await tool.succeed("keys export --keys device.jwks --out \(folder.path)/device.pub.jwks")
    try await tool.succeed("keys export --keys device.jwks --out \(folder.path)/device.pub.jwks --force")
    #expect(try tool.names.contains("device.jwks") && !FileStatus.isThere(folder.lockPath))
  }
}
