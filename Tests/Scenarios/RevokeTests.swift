import Foundation
import Testing

@Suite("Keys that are destroyed or replaced", .serialized)
struct RevokeTests {
  @Test func aStolenKey() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let old = try await tool.keys("device.jwks")[0].kid
    let revoke = "keys revoke --keys device.jwks --kid=\(old) --now \(start + day)"
    // Said first, and nothing is changed.
    let before = try tool.contents("device.jwks")
    let dryRun = try await tool.succeed("\(revoke) --dry-run")
    #expect(dryRun.errors.contains("would destroy \(old), active"))
    #expect(dryRun.errors.contains("until 2027-02-15 08:00:00 UTC"))
    #expect(try tool.contents("device.jwks") == before)
    // What was on the way is lost, and what is sealed to the new key opens.
    let lost = try await pair.sealed()
    let done = try await tool.succeed("\(revoke) --out device.pub.jwks --force")
    #expect(done.errors.contains("destroyed \(old), active") && done.output.isEmpty)
    #expect(try await tool.keys("device.jwks").map(\.status) == ["active"])
    try await tool.refuse("\(pair.open) --now \(start + day)", 65, "unknown-key", input: .bytes(lost))
    let sealed = try await pair.sealed(at: start + day)
    try await tool.succeed("\(pair.open) --now \(start + day)", input: .bytes(sealed))
    try await tool.refuse(revoke, 65, "device.jwks: it has no key with that name")
  }

  @Test func anAcceptedKey() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    let keys = try await tool.keys("device.jwks")
    let done = try await tool.succeed(
      "keys revoke --keys device.jwks --kid=\(keys[0].kid) --now \(start + day)")
    #expect(done.errors.contains("until 2027-02-14 08:00:00 UTC"))
    #expect(try await tool.keys("device.jwks") == [keys[1]])
    #expect(done.text.contains(keys[1].kid) && !done.text.contains(keys[0].kid))
  }

  @Test func aSendersKeyAndAnEndedOne() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let old = try await tool.keys("sender.jwks")[0].kid
    let done = try await tool.succeed("keys revoke --keys sender.jwks --kid=\(old) --now \(start)")
    #expect(done.errors.contains("once devices have the new public set"))
    #expect(!done.text.contains(old))
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    let ended = try await tool.keys("device.jwks")[0].kid
    let late = try await tool.succeed(
      "keys revoke --keys device.jwks --kid=\(ended) --now \(start + 31 * day)")
    #expect(late.errors.contains("nothing is lost"))
  }

  /// Whoever has the file of a sender has its next and its accepted keys, too.
  @Test func everyKeyOfAStolenFile() async throws {
    let tool = try await Pair().tool
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start)")
    let stolen = try await tool.keys("sender.jwks")
    #expect(Set(stolen.map(\.status)) == ["accepted", "active", "next"])
    let revoke = "keys revoke --keys sender.jwks --all --now \(start + day)"
    let dryRun = try await tool.succeed("\(revoke) --dry-run")
    #expect(stolen.allSatisfy { dryRun.errors.contains("would destroy \($0.kid), \($0.status)") })
    let done = try await tool.succeed("\(revoke) --out sender.pub.jwks --force")
    #expect(stolen.allSatisfy { done.errors.contains("destroyed \($0.kid), \($0.status)") })
    let keys = try await tool.keys("sender.jwks")
    #expect(keys.map(\.status).sorted() == ["active", "next"])
    let trusted = try String(decoding: tool.contents("sender.pub.jwks"), as: UTF8.self)
    #expect(stolen.allSatisfy { !trusted.contains($0.kid) } && keys.allSatisfy { trusted.contains($0.kid) })
    try await tool.refuse("\(revoke) --kid=\(keys[0].kid)", 64, "give either --kid NAME or --all")
  }

  @Test func aSharedKey() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role shared --out shared.jwks")
    let old = try await tool.keys("shared.jwks")[0].kid
    try await tool.refuse("keys revoke --keys shared.jwks --kid=\(old) --out x", 65, "no public half")
    #expect(try await tool.keys("shared.jwks")[0].kid == old)
    let done = try await tool.succeed("keys revoke --keys shared.jwks --kid=\(old)")
    #expect(done.output.isEmpty && done.errors.contains("copy it to the side that opens"))
    #expect(try await tool.keys("shared.jwks")[0].kid != old)
  }

  @Test func whatIsNoName() async throws {
    let pair = try await Pair()
    let run = try await pair.tool.refuse(
      "keys revoke --keys device.jwks --kid abc", 64, "--kid must be a key's")
    #expect(run.hint == "--kid=NAME if it begins with -")
    try await pair.tool.refuse("keys revoke --keys device.jwks", 64, "give either --kid NAME or --all")
  }

  @Test func everyNight() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let rotate = "keys rotate --keys device.jwks --if-older-than 30d --out new.jwks"
    let before = try tool.contents("device.jwks")
    let early = try await tool.succeed("\(rotate) --now \(start + 30 * day - 1)")
    #expect(
      early.errors.contains("which is 29 days old") && early.errors.contains("nothing to do in device.jwks"))
    #expect(try early.output.isEmpty && tool.contents("device.jwks") == before)
    // The public set is written all the same, if it was not there.
    let export = try await tool.succeed("keys export --keys device.jwks")
    #expect(try tool.contents("new.jwks") == export.output)
    try FileManager.default.removeItem(atPath: tool.path("new.jwks"))
    let dryRun = try await tool.succeed("\(rotate) --now \(start + 30 * day) --dry-run")
    #expect(dryRun.lines.count == 3)
    #expect(try tool.contents("device.jwks") == before)
    let due = try await tool.succeed("\(rotate) --now \(start + 30 * day)")
    #expect(due.errors.contains("rotated device.jwks"))
    #expect(try await tool.keys("device.jwks").map(\.status) == ["accepted", "active"])
    #expect(try tool.names.contains("new.jwks"))
  }
}
