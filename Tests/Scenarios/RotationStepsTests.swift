import Foundation
import Testing

/// Each step of a rotation, made to fail or to be the last.
@Suite("Rotations step by step", .serialized)
struct RotationStepsTests {
  private static let leftOver = ".device.jwks.0123456789abcdef.tmp"

  private let pair: Pair
  private let rotation: Strace
  private let before: [UInt8]
  /// A message that is on the way.
  private let sealed: [UInt8]

  private var tool: Tool { pair.tool }

  init() async throws {
    pair = try await Pair()
    // Of another suite, so that half a rotation is possible.
    try pair.tool.write((0..<32).map { _ in .random(in: 1...255) }, to: "key")
    try await pair.tool.succeed(
      "keys import --keys device.jwks --role device --suite p256-aesgcm --format raw --in key --now \(start)")
    rotation = Strace(tool: pair.tool, line: "keys rotate --keys device.jwks --now \(start)")
    before = try pair.tool.contents("device.jwks")
    sealed = try await pair.sealed()
    for name in try pair.tool.names where name != "device.jwks" && name != "sender.pub.jwks" {
      try FileManager.default.removeItem(atPath: pair.tool.path(name))
    }
  }

  /// Puts the old set back, and what a killed rotation may leave, so that removing that is a step, too.
  private func prepare() throws {
    try tool.write(before, to: "device.jwks")
    try tool.write("{", to: Self.leftOver)
  }

  /// The calls of a rotation, and the places of those that make the new file and give it its name.
  private func steps() async throws -> (calls: [TracedCall], making: Int, renaming: Int) {
    try prepare()
    let calls = try await rotation.calls()
    let making = calls.firstIndex(where: \.makesFile)
    let renaming = calls.firstIndex(where: \.givesName)
    guard !calls.isEmpty else { return ([], 0, 0) }
    return (calls, try #require(making), try #require(renaming))
  }

  /// Expects the old set or the new one, with the key to which the message was sealed; then the next rotation works,
  /// and clears up.
  private func expectWholeSet(isNew: Bool, _ comment: Comment) async throws {
    #expect(try (tool.contents("device.jwks") != before) == isNew, comment)
    let keys = try await tool.keys("device.jwks")
    let active = ["active", "active"]
    #expect(keys.map(\.status) == (isNew ? ["accepted", "accepted"] + active : active), comment)
    for name in try tool.names where name != "sender.pub.jwks" {
      #expect(try tool.mode(of: name) == 0o600, comment)
    }
    let opened = try await tool.run("\(pair.open) --now \(start)", input: .bytes(sealed))
    #expect(opened.status == 0, comment)
    try await tool.succeed(rotation.line)
    #expect(try await tool.keys("device.jwks").count == keys.count + 2, comment)
    #expect(try tool.names == ["device.jwks", "sender.pub.jwks"], comment)
  }

  @Test func theDiskIsWaitedForTwice() async throws {
    let names = try await steps().calls.map(\.name).filter {
      ["write", "fsync"].contains($0) || $0.hasPrefix("rename")
    }
    #expect(names.isEmpty || names.starts(with: ["write", "fsync", "renameat", "fsync"]))
  }

  @Test func killedAtEachCall() async throws {
    let (calls, _, renaming) = try await steps()
    #expect(calls.isEmpty || calls.count > 20)
    for (index, call) in calls.enumerated() {
      try prepare()
      // Before it is made: the call that gives the name is the last that leaves the old set.
      let fault = "inject=\(call.name):signal=SIGKILL:when=\(call.ordinal)"
      guard let run = try await rotation.run(fault) else { return }
      #expect(run.ending == .killed(by: 9), "\(call): \(run.errors)")
      #expect(try tool.names.count <= 3, "\(call)")
      try await expectWholeSet(isNew: index > renaming, "killed at \(call)")
    }
  }

  @Test func eachCallFails() async throws {
    let (calls, making, renaming) = try await steps()
    for (index, call) in calls.enumerated() {
      for error in index < making ? ["EIO"] : ["EIO", "ENOSPC", "EDQUOT", "EROFS"] {
        let comment: Comment = "\(call) \(error)"
        try prepare()
        let fault = "inject=\(call.name):error=\(error):when=\(call.ordinal)"
        guard let run = try await rotation.run(fault) else { return }
        // Before there is a new file, what only clears up may fail unseen.
        let isUnseen = index < making && ["unlinkat", "close"].contains(call.name)
        if index <= renaming && !isUnseen {
          run.expectRefusal("\(comment)", 1, "device.jwks: ")
          #expect(try index < making || tool.names == ["device.jwks", "sender.pub.jwks"], comment)
        }
        try await expectWholeSet(isNew: index > renaming || isUnseen, comment)
      }
    }
  }

  @Test func theVeryLastStepFails() async throws {
    // The new set is there, but a power failure might undo it: said, and no key is lost.
    try prepare()
    guard let run = try await rotation.run("inject=fsync:error=EIO:when=2") else { return }
    run.expectRefusal("fsync of the folder", 1, "device.jwks is changed, but the disk did not confirm it")
    try await expectWholeSet(isNew: true, "fsync of the folder")
  }

  @Test(arguments: ["fsync", "write", "flock"]) func interruptedThere(call: String) async throws {
    guard let run = try await rotation.run("inject=\(call):error=EINTR:when=1") else { return }
    #expect(run.status == 0, "\(run.errors)")
    try await expectWholeSet(isNew: true, "\(call) EINTR")
  }
}
