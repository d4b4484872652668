import Foundation
import Testing

@Suite("The doctor", .serialized)
struct DoctorTests {
  private struct Finding: Decodable {
    let severity: String
    let code: String
    let kid: String?
    let message: String
    let mend: String
  }

  private func findings(_ tool: Tool, _ options: String, status: Int32) async throws -> [Finding] {
    let run = try await tool.run("keys doctor --json \(options)")
    #expect(run.status == status, "\(options): \(run.text) \(run.errors)")
    return try run.lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }

  /// Expects one finding, runs what is said to mend it, and expects none.
  private func mend(
    _ tool: Tool, _ options: String, _ severity: String, _ code: String, now: Int = start,
    change: (String) -> String = { $0 }, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let status: Int32 = severity == "error" ? 65 : 0
    let options = "\(options) --now \(now)"
    let found = try await findings(tool, options, status: status)
    let first = try #require(found.first, sourceLocation: sourceLocation)
    #expect(found.map(\.code) == [code], sourceLocation: sourceLocation)
    #expect(first.severity == severity && !first.message.isEmpty, sourceLocation: sourceLocation)
    // With the same clock as the doctor's.
    let command = change(first.mend).replacingOccurrences(
      of: "sealpush keys rotate", with: "sealpush keys rotate --now \(now)"
    )
    .replacingOccurrences(of: "sealpush keys new", with: "sealpush keys new --now \(now)")
    .replacingOccurrences(of: "sealpush keys prune", with: "sealpush keys prune --now \(now)")
    let done = try await tool.shell(command)
    #expect(done.status == 0, "\(command): \(done.errors)", sourceLocation: sourceLocation)
    #expect(try await findings(tool, options, status: 0).isEmpty, sourceLocation: sourceLocation)
  }

  private func edit(_ tool: Tool, _ name: String, _ text: String, _ other: String) throws {
    let old = String(decoding: try tool.contents(name), as: UTF8.self)
    #expect(old.contains(text))
    try tool.write(old.replacingOccurrences(of: text, with: other), to: name)
  }

  @Test func nothing() async throws {
    let tool = try await Pair().tool
    for options in ["device.jwks --public device.pub.jwks", "sender.jwks --senders sender.pub.jwks"] {
      let run = try await tool.succeed("keys doctor --keys \(options) --now \(start)")
      #expect(run.output.isEmpty && run.errors.hasSuffix(" is well\n"))
    }
  }

  @Test func permissions() async throws {
    let tool = try await Pair().tool
    try tool.setMode(0o640, of: "device.jwks")
    try await mend(tool, "--keys device.jwks", "error", "file-permissions")
    try tool.setMode(0o777, of: ".")
    try await mend(tool, "--keys device.jwks", "error", "folder-permissions")
    try tool.setMode(0o777, of: ".")
    try await mend(tool, "--keys \(tool.folder)/device.jwks", "error", "folder-permissions")
  }

  @Test func aFileThatDoesNotLoad() async throws {
    let tool = try await Pair().tool
    try edit(tool, "device.jwks", #""status":"active""#, #""status":"accepted""#)
    let found = try await findings(tool, "--keys device.jwks", status: 65)
    #expect(found.first?.message == "device.jwks: no key is active")
    try await mend(tool, "--keys device.jwks", "error", "does-not-load") {
      $0.replacingOccurrences(of: "ROLE", with: "device")
    }
    #expect(try tool.names.contains("device.jwks.broken"))
    let line = #"{"v":1,"keys":["#
    try await tool.succeed("keys rotate --keys sender.jwks")
    try edit(tool, "sender.jwks", #""status":"accepted""#, #""status":"active""#)
    #expect(String(decoding: try tool.contents("sender.jwks"), as: UTF8.self).hasPrefix(line))
    let two = try await findings(tool, "--keys sender.jwks", status: 65)
    #expect(two.map(\.message) == ["sender.jwks: two keys of a suite are active"])
    try await tool.refuse("keys doctor --keys nowhere.jwks", 66, "there is no nowhere.jwks")
  }

  @Test func ends() async throws {
    let tool = try await Pair().tool
    try edit(tool, "device.jwks", #""status""#, #""exp":\#(start + 1),"status""#)
    try await mend(tool, "--keys device.jwks", "error", "active-ended", now: start + 2)
    // The active key is young, and the old one's end has passed.
    try await tool.succeed("keys rotate --keys device.jwks --now \(start + 20 * day)")
    try await mend(tool, "--keys device.jwks", "warning", "accepted-ended", now: start + 31 * day)
    try edit(tool, "device.jwks", #","exp":\#(start + 50 * day)"#, "")
    try await mend(tool, "--keys device.jwks", "warning", "accepted-without-end", now: start + 31 * day)
  }

  @Test(arguments: [(30, "note"), (90, "warning")]) func age(days: Int, severity: String) async throws {
    let tool = try await Pair().tool
    try await mend(tool, "--keys device.jwks", severity, "old-active-key", now: start + days * day)
  }

  @Test func aClockThatIsBehind() async throws {
    let tool = try await Pair().tool
    try await mend(tool, "--keys device.jwks", "warning", "made-in-future", now: start - 1)
  }

  @Test func whatOthersDoNotHave() async throws {
    let tool = try await Pair().tool
    for (role, option, severity) in [("device", "--public", "warning"), ("sender", "--senders", "error")] {
      try await tool.succeed("keys rotate --keys \(role).jwks --now \(start)")
      try await mend(tool, "--keys \(role).jwks \(option) \(role).pub.jwks", severity, "not-handed-out")
      try await tool.succeed("keys rotate --keys \(role).jwks --now \(start)")
    }
  }

  @Test func whatOthersStillUse() async throws {
    let tool = try await Pair().tool
    try await tool.succeed("keys rotate --keys sender.jwks --now \(start) --out sender.pub.jwks --force")
    let stolen = try await tool.keys("sender.jwks")[0].kid
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(stolen)")
    let options = "--keys sender.jwks --senders sender.pub.jwks"
    let found = try await findings(tool, "\(options) --now \(start)", status: 65)
    #expect(found.map(\.kid) == [stolen])
    try await mend(tool, options, "error", "gone-key-in-use")
  }

  @Test func forPeople() async throws {
    let tool = try await Pair().tool
    let run = try await tool.run("keys doctor --keys device.jwks --now \(start + 31 * day)")
    #expect(run.lines.count == 2 && run.lines[0].hasPrefix("note: old-active-key "))
    #expect(run.lines.last == "  mend: sealpush keys rotate --keys device.jwks --if-older-than 30d")
    #expect(run.status == 0)
    try await tool.refuse(
      "keys doctor --keys device.jwks --senders sender.pub.jwks", 64, "of a sender's file")
    try await tool.refuse("keys doctor --keys sender.jwks --public device.pub.jwks", 64, "of a device's file")
  }

  @Test func aNameThatAShellWouldTakeApart() async throws {
    let tool = try Tool()
    let made = try await tool.run(words: ["keys", "new", "--role", "device", "--out", "it's mine.jwks"])
    #expect(made.status == 0)
    try tool.setMode(0o644, of: "it's mine.jwks")
    let run = try await tool.run(words: ["keys", "doctor", "--json", "--keys", "it's mine.jwks"])
    let found = try JSONDecoder().decode(Finding.self, from: Data(run.output))
    #expect(try await tool.shell(found.mend).status == 0)
    #expect(try tool.mode(of: "it's mine.jwks") == 0o600)
  }
}
