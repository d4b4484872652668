import Testing

/// At every instant the file on disk is a whole, valid key set, and no key that was in it is lost.
@Suite("Rotations that are disturbed", .serialized)
struct RotationTests {
  private static let rotate = "keys rotate --keys device.jwks"

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

  @Test func eightDifferentChangesAtOnce() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start - 60 * day)")
    for age in [40, 20, 10] { try await tool.succeed("\(Self.rotate) --now \(start - age * day)") }
    let before = try await tool.keys("device.jwks").map(\.kid)
    for name in ["a", "b"] { try tool.write((0..<32).map { _ in .random(in: 0...255) }, to: name) }
    // The first has ended; the last is active until one of these is done.
    let lines = [
      "rotate", "rotate", "rotate --if-older-than 0s", "prune", "revoke --kid=\(before[1])",
      "revoke --kid=\(before[3])", "import --role device --format raw --in a",
      "import --role device --format raw --in b",
    ]
    let runs = try await withThrowingTaskGroup { group in
      for line in lines {
        group.addTask { try await (line, tool.run("keys \(line) --keys device.jwks --now \(start)")) }
      }
      return try await group.reduce(into: [(line: String, run: Run)]()) { $0.append($1) }
    }
    for (line, run) in runs where run.status != 0 {
      run.expectRefusal(line, 1, "another process is changing device.jwks")
    }
    let done = runs.filter { $0.run.status == 0 }
    let destroyed = [("prune", 0), ("revoke --kid=\(before[1])", 1), ("revoke --kid=\(before[3])", 3)]
      .filter { change in done.contains { $0.line == change.0 } }.map { before[$0.1] }
    let added = done.count { !$0.line.hasPrefix("prune") && !$0.line.hasPrefix("revoke") }
    let replacements = done.count { $0.run.errors.contains("destroyed \(before[3]), active") }
    let keys = try await tool.keys("device.jwks")
    #expect(Set(before).subtracting(keys.map(\.kid)) == Set(destroyed))
    #expect(keys.count == before.count - destroyed.count + added + replacements)
    #expect(keys.count { $0.status == "active" } == 1 && Set(keys.map(\.kid)).count == keys.count)
    #expect(done.count > 1)
    #expect(try tool.names == ["a", "b", "device.jwks"])
  }

  @Test func aFileThatMayNotGrow() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    for _ in 0..<4 { try await tool.succeed(Self.rotate) }
    let before = try tool.contents("device.jwks")
    let run = try await tool.shell("ulimit -f 1; sealpush \(Self.rotate)")
    run.expectRefusal("no room", 1, "device.jwks: write: File too large")
    #expect(try tool.contents("device.jwks") == before)
    #expect(try tool.names == ["device.jwks"])
  }

  @Test(arguments: [
    (limit: "size=64k", fill: "dd if=/dev/zero of=filler bs=1k", call: "write"),
    (limit: "nr_inodes=4", fill: "touch filler1 filler2 filler3", call: "openat"),
  ]) func aDiskThatIsFull(limit: String, fill: String, call: String) async throws {
    let tool = try Tool()
    guard try await tool.execute(Self.ownDisk + ["mount -t tmpfs none ."]).status == 0 else {
      return print("Not tested: a disk of one's own cannot be had here.")
    }
    let script = """
      mkdir disk && mount -t tmpfs -o \(limit),mode=700 none disk && cd disk || exit 99
      sealpush() { '\(Tool.binary)' "$@"; }
      { sealpush keys new --role device --out device.jwks && sealpush \(Self.rotate); } >/dev/null 2>&1 || exit 98
      cp device.jwks ../before
      \(fill) 2>/dev/null && exit 97
      sealpush \(Self.rotate)
      status=$?
      cp device.jwks ..; ls -A >../names
      rm filler*
      sealpush \(Self.rotate) >/dev/null 2>&1 || exit 96
      exit $status
      """
    let run = try await tool.execute(Self.ownDisk + [script])
    run.expectRefusal(limit, 1, "device.jwks: \(call): No space left on device")
    #expect(try tool.contents("device.jwks") == tool.contents("before"))
    let names = try tool.text("names").split(separator: "\n")
    #expect(names.filter { !$0.hasPrefix("filler") && $0 != tool.lockName } == ["device.jwks"])
  }

  /// The words before a script whose mounts nobody else sees.
  private static let ownDisk = ["unshare", "--map-root-user", "--mount", "/bin/sh", "-c"]

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
    // A dry run ends as the rotation would.
    let dry = try await tool.execute(Unprivileged.words("\(Self.rotate) --dry-run"))
    dry.expectRefusal("dry run", 77, "device.jwks: not permitted")
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
