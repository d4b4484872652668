import Glibc
import Testing

/// At every instant the file on disk is a whole, valid key set, and no key that was in it is lost.
@Suite("Rotations that are disturbed", .serialized)
struct RotationTests {
  private static let rotate = "keys rotate --keys device.jwks"

  @Test(.timeLimit(.minutes(2))) func killedAtAnyMoment() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    var lengths: [Duration] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      try await tool.succeed(Self.rotate)
      lengths.append(start.duration(to: .now))
    }
    var known = Set(try await tool.keys("device.jwks").map(\.kid))
    for round in 0..<220 {
      try await kill(tool, after: (lengths.min() ?? .zero) * round / 150)
      let keys = try await tool.keys("device.jwks")
      #expect(known.isSubset(of: keys.map(\.kid)), "round \(round)")
      #expect(keys.count { $0.status == "active" } == 1, "round \(round)")
      #expect(try tool.mode(of: "device.jwks") == 0o600, "round \(round)")
      known.formUnion(keys.map(\.kid))
    }
    // The next one works, and clears up what the killed ones left.
    try await tool.succeed(Self.rotate)
    #expect(try await tool.keys("device.jwks").count == known.count + 1)
    #expect(try tool.names == ["device.jwks"])
  }

  /// Starts a rotation and kills it a while later, without giving the processor away meanwhile.
  private func kill(_ tool: Tool, after delay: Duration) async throws {
    let words = Self.rotate.split(separator: " ").map(String.init)
    let child = try Child([Tool.binary] + words, in: tool.surroundings())
    let start = ContinuousClock.now
    while start.duration(to: .now) < delay {}
    child.send(SIGKILL)
    let ending = try await child.wait()
    #expect(ending == .killed(by: SIGKILL) || ending == .exited(0))
  }

  @Test func tenAtOnce() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    let runs = try await withThrowingTaskGroup { group in
      for index in 0..<20 {
        group.addTask { try await tool.run(index < 10 ? Self.rotate : "keys list --keys device.jwks") }
      }
      return try await group.reduce(into: [Run]()) { $0.append($1) }
    }
    for run in runs where run.status != 0 {
      run.expectRefusal("one of many", 1, "another process is changing device.jwks")
      #expect(run.hint == "try again")
    }
    let rotations = runs.filter { $0.errors.hasPrefix("sealpush: rotated ") }
    let keys = try await tool.keys("device.jwks")
    #expect(keys.count == 1 + rotations.count && !rotations.isEmpty)
    #expect(keys.count { $0.status == "active" } == 1)
    #expect(Set(keys.map(\.kid)).count == keys.count)
    // Readers are not kept waiting: each saw a whole set.
    #expect(runs.count { $0.status == 0 } >= 10 + rotations.count)
    #expect(try tool.names == ["device.jwks"])
  }

  @Test func aDiskThatIsFull() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    for _ in 0..<4 { try await tool.succeed(Self.rotate) }
    let before = try tool.contents("device.jwks")
    let run = try await tool.shell("ulimit -f 1; sealpush \(Self.rotate)")
    run.expectRefusal("no room", 1, "device.jwks: write: File too large")
    #expect(try tool.contents("device.jwks") == before)
    #expect(try tool.names == ["device.jwks"])
  }

  @Test func aFolderThatMayNotBeWritten() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    guard try await Unprivileged.works(in: tool) else { return }
    let before = try tool.contents("device.jwks")
    try tool.setMode(0o500, of: ".")
    let run = try await tool.execute(Unprivileged.words(Self.rotate))
    run.expectRefusal("read-only folder", 77, "device.jwks: not permitted")
    // What needs no writing still works.
    #expect(try await tool.execute(Unprivileged.words("keys list --keys device.jwks")).status == 0)
    #expect(try await tool.execute(Unprivileged.words("\(Self.rotate) --dry-run")).status == 0)
    #expect(try tool.contents("device.jwks") == before)
    #expect(try tool.names == ["device.jwks"])
  }

  @Test func aFileThatMayNotBeRead() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    guard try await Unprivileged.works(in: tool) else { return }
    try tool.setMode(0, of: "device.jwks")
    let run = try await tool.execute(Unprivileged.words("keys list --keys device.jwks"))
    run.expectRefusal("unreadable", 77, "device.jwks: not permitted")
  }

  @Test func clocksThatGoBack() async throws {
    // Rotated by a clock that is behind: the set is whole, and the newest key is the active one.
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
    let first = try await tool.keys("device.jwks")[0].kid
    try await tool.succeed("\(Self.rotate) --now \(start - day)")
    let keys = try await tool.keys("device.jwks")
    #expect(keys.count == 2)
    #expect(keys.first { $0.status == "accepted" }?.kid == first)
  }
}
