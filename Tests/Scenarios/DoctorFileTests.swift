import Foundation
import Glibc
import Testing

/// Each command is pasted as it stands, and nothing is lost by it.
@Suite("The doctor, of files that do not load", .serialized)
struct DoctorFileTests {
  private let pair: Pair

  init() async throws { pair = try await Pair() }

  private var tool: Tool { pair.tool }

  /// What a shell runs as the editor.
  private func editor(_ script: String) -> [String: String] { ["EDITOR": "sed -i \(script)"] }

  @Test(arguments: ["device", "sender"]) func aDamagedFile(role: String) async throws {
    let name = "\(role).jwks"
    let whole = try tool.contents(name)
    for aside in ["\(name).broken", "\(name).broken2"] {
      try tool.write(whole, to: name)
      try tool.edit(name, "}\n]}", "")
      let broken = try tool.contents(name)
      let finding = try #require(try await tool.findings("--keys \(name)", status: 65).first)
      #expect(finding.code == "does-not-load" && finding.message.contains("a backup"))
      #expect(finding.message.contains("without a backup, sealpush keys new --role \(role)"))
      try await tool.paste(finding.mend, now: start)
      // No new key is in its place, whose public half nobody has.
      try await tool.refuse("keys doctor --keys \(name)", 66, "there is no \(name)")
      #expect(try tool.contents(aside) == broken)
    }
  }

  @Test func theKindThatTheTextShows() async throws {
    for options in ["--role device --suite p256-aesgcm", "--role shared"] {
      try await tool.succeed("keys new \(options) --out other.jwks")
      try tool.edit("other.jwks", #""v":1"#, #""v":1,"#)
      let found = try await tool.findings("--keys other.jwks", status: 65)
      #expect(found.first?.message.contains("sealpush keys new \(options) --out other.jwks makes") == true)
      try FileManager.default.removeItem(atPath: tool.path("other.jwks"))
    }
    // Of nothing that is known, nothing is made.
    try tool.write("{", to: "junk.jwks")
    let found = try await tool.findings("--keys junk.jwks", status: 65)
    #expect(found.first?.message.contains("keys new") == false)
    try await tool.paste(try #require(found.first).mend, now: start)
    #expect(try tool.text("junk.jwks.broken") == "{" && !tool.names.contains("junk.jwks"))
  }

  @Test func twoActiveKeys() async throws {
    let sealed = try await pair.sealed()
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    try tool.edit(
      "device.jwks", #","exp":\#(start + 30 * day),"status":"accepted""#,
      #","exp":\#(start + 30 * day),"status":"active""#)
    let before = try tool.contents("device.jwks")
    let finding = try await tool.mend(
      "--keys device.jwks", "error", "does-not-load", environment: editor("2s/active/accepted/"))
    #expect(finding.message.contains("two keys of a suite are active"))
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(sealed))
    #expect(try tool.contents("device.jwks.broken") == before)
    #expect(try tool.mode(of: "device.jwks.broken") == 0o600 && tool.mode(of: "device.jwks") == 0o600)
  }

  @Test func noActiveKey() async throws {
    let sealed = try await pair.sealed()
    try tool.edit("device.jwks", #""status":"active""#, #""status":"accepted""#)
    try await tool.mend(
      "--keys device.jwks", "error", "does-not-load", environment: editor("s/accepted/active/"))
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(sealed))
  }

  @Test func aNewerVersion() async throws {
    try tool.edit("device.jwks", #""v":1"#, #""v":2"#)
    let before = try tool.contents("device.jwks")
    let found = try await tool.findings("--keys device.jwks", status: 65)
    try #require(found.count == 1)
    #expect(found.map(\.code) == ["newer-version"] && found[0].message.contains("install that"))
    try await tool.paste(found[0].mend, now: start)
    #expect(try tool.contents("device.jwks") == before)
  }

  @Test func aPublicFileIsNotBroken() async throws {
    try tool.setMode(0o600, of: "device.pub.jwks")
    let run = try await tool.refuse("keys doctor --keys device.pub.jwks", 65, "key 0 is public")
    #expect(run.hint?.contains("keys new made") == true)
    try await tool.refuse("keys doctor --keys nowhere.jwks", 66, "there is no nowhere.jwks")
  }

  @Test func aFileThatIsNotEncrypted() async throws {
    try tool.write("\(Pair.passphrase)\n", to: "my words")
    let given = ["--keys", "device.jwks", "--passphrase-file", "my words"]
    let run = try await tool.run(words: ["keys", "doctor", "--json"] + given)
    let finding = try JSONDecoder().decode(Finding.self, from: Data(run.output))
    #expect(run.status == 65 && finding.code == "not-encrypted" && finding.severity == "error")
    let kid = try await tool.keys("device.jwks")[0].kid
    // It shows the keys, and makes a file that may be planted no other's.
    #expect(try await tool.paste(finding.mend, now: start).text.contains(kid))
    #expect(try await tool.run(words: ["keys", "doctor"] + given).status == 65)
    let encrypt = try #require(finding.message.components(separatedBy: "this encrypts it: ").last)
    try await tool.paste(encrypt, now: start)
    let after = try await tool.run(words: ["keys", "doctor", "--now", "\(start)"] + given)
    #expect(after.status == 0 && after.errors.hasSuffix("is fine\n"))
    let list = try await tool.run(words: ["keys", "list"] + given)
    #expect(list.text.contains(kid))
    // What opens the file is part of later commands.
    let late = try await tool.run(
      words: ["keys", "doctor", "--json", "--now", "\(start + 31 * day)"] + given)
    let old = try JSONDecoder().decode(Finding.self, from: Data(late.output))
    try await tool.paste(old.mend, now: start + 31 * day)
  }

  @Test func whatBelongsToAnotherUser() async throws {
    guard geteuid() == 0 else {
      print("Not tested: only root can give files away.")
      return
    }
    try #require(unsafe chown(tool.path("device.jwks"), 65534, 65534) == 0)
    try await tool.mend("--keys device.jwks", "error", "file-owner")
    try #require(unsafe chown(tool.folder, 65534, 65534) == 0)
    let finding = try await tool.mend("--keys device.jwks", "error", "folder-owner")
    #expect(finding.mend.hasPrefix("chown ") && finding.message.contains("another user"))
    try #require(unsafe chown(tool.folder, 65534, 65534) == 0)
    try await tool.mend("--keys \(tool.folder)/device.jwks", "error", "folder-owner")
  }

  @Test(arguments: [
    "it's mine.jwks", "-d.jwks", "tab\there.jwks", "line\nfeed 100%d.jwks", "ü\u{202e}.jwks",
    "'\u{301};false;'\u{301}.jwks",
  ])
  func namesThatAShellWouldTakeApart(name: String) async throws {
    let words = ["--keys=\(name)", "--now", "\(start)"]
    try await tool.succeed("keys new --role device --out new.jwks --now \(start)")
    try FileManager.default.moveItem(atPath: tool.path("new.jwks"), toPath: tool.path(name))
    for format in [["--json"], []] {
      try tool.setMode(0o644, of: name)
      let run = try await tool.run(words: ["keys", "doctor"] + format + words)
      #expect(run.status == 65)
      let mend =
        format.isEmpty
        ? try #require(run.lines.last?.split(separator: "fix: ").last.map(String.init))
        : try JSONDecoder().decode(Finding.self, from: Data(run.output)).mend
      try await tool.paste(mend, now: start)
      #expect(try tool.mode(of: name) == 0o600)
    }
    let late = try await tool.run(words: ["keys", "doctor", "--keys=\(name)", "--now", "\(start + 31 * day)"])
    let mend = try #require(late.lines.last?.split(separator: "fix: ").last.map(String.init))
    try await tool.paste(mend, now: start + 31 * day)
    #expect(try await tool.run(words: ["keys", "list", "--keys=\(name)"]).lines.count == 3)
  }

  @Test(arguments: ["", String(repeating: "x", count: 1100)])
  func aSlipAtThePromptIsNoFault(typed: String) async throws {
    try tool.write("\(Pair.passphrase)\n", to: "words")
    try await tool.succeed("keys passphrase --keys device.jwks --new-passphrase-file words")
    let terminal = try PseudoTerminal()
    var surroundings = try tool.surroundings()
    surroundings.input = terminal.path
    let child = try Child([Tool.binary, "keys", "doctor", "--keys", "device.jwks"], in: surroundings)
    try await terminal.wait(for: "Passphrase of device.jwks: ")
    terminal.type("\(typed)\n")
    #expect(try await child.wait() == .exited(65))
    #expect(try String(contentsOfFile: surroundings.output, encoding: .utf8).isEmpty)
  }
}
