import Foundation
import Glibc
import TestSupport
import Testing

/// Keys as an orchestrator mounts them, read by another user.
@Suite("Mounted secrets", .serialized, .enabled(if: geteuid() == 0, "only root can mount for another user"))
struct MountedSecretTests {
  private static let (user, group): (UInt32, UInt32) = (12345, 23456)
  private static let version = "..2026_11_23_10_00_00.123456789"
  private let pair: Pair
  private var tool: Tool { pair.tool }

  /// A volume as Kubernetes fills it: root's, with links to the newest version, and one file for each key file.
  init() async throws {
    pair = try await Pair()
    for path in [tool.folder, "\(tool.folder)/.."] { try TestSupport.setMode(0o755, of: path) }
    let folder = "mount/\(Self.version)"
    for name in ["mount", folder] { try #require(unsafe mkdir(tool.path(name), 0o755) == 0) }
    try #require(unsafe symlink(Self.version, tool.path("mount/..data")) == 0)
    for name in ["device.jwks", "sender.jwks"] {
      try tool.write(try tool.contents(name), to: "\(folder)/\(name)")
      try #require(unsafe symlink("..data/\(name)", tool.path("mount/\(name)")) == 0)
      try own("\(folder)/\(name)", 0o440)
    }
    try own(folder, 0o2755)
    try own("mount", 0o3777)
  }

  private func own(_ name: String, user: UInt32 = 0, _ mode: mode_t) throws {
    try #require(unsafe chown(tool.path(name), user, Self.group) == 0)
    try tool.setMode(mode, of: name)
  }

  /// Runs a shell script as the service's user, who is in the group of the volume.
  private func asService(_ script: String, input: Tool.Input = .nothing) async throws -> Run {
    let function = "sealpush() { '\(Tool.binary)' \"$@\"; }\n"
    let words = ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--groups=\(Self.group)"]
    return try await tool.execute(
      words + ["--inh-caps=-all", "--bounding-set=-all", "/bin/sh", "-c", function + script], input: input)
  }

  private func refuse(
    _ line: String, _ status: Int32, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await asService("sealpush \(line)")
    run.expectRefusal(line, status, message, sourceLocation: sourceLocation)
    return run
  }

  @Test func areReadByEveryCommandThatOnlyReads() async throws {
    let sealed = try await asService(
      "sealpush seal --to device.pub.jwks --from mount/sender.jwks \(Pair.topic) --now \(start)",
      input: .text(sample))
    #expect(sealed.status == 0, "\(sealed.errors)")
    let read = "--keys mount/device.jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"
    for line in [
      "open \(read)", "simulate \(read)", "inspect --keys mount/device.jwks \(Pair.topic)",
      "keys list --keys mount/device.jwks", "keys export --keys mount/sender.jwks",
      "keys doctor --keys mount/device.jwks --now \(start)", "keys list --keys mount/..data/sender.jwks",
    ] {
      let run = try await asService("sealpush \(line)", input: .bytes(sealed.output))
      #expect(run.status == 0, "\(line): \(run.errors)")
    }
  }

  @Test func areNotChanged() async throws {
    let before = try tool.contents("mount/sender.jwks")
    let hint = "a change needs the file itself; a mounted secret is changed where it comes from"
    for line in ["rotate", "prune", "rotate --dry-run"] {
      let run = try await refuse("keys \(line) --keys mount/sender.jwks", 66, "a symbolic link")
      #expect(run.hint == hint)
      let file = "mount/\(Self.version)/sender.jwks"
      #expect(try await asService("sealpush keys \(line) --keys \(file)").status == 77)
    }
    // In a folder where the user can write, it is the file that says no.
    try own("mount/sender", 0o440, copying: "sender.jwks")
    let run = try await refuse(
      "keys rotate --keys mount/sender", 77, "belongs to root, and only a key file's owner")
    #expect(run.hint == "change a mounted secret where it comes from, and mount it again")
    #expect(try tool.contents("mount/sender.jwks") == before)
  }

  private func own(_ name: String, _ mode: mode_t, copying other: String) throws {
    try tool.write(try tool.contents(other), to: name)
    try own(name, mode)
  }

  @Test(arguments: [0o444, 0o644, 0o460, 0o450] as [mode_t]) func ofWhichOthersCannotDoMore(mode: mode_t)
    async throws
  {
    try own("mount/\(Self.version)/device.jwks", mode)
    let run = try await refuse(
      "keys list --keys mount/device.jwks", 77, "by others (mode 0\(String(mode, radix: 8)))")
    #expect(run.hint?.contains("defaultMode: 0440 in Kubernetes") == true)
    // No command could change what is mounted, not even root's.
    let doctor = "sealpush keys doctor --keys mount/device.jwks"
    for found in [try await asService("\(doctor) --json"), try await tool.shell("\(doctor) --json")] {
      #expect(found.status == 65 && found.text.contains(#""code":"file-permissions""#))
      #expect(found.text.contains("defaultMode: 0440 in Kubernetes") && found.text.contains(#""mend":null"#))
    }
    #expect(try await !asService(doctor).text.contains("fix:"))
  }

  @Test func ofThirdUsersAreRefused() async throws {
    try own("mount/\(Self.version)/device.jwks", user: 777, 0o440)
    let run = try await refuse("keys list --keys mount/device.jwks", 77, "belongs to another user")
    #expect(run.hint == "a key file must belong to you or, if it is only read, to root")
  }

  @Test func behindAThirdUsersLinkAreRefused() async throws {
    try #require(unsafe lchown(tool.path("mount/..data"), 777, 777) == 0)
    _ = try await refuse(
      "keys list --keys mount/device.jwks", 77, "mount/..data belongs to another user (777)")
  }

  @Test(arguments: ["mount", "mount/\(version)"]) func whereOthersCanExchangeThemAreRefused(name: String)
    async throws
  {
    try own(name, 0o2777)
    _ = try await refuse("keys list --keys mount/device.jwks", 77, "\(tool.path(name)) has mode 02777")
  }

  @Test func whoseGroupIsAnothers() async throws {
    try #require(unsafe chown(tool.path("mount/\(Self.version)/device.jwks"), 0, 777) == 0)
    _ = try await refuse("keys list --keys mount/device.jwks", 77, "not permitted")
  }

  @Test func withAPassphraseThatIsMountedToo() async throws {
    try tool.write("correct horse\n", to: "words")
    try await tool.succeed("keys passphrase --keys device.jwks --new-passphrase-file words")
    try own("mount/\(Self.version)/device.jwks", 0o440, copying: "device.jwks")
    try own("mount/words", 0o440, copying: "words")
    let list = "keys list --keys mount/device.jwks --passphrase-file mount/words"
    #expect(try await asService("sealpush \(list)").status == 0)
    try own("mount/words", 0o444)
    _ = try await refuse(list, 77, "mount/words can be read or written by others (mode 0444)")
  }
}
