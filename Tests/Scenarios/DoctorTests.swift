import Foundation
import Testing

@Suite("The doctor", .serialized)
struct DoctorTests {
  @Test func nothing() async throws {
    let tool = try await Pair().tool
    for options in ["device.jwks --public device.pub.jwks", "sender.jwks --senders sender.pub.jwks"] {
      let run = try await tool.succeed("keys doctor --keys \(options) --now \(start)")
      #expect(run.output.isEmpty && run.errors.hasSuffix(" is fine\n"))
    }
  }

  @Test func permissions() async throws {
    let tool = try await Pair().tool
    try tool.setMode(0o640, of: "device.jwks")
    try await tool.mend("--keys device.jwks", "error", "file-permissions")
    try tool.setMode(0o777, of: ".")
    try await tool.mend("--keys device.jwks", "error", "folder-permissions")
    try tool.setMode(0o777, of: ".")
    try await tool.mend("--keys \(tool.folder)/device.jwks", "error", "folder-permissions")
  }

  @Test func ends() async throws {
    let tool = try await Pair().tool
    try tool.edit("device.jwks", #""status""#, #""exp":\#(start + 1),"status""#)
    try await tool.mend("--keys device.jwks", "error", "active-ended", now: start + 2)
    // The active key is young, and the old one's end has passed.
    try await tool.succeed("keys rotate --keys device.jwks --now \(start + 20 * day)")
    try tool.edit("device.jwks", #""exp":\#(start + 50 * day)"#, #""exp":\#(start + 30 * day)"#)
    try await tool.mend("--keys device.jwks", "warning", "accepted-ended", now: start + 31 * day)
  }

  @Test func aKeyThatIsAcceptedForEver() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let sealed = try await pair.sealed()
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    try tool.edit("device.jwks", #","exp":\#(start + 30 * day)"#, "")
    // The backends do not have the new key: nothing ends the old one.
    let options = "--keys device.jwks --public device.pub.jwks --now \(start + day)"
    let early = try await tool.findings(options, status: 0)
    try await tool.paste(
      try #require(early.first { $0.code == "accepted-without-end" }).mend, now: start + day)
    #expect(try await tool.findings(options, status: 0).count == 2)
    try await tool.succeed("keys export --keys device.jwks --out device.pub.jwks --force")
    try await tool.mend(
      "--keys device.jwks --public device.pub.jwks", "warning", "accepted-without-end", now: start + day)
    #expect(try await tool.keys("device.jwks")[0].exp == start + 32 * day)
    try await tool.succeed("\(pair.open) --now \(start + day)", input: .bytes(sealed))
  }

  @Test(arguments: [(30, "note"), (90, "warning")]) func age(days: Int, severity: String) async throws {
    let tool = try await Pair().tool
    try await tool.mend("--keys device.jwks", severity, "old-active-key", now: start + days * day)
  }

  @Test func whatOthersDoNotHave() async throws {
    let tool = try await Pair().tool
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    try await tool.mend(
      "--keys device.jwks --public device.pub.jwks", "warning", "not-handed-out",
      handingOut: "device.pub.jwks")
    // The devices have the key that signs since before the rotation, but not the one after it.
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start)")
    let options = "--keys sender.jwks --senders sender.pub.jwks"
    let next = try await tool.mend(options, "warning", "not-handed-out", handingOut: "sender.pub.jwks")
    #expect(next.message.contains("the next rotation will sign with it"))
    #expect(try await tool.keys("sender.jwks").first { $0.status == "next" }?.kid == next.kid)
    for _ in 0..<2 { try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start)") }
    let found = try await tool.findings("\(options) --now \(start)", status: 65)
    #expect(found.map(\.severity) == ["error", "warning"])
    try await tool.paste(try #require(found.first).mend, now: start)
    try tool.handOut("sender.pub.jwks")
    #expect(try await tool.findings("\(options) --now \(start)", status: 0).isEmpty)
  }

  @Test func forPeople() async throws {
    let tool = try await Pair().tool
    let run = try await tool.run("keys doctor --keys device.jwks --now \(start + 31 * day)")
    #expect(run.lines.count == 2 && run.lines[0].hasPrefix("note: old-active-key "))
    #expect(run.lines.last == "  fix: sealpush keys rotate --keys device.jwks --if-older-than 30d")
    #expect(run.status == 0)
    try await tool.refuse(
      "keys doctor --keys device.jwks --senders sender.pub.jwks", 64, "for a sender's file")
    try await tool.refuse(
      "keys doctor --keys sender.jwks --public device.pub.jwks", 64, "for a device's file")
  }

  @Test(arguments: ["identity", "root"]) func keysThatAreForEver(role: String) async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role \(role) --out \(role).jwks --now \(start)")
    for now in [start - 400 * day, start, start + 4000 * day] {
      let run = try await tool.succeed("keys doctor --keys \(role).jwks --now \(now)")
      #expect(run.output.isEmpty && run.errors.hasSuffix(" is fine\n"))
    }
    try tool.setMode(0o644, of: "\(role).jwks")
    try await tool.mend("--keys \(role).jwks", "error", "file-permissions")
    // Nothing can replace it: it is kept, and no other is made.
    try tool.edit("\(role).jwks", "}\n]}", "")
    let before = try tool.contents("\(role).jwks")
    let found = try await tool.findings("--keys \(role).jwks", status: 65)
    try await tool.paste(try #require(found.first).mend, now: start)
    #expect(try tool.names == ["\(role).jwks.broken"])
    #expect(try tool.contents("\(role).jwks.broken") == before)
  }
}
