import Foundation
import Testing

/// What others have of a file's keys, and clocks: each command is pasted, and nothing is lost by it.
@Suite("The doctor, of what others have", .serialized)
struct DoctorCopyTests {
  private let pair: Pair

  init() async throws { pair = try await Pair() }

  private var tool: Tool { pair.tool }

  /// Gives a second sender, whose keys are in the devices' copy, too.
  private func secondSender() async throws -> [String] {
    try await tool.succeed("keys new --role sender --out other.jwks --now \(start)")
    try await tool.succeed("keys export --keys other.jwks --out sender.pub.jwks --force --merge")
    return try await tool.keys("other.jwks").map(\.kid)
  }

  @Test func anotherSendersKeysAreNotCalledStolen() async throws {
    let others = try await secondSender()
    let options = "--keys sender.jwks --senders sender.pub.jwks --now \(start)"
    let found = try await tool.findings(options, status: 0)
    #expect(found.map(\.code) == ["gone-key-in-use", "gone-key-in-use"])
    #expect(found.map(\.severity) == ["warning", "warning"] && found.compactMap(\.kid) == others)
    try #require(found.count == 2)
    #expect(found[0].message.contains("another sender's"))
    // Pasted without a look, they change nothing.
    let before = try tool.contents("sender.pub.jwks")
    for finding in found { try await tool.paste(finding.mend, now: start) }
    #expect(try tool.contents("sender.pub.jwks") == before)
    #expect(try await tool.findings(options, status: 0).count == 2)
  }

  @Test func handingOutKeepsAnotherSendersKeys() async throws {
    let others = try await secondSender()
    for _ in 0..<3 { try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start)") }
    let options = "--keys sender.jwks --senders sender.pub.jwks --now \(start)"
    let found = try await tool.findings(options, status: 65).filter { $0.code == "not-handed-out" }
    try await tool.paste(try #require(found.first).mend, now: start)
    try tool.handOut("sender.pub.jwks")
    #expect(try await tool.findings(options, status: 0).allSatisfy { $0.code == "gone-key-in-use" })
    #expect(try tool.publicKeys("sender.pub.jwks").suffix(2) == others[...])
    let ours = try await tool.succeed(
      "seal --to device.pub.jwks --from other.jwks \(Pair.topic) --in payload.json --now \(start)")
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(ours.output))
  }

  @Test func aDestroyedKeyThatIsStillTrusted() async throws {
    let stolen = try await tool.keys("sender.jwks")[0].kid
    let others = try await secondSender()
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(stolen) --now \(start)")
    let options = "--keys sender.jwks --senders sender.pub.jwks --now \(start)"
    let finding = try #require(try await tool.findings(options, status: 0).first { $0.kid == stolen })
    #expect(finding.message.contains("its thief is trusted"))
    try await tool.paste(finding.mend, now: start)
    try tool.handOut("sender.pub.jwks")
    let left = try tool.publicKeys("sender.pub.jwks")
    #expect(!left.contains(stolen) && left.suffix(2) == others[...])
  }

  @Test func mergingIsOfSendersAlone() async throws {
    try await tool.refuse(
      "keys export --keys device.jwks --out device.pub.jwks --force --merge", 64, "senders' or roots' keys")
    try await tool.refuse("keys export --keys sender.jwks --merge", 64, "--out is missing")
    try await tool.refuse(
      "keys export --keys sender.jwks --out sender.pub.jwks --merge", 73, "sender.pub.jwks exists")
    try await tool.refuse(
      "keys export --keys sender.jwks --out device.pub.jwks --force --merge", 65,
      "device.pub.jwks: the keys have the wrong role")
    let kid = try await tool.keys("sender.jwks")[0].kid
    try await tool.refuse(
      "keys export --keys sender.jwks --without=\(kid)", 64, "--without needs --merge or --beside")
    try await tool.refuse(
      "keys export --keys sender.jwks --format jwk --merge", 64, "--merge, --beside and --without")
    try await tool.refuse(
      "keys export --keys sender.jwks --root sender.pub.jwks", 64, "--root needs --beside")
    try await tool.refuse(
      "keys export --keys device.jwks --beside device.pub.jwks", 64, "senders' or roots' keys")
    try await tool.succeed("keys export --keys sender.jwks --out new.pub.jwks --merge")
    #expect(try tool.contents("new.pub.jwks") == tool.contents("sender.pub.jwks"))
  }

  @Test func backendsThatSealToAKeyThatHasEnded() async throws {
    try await tool.succeed("keys rotate --keys device.jwks --now \(start)")
    let now = start + 40 * day
    let options = "--keys device.jwks --public device.pub.jwks --now \(now)"
    let found = try await tool.findings(options, status: 65).filter { $0.severity == "error" }
    #expect(found.map(\.code) == ["not-handed-out", "gone-key-in-use"])
    try #require(found.count == 2)
    #expect(found[0].message.contains("no key of its suite that this file opens"))
    try await tool.paste(found[1].mend, now: now)
    try tool.handOut("device.pub.jwks")
    #expect(try await tool.findings(options, status: 0).allSatisfy { $0.severity != "error" })
    try await tool.succeed("\(pair.open) --now \(now)", input: .bytes(pair.sealed(at: now)))
  }

  @Test func backendsThatHaveTheKeyAndDoNotSealToIt() async throws {
    try tool.edit("device.pub.jwks", #""status":"active""#, #""status":"accepted""#)
    try await tool.mend(
      "--keys device.jwks --public device.pub.jwks", "error", "not-handed-out", handingOut: "device.pub.jwks")
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(pair.sealed()))
  }

  @Test func anEndedKeyOfASenderNeedNotBeHandedOut() async throws {
    try await tool.succeed(
      "keys rotate --keys sender.jwks --again --now \(start) --out sender.pub.jwks --force")
    try await tool.succeed("keys rotate --keys sender.jwks --now \(start + 29 * day)")
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks --force")
    let now = start + 31 * day
    try await tool.mend("--keys sender.jwks --senders sender.pub.jwks", "warning", "accepted-ended", now: now)
  }

  @Test func aKeyThatHasNotBegun() async throws {
    try tool.edit(
      "sender.jwks", #","status":"active""#, #","nbf":\#(start + 50 * day),"status":"active""#)
    try await tool.refuse("\(pair.seal) --in payload.json --now \(start)", 65, "not valid yet")
    try await tool.mend("--keys sender.jwks", "error", "active-not-begun")
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(pair.sealed()))
  }

  @Test func aClockThatIsBehindEndsNothing() async throws {
    let found = try await tool.findings("--keys device.jwks --now \(start - 60 * day)", status: 0)
    #expect(found.map(\.code) == ["made-in-future"])
    try #require(found.count == 1)
    #expect(!found[0].mend.contains("sealpush") && found[0].mend.contains("timedatectl"))
    // Rotated all the same, and by the right clock again: what was sealed before still opens.
    let sealed = try await pair.sealed()
    try await tool.succeed("keys rotate --keys device.jwks --now \(start - 60 * day)")
    try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(sealed))
    let after = try await tool.findings("--keys device.jwks --now \(start)", status: 0)
    #expect(after.map(\.code) == ["old-active-key"])
    try await tool.paste(try #require(after.first).mend, now: start)
    try await tool.succeed("keys prune --keys device.jwks --now \(start + day)")
    try await tool.succeed("\(pair.open) --now \(start + day)", input: .bytes(sealed))
  }

  @Test func aKeyThatWasMadeByAClockAheadIsReplaced() async throws {
    let rotate = "keys rotate --keys device.jwks --if-older-than 30d --now"
    let almost = try await tool.run("\(rotate) \(start - day)")
    #expect(almost.errors.contains("nothing to do"))
    let far = try await tool.run("\(rotate) \(start - day - 1)")
    #expect(far.errors.contains("rotated device.jwks"))
    #expect(try await tool.keys("device.jwks")[0].exp == start + 30 * day)
  }
}
