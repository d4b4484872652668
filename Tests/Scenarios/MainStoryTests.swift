import Testing

/// The main job, as an operator does it.
@Suite("The life of a key", .serialized)
struct MainStoryTests {
  @Test(arguments: suites, Sending.allCases)
  func fromFirstKeyToItsDestruction(suite: String, sending: Sending) async throws {
    // The device makes its key, the backend its own, and each gets the other's public half.
    let pair = try await Pair(suite: suite, sending)
    let tool = pair.tool
    #expect(try tool.mode(of: "device.jwks") == 0o600)
    #expect(!String(decoding: try tool.contents("device.pub.jwks"), as: UTF8.self).contains("\"d\""))

    // A payload is sealed: what Apple sees says nothing.
    try await tool.succeed("\(pair.seal) --now \(start) --in payload.json --out old.json")
    let old = String(decoding: try tool.contents("old.json"), as: UTF8.self)
    #expect(!old.contains(#""Ada""#) && !old.contains("Lunch"))

    // It opens to what it was, byte for byte.
    let opened = try await tool.succeed("\(pair.open) --now \(start) --in old.json")
    #expect(opened.text == sample)
    #expect(opened.errors == "sealpush: opened with \(suite)\n")

    // A phone would show it.
    let shown = try await tool.succeed("\(pair.simulate) --now \(start) --in old.json --json").json(
      Simulated.self)
    #expect(shown.ran && shown.outcome == "opened" && shown.reason == nil)
    #expect(shown.shown.title == "Ada" && shown.shown.body == "Lunch at noon?" && shown.shown.badge == 3)

    // Anybody may see the suite and the key that it was sealed to.
    let first = try #require(try await tool.keys("device.jwks").first)
    let anatomy = try await tool.succeed("inspect --in old.json")
    #expect(anatomy.lines[0] == "version             1")
    #expect(anatomy.lines[1] == "suite               \(suite)")
    // 8 bytes of the key's thumbprint: 10 whole characters, and half of one.
    #expect(anatomy.lines[2].hasPrefix("key id              \(first.kid.prefix(10))"))

    // The key is rotated while that push is in flight; the backend gets the new public set.
    let rotated = try await tool.succeed("keys rotate --keys device.jwks --now \(start + day)")
    #expect(rotated.output == (try await tool.succeed("keys export --keys device.jwks")).output)
    try tool.write(rotated.output, to: "device.pub.jwks")
    let keys = try await tool.keys("device.jwks")
    #expect(keys.map(\.status).sorted() == ["accepted", "active"])
    #expect(keys.first { $0.status == "accepted" }?.exp == start + 31 * day)
    #expect(keys.allSatisfy { $0.suite == suite && $0.role == "device" })

    // The old push still opens, and so does a new one.
    try await tool.succeed("\(pair.seal) --now \(start + day) --in payload.json --out new.json")
    for name in ["old.json", "new.json"] {
      #expect(try await tool.succeed("\(pair.open) --now \(start + 2 * day) --in \(name)").text == sample)
    }

    // Before the grace is over nothing is destroyed; after it, the old key is.
    #expect(try await tool.succeed("keys prune --keys device.jwks --now \(start + 30 * day)").output.isEmpty)
    let after = start + 32 * day
    let dryRun = try await tool.succeed("keys prune --keys device.jwks --dry-run --now \(after)")
    #expect(dryRun.lines == [first.kid])
    #expect(try await tool.keys("device.jwks").count == 2)
    #expect(try await tool.succeed("keys prune --keys device.jwks --now \(after)").lines == [first.kid])
    #expect(try await tool.keys("device.jwks").map(\.status) == ["active"])

    // The old push is lost, and the tool says why; the new one is not.
    let lost = try await tool.refuse("\(pair.open) --now \(start + day) --in old.json", 65, "unknown-key: ")
    #expect(lost.hint != nil)
    #expect(try await tool.succeed("\(pair.open) --now \(start + 2 * day) --in new.json").text == sample)
  }

  @Test func aSenderRotatesToo() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    let old = try await pair.sealed()
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start + day)")
    let new = try await pair.sealed(at: start + day)

    // A device trusts the new key, which it has known as the next one.
    let now = "--now \(start + day)"
    #expect(try await tool.succeed("\(pair.open) \(now)", input: .bytes(old)).text == sample)
    #expect(try await tool.succeed("\(pair.open) \(now)", input: .bytes(new)).text == sample)

    // One that has not heard of the one after it does not trust that.
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start + day)")
    let newest = try await pair.sealed(at: start + day)
    try await tool.refuse("\(pair.open) \(now)", 65, "unknown-sender: ", input: .bytes(newest))
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks --force")
    for push in [old, new, newest] {
      #expect(try await tool.succeed("\(pair.open) \(now)", input: .bytes(push)).text == sample)
    }
  }

  @Test func aSenderDoesNotRotateTwiceInAWeek() async throws {
    let tool = try await Pair().tool
    let rotate = "keys rotate --keys sender.jwks"
    try await tool.succeed("\(rotate) --now \(start + 7 * day)")
    let before = try tool.contents("sender.jwks")
    for options in ["", " --if-older-than 1d", " --dry-run"] {
      let run = try await tool.refuse(
        "\(rotate)\(options) --now \(start + 9 * day)", 75, "the next key is younger than seven days")
      #expect(run.hint?.contains("UTC on, or now with --again; for a stolen key: keys revoke") == true)
    }
    #expect(try tool.contents("sender.jwks") == before)
    try await tool.succeed("\(rotate) --if-older-than 30d --now \(start + 9 * day)")
    #expect(try tool.contents("sender.jwks") == before)
    try await tool.succeed("\(rotate) --again --now \(start + 9 * day)")
    try await tool.succeed("\(rotate) --now \(start + 16 * day)")
    let kid = try await tool.keys("sender.jwks")[0].kid
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(kid) --now \(start + 16 * day)")
  }

  @Test func aDryRunChangesNothing() async throws {
    let pair = try await Pair()
    let before = try pair.tool.contents("device.jwks")
    let run = try await pair.tool.succeed("keys rotate --keys device.jwks --dry-run")
    #expect(run.lines.count == 3)
    #expect(run.errors.hasPrefix("sealpush: dry run: "))
    #expect(try pair.tool.contents("device.jwks") == before)
  }

  @Test func aJobFilters() async throws {
    // Standard input and output are the default, and - names them.
    let pair = try await Pair()
    let plain = try await pair.tool.succeed("\(pair.seal)", input: .text(sample))
    let named = try await pair.tool.succeed("\(pair.seal) --in - --out -", input: .text(sample))
    for sealed in [plain.output, named.output] {
      #expect(try await pair.tool.succeed("\(pair.open) --in -", input: .bytes(sealed)).text == sample)
    }
    #expect(plain.errors.isEmpty && named.errors.isEmpty)
    let piped = try await pair.tool.shell("sealpush \(pair.seal) < payload.json | sealpush \(pair.open)")
    #expect(piped.text == sample)
  }

  @Test func valuesMayFollowAnEqualsSign() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role=device --suite=p256-aesgcm --out=device.jwks")
    #expect(try await tool.keys("device.jwks").map(\.alg) == ["HPKE-7"])
  }
}
