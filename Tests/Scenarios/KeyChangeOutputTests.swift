import Foundation
import Glibc
import Testing

/// The public set that a change of keys writes, and what it may not cost.
@Suite("The public set after a change", .serialized)
struct KeyChangeOutputTests {
  private let pair: Pair

  init() async throws { pair = try await Pair() }

  private var tool: Tool { pair.tool }

  private static let night =
    "keys rotate --keys device.jwks --if-older-than 30d --out device.pub.jwks --force"

  /// What `keys export` would write.
  private func expectHandedOut(
    _ role: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let export = try await tool.succeed("keys export --keys \(role).jwks")
    #expect(try tool.contents("\(role).pub.jwks") == export.output, sourceLocation: sourceLocation)
  }

  @Test(arguments: ["rotate", "rotate --if-older-than 30d", "revoke"])
  func nothingIsChangedWhoseResultHasNoPlace(command: String) async throws {
    let kid = try await tool.keys("device.jwks")[0].kid
    let options = command == "revoke" ? " --kid=\(kid)" : ""
    let before = try tool.contents("device.jwks")
    let line = "keys \(command) --keys device.jwks\(options) --now \(start + 31 * day) --out"
    try tool.write("mine", to: "mine")
    for end in ["nosuch/x.pub --force", "mine", ". --force", "mine/x --force"] {
      for dry in ["", " --dry-run"] {
        try await tool.refuse("\(line) \(end)\(dry)", 73)
        #expect(try tool.contents("device.jwks") == before)
      }
    }
    guard try await Unprivileged.works(in: tool) else { return }
    try #require(unsafe mkdir(tool.path("closed"), 0o500) == 0)
    let run = try await tool.execute(Unprivileged.words("\(line) closed/x.pub"))
    run.expectRefusal("a folder that may not be written", 73, "cannot create closed/x.pub: not permitted")
    #expect(try tool.contents("device.jwks") == before)
  }

  @Test func aNightMakesUpForTheOneBefore() async throws {
    let words = Self.night.split(separator: " ").map(String.init) + ["--now", "\(start + 31 * day)"]
    let run = try await tool.execute(
      Strace.words(to: tool.scratch + "/calls") + ["-e", "inject=/^rename:error=EIO:when=2", Tool.binary]
        + words)
    if run.errors.hasPrefix("strace: ") || run.errors.hasPrefix("env: ") { return }
    // Both are said: that the keys are others now, and that the public set is not.
    #expect(run.status == 73 && run.errors.contains("rotated device.jwks"))
    #expect(run.errors.contains("hint: then: sealpush keys export --keys device.jwks --out device.pub.jwks"))
    #expect(try await tool.keys("device.jwks").count == 2)
    let next = try await tool.succeed("\(Self.night) --now \(start + 32 * day)")
    #expect(next.errors.contains("nothing to do in device.jwks") && next.errors.contains("distribute it"))
    #expect(try await tool.keys("device.jwks").count == 2)
    try await expectHandedOut("device")
  }

  @Test func theFirstNightWritesIt() async throws {
    try FileManager.default.removeItem(atPath: tool.path("device.pub.jwks"))
    let doctor = "keys doctor --keys device.jwks --public device.pub.jwks --now \(start + day)"
    for day in [start + day, start + 31 * day] {
      try await tool.succeed("\(Self.night) --now \(day)")
      try await expectHandedOut("device")
      try await tool.succeed("keys prune --keys device.jwks --now \(day)")
      try await tool.succeed(doctor)
    }
    // What is right is not written again.
    let before = try FileManager.default.attributesOfItem(atPath: tool.path("device.pub.jwks"))
    let run = try await tool.succeed("\(Self.night) --now \(start + 32 * day)")
    let after = try FileManager.default.attributesOfItem(atPath: tool.path("device.pub.jwks"))
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    #expect(!run.errors.contains("distribute it") && run.output.isEmpty)
  }

  @Test func aRevokedKeyDoesNotComeBack() async throws {
    let old = try await tool.keys("sender.jwks")[0].kid
    let rotate = "keys rotate --keys sender.jwks --again --out sender.pub.jwks --force"
    // Held up between the key file and the public one.
    let child = try Child(
      Strace.words(to: tool.scratch + "/calls")
        + ["-e", "inject=/^rename:delay_enter=1500000:when=2", Tool.binary]
        + rotate.split(separator: " ").map(String.init), in: tool.surroundings())
    while try await tool.keys("sender.jwks").count < 3 {
      // Not even begun where strace(1) cannot be had.
      if let ending = child.check() { return print("Not tested: \(ending)") }
    }
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(old) --out sender.pub.jwks --force")
    #expect(try await child.wait() == .exited(0))
    #expect(try !tool.publicKeys("sender.pub.jwks").contains(old))
    try await expectHandedOut("sender")
  }

  @Test func sharedKeysHaveNone() async throws {
    try await tool.succeed("keys new --role shared --out shared.jwks")
    for dry in ["", " --dry-run"] {
      try await tool.refuse("keys rotate --keys shared.jwks --out x.pub\(dry)", 65, "no public half")
    }
    #expect(try await tool.keys("shared.jwks").count == 1)
  }

  @Test func whatADryRunSaysOfImports() async throws {
    _ = try await tool.shell("umask 077; openssl genpkey -algorithm x25519 -out key.pem")
    let line = "keys import --role device --format pem --in key.pem --keys"
    for dry in ["", " --dry-run"] {
      try await tool.refuse("\(line) nosuch/new.jwks\(dry)", 73, "its folder does not exist")
    }
    for name in ["device.jwks", "new.jwks"] {
      let run = try await tool.succeed("\(line) \(name) --dry-run")
      #expect(run.errors.contains("dry run: \(name) is ") && run.lines.first?.hasPrefix("STATUS") == true)
    }
    #expect(try await tool.keys("device.jwks").count == 1 && !tool.names.contains("new.jwks"))
  }

  @Test func privateKeysAreNotReplaced() async throws {
    try tool.write("\(Pair.passphrase)\n", to: "words")
    for (name, options) in [("victim", ""), ("locked", " --passphrase-file words"), ("root", "")] {
      let role = name == "root" ? "root" : "sender"
      try await tool.succeed("keys new --role \(role) --out \(name).jwks\(options)")
      let before = try tool.contents("\(name).jwks")
      for line in [
        "keys rotate --keys device.jwks", "keys export --keys device.jwks", "\(pair.seal) --in payload.json",
        "keys export --keys device.jwks --format pem --private",
        "keys rotate --keys device.jwks --dry-run",
      ] {
        try await tool.refuse("\(line) --out \(name).jwks --force", 73, "\(name).jwks has private keys")
      }
      #expect(try tool.contents("\(name).jwks") == before)
    }
    #expect(try await tool.keys("device.jwks").count == 1)
    try await tool.succeed("keys export --keys device.jwks --out sender.pub.jwks --force")
  }

  @Test func hintsAreCommands() async throws {
    let name = "my keys;id.jwks"
    let made = try await tool.run(words: ["keys", "new", "--role", "device", "--out", name])
    _ = try await tool.shell("umask 077; openssl genpkey -algorithm x25519 -out key.pem")
    let options = ["--keys", name, "--role", "device", "--format", "pem", "--in", "key.pem"]
    let imported = try await tool.run(words: ["keys", "import"] + options)
    for run in [made, imported] {
      let command = try #require(run.errors.split(separator: "distribute it: ").last.map(String.init))
      #expect(try await tool.shell(command).status == 0, "\(run.errors)")
    }
    let sealed = try await tool.run(
      words: ["seal", "--to", name, "--anonymous", "--topic", "a.b", "--in", "payload.json"])
    let export = try #require(sealed.hint?.split(separator: "half: ").last.map(String.init))
    #expect(try await tool.shell(export).status == 0)
    try tool.setMode(0o644, of: name)
    let refused = try await tool.run(words: ["keys", "list", "--keys", name])
    #expect(try await tool.shell(try #require(refused.hint)).status == 0)
    try tool.setMode(0o644, of: "key.pem")
    try FileManager.default.moveItem(atPath: tool.path("key.pem"), toPath: tool.path("my words"))
    let words = try await tool.run(words: ["keys", "list", "--keys", name, "--passphrase-file", "my words"])
    #expect(try await tool.shell(try #require(words.hint)).status == 0)
    #expect(try tool.mode(of: "my words") == 0o600 && tool.mode(of: name) == 0o600)
  }

  @Test func anImportOfAnotherKindSaysHowItGoes() async throws {
    _ = try await tool.shell("umask 077; openssl genpkey -algorithm x25519 -out key.pem")
    let line = "keys import --keys new.jwks --format pem --in key.pem"
    let run = try await tool.refuse("\(line) --role sender", 65, "another kind")
    let options = try #require(run.hint?.split(separator: "import it with ").last.map(String.init))
    try await tool.succeed("\(line) \(options)")
  }
}
