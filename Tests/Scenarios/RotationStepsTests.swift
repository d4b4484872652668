import Foundation
import Testing

/// Each step of a rotation, made to fail or to be the last.
@Suite("Rotations step by step", .serialized)
struct RotationStepsTests {
  private let tool: Tool

  init() async throws {
    tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
  }

  /// Rotates under strace(1); null, with a note, where that cannot be had.
  private func rotate(_ options: String) async throws -> Run? {
    let run = try await tool.execute(
      ["strace", "-f", "-qq", "-o", tool.scratch + "/calls"] + options.split(separator: " ").map(String.init)
        + [Tool.binary, "keys", "rotate", "--keys", "device.jwks"])
    guard run.errors.hasPrefix("strace: ") || run.errors.hasPrefix("env: ") else { return run }
    print("Not tested: no strace(1) that works here.")
    return nil
  }

  @Test func theDiskIsWaitedForTwice() async throws {
    guard try await rotate("-e trace=write,fsync,/^rename") != nil else { return }
    let calls = try String(contentsOfFile: tool.scratch + "/calls", encoding: .utf8).split(separator: "\n")
      .compactMap { $0.split(separator: " ").dropFirst().first?.split(separator: "(").first }
    #expect(calls.starts(with: ["write", "fsync", "renameat", "fsync"]))
  }

  @Test(arguments: [
    "flock:when=1", "fchmod:when=1", "write:when=1", "fsync:when=1", "/^rename:when=1", "fsync:when=2",
    "write:when=2", "write:when=3",
  ])
  func killedThere(step: String) async throws {
    let before = try await tool.keys("device.jwks")
    let inject = step.replacingOccurrences(of: ":when", with: ":signal=SIGKILL:when")
    guard let run = try await rotate("-e inject=\(inject)") else { return }
    #expect(run.ending == .killed(by: 9), "\(run.ending) \(run.errors)")
    let after = try await tool.keys("device.jwks")
    #expect(after == before || after.count == 2 && after.contains { $0.kid == before[0].kid })
    #expect(try tool.mode(of: "device.jwks") == 0o600)
    // Another name that was left is its owner's alone, too, and the next rotation removes it.
    for name in try tool.names { #expect(try tool.mode(of: name) == 0o600) }
    try await tool.succeed("keys rotate --keys device.jwks")
    #expect(try await tool.keys("device.jwks").count == after.count + 1)
    #expect(try tool.names == ["device.jwks"])
  }

  @Test(
    arguments: ["write", "fsync", "/^rename", "fchmod"], ["ENOSPC", "EDQUOT", "EIO", "EROFS"])
  func failingThere(call: String, error: String) async throws {
    let before = try tool.contents("device.jwks")
    guard let run = try await rotate("-e inject=\(call):error=\(error):when=1") else { return }
    run.expectRefusal("\(call) \(error)", 1, "device.jwks: ")
    #expect(try tool.contents("device.jwks") == before)
    #expect(try tool.names == ["device.jwks"])
    try await tool.succeed("keys rotate --keys device.jwks")
  }

  @Test func theVeryLastStepFails() async throws {
    // The new set is there, but a power failure might undo it: said, and no key is lost.
    let before = try await tool.keys("device.jwks")
    guard let run = try await rotate("-e inject=fsync:error=EIO:when=2") else { return }
    run.expectRefusal("fsync of the folder", 1, "device.jwks is changed, but the disk did not confirm it")
    #expect(try await tool.keys("device.jwks").contains { $0.kid == before[0].kid })
    #expect(try tool.names == ["device.jwks"])
  }

  @Test(arguments: ["fsync", "write", "flock"]) func interruptedThere(call: String) async throws {
    guard let run = try await rotate("-e inject=\(call):error=EINTR:when=1") else { return }
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await tool.keys("device.jwks").count == 2)
  }
}
