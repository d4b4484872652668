import Foundation
import Testing

/// A root signs the senders' keys, and a device takes them.
@Suite("Senders' keys, signed", .serialized)
struct SignedSendersTests {
  private let pair: Pair
  private var tool: Tool { pair.tool }
  private let sign = "keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic)"
  private let accept = "keys accept --senders phone --root root.pub.jwks \(Pair.topic)"
  private let trust = "--senders phone --root root.pub.jwks \(Pair.topic)"

  init() async throws {
    pair = try await Pair()
    try await pair.tool.succeed("keys new --role root --out root.jwks --now \(start)")
    try await pair.tool.succeed("keys export --keys root.jwks --out root.pub.jwks")
  }

  private struct Accepted: Decodable {
    let change: String
    let serial: Int
    let expires: Int
    let keys: [String]
  }

  private func accepted(_ set: Run, _ options: String = "") async throws -> Accepted {
    try await tool.succeed("\(accept) \(options)", input: .bytes(set.output)).json()
  }

  @Test func theFirst() async throws {
    let set = try await tool.succeed("\(sign) --now \(start)")
    let keys = try await tool.keys("sender.jwks")
    #expect(keys.map(\.status) == ["active", "next"])
    let taken = try await accepted(set)
    #expect(taken.change == "updated" && taken.serial == start && taken.keys == keys.map(\.kid))
    #expect(taken.expires == start + 400 * day && set.errors.contains("until 2028-02-19 08:00:00:"))
    #expect(try await accepted(set).change == "unchanged")
    let sealed = try await pair.sealed()
    try await tool.succeed("open --keys device.jwks \(trust) --now \(start)", input: .bytes(sealed))
    let shown: Simulated = try await tool.succeed(
      "simulate --json --keys device.jwks \(trust) --now \(start)", input: .bytes(sealed)
    ).json()
    #expect(shown.outcome == "opened")
  }

  @Test func aRotationThatNoDeviceHasHeardOf() async throws {
    _ = try await accepted(try await tool.succeed("\(sign) --now \(start)"))
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start + day)")
    #expect(try await tool.keys("sender.jwks").map(\.status) == ["accepted", "active", "next"])
    #expect(try await tool.keys("sender.jwks")[1].iat == start + day)
    let sealed = try await pair.sealed(at: start + day)
    try await tool.succeed("open --keys device.jwks \(trust) --now \(start + day)", input: .bytes(sealed))
    // The one after that it has not heard of.
    try await tool.succeed("keys rotate --keys sender.jwks --again --now \(start + 2 * day)")
    let late = try await pair.sealed(at: start + 2 * day)
    let open = "open --keys device.jwks \(trust) --now \(start + 2 * day)"
    try await tool.refuse(open, 65, "unknown-sender", input: .bytes(late))
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks --force")
    #expect(
      try await accepted(try await tool.succeed("\(sign) --now \(start + 2 * day)")).change == "updated")
    try await tool.succeed(open, input: .bytes(late))
  }

  @Test func aSetThatHasEnded() async throws {
    _ = try await accepted(try await tool.succeed("\(sign) --expires 10d --now \(start)"))
    let (end, open) = (start + 10 * day, "open --keys device.jwks \(trust) --now")
    let (last, late) = (try await pair.sealed(at: end), try await pair.sealed(at: end + 1))
    try await tool.succeed("\(open) \(end + 30 * day + 300)", input: .bytes(last))
    try await tool.refuse("\(open) \(end + 30 * day + 301)", 65, "expired", input: .bytes(last))
    let refused = try await tool.refuse("\(open) \(end + 1)", 65, "unknown-sender", input: .bytes(late))
    #expect(refused.hint?.contains("keys sign-senders") == true)
    // Signed again, with the same keys.
    let again = "keys sign-senders --keys root.jwks --senders phone --root root.pub.jwks \(Pair.topic)"
    let renewed = try await accepted(try await tool.succeed("\(again) --now \(end)"))
    #expect(renewed.expires == end + 400 * day && renewed.keys.count == 2)
    try await tool.succeed("\(open) \(end + 1)", input: .bytes(late))
    try await tool.refuse("\(sign) --expires 0", 64, "--expires")
    try await tool.refuse("\(sign) --expires soon", 64, "--expires")
  }

  @Test func theDoctorSaysInTimeThatASetEnds() async throws {
    try await tool.succeed("\(sign) --out senders.jws --now \(start)")
    let trusted = "--senders senders.jws --root root.pub.jwks \(Pair.topic)"
    let soon = start + 311 * day
    for options in ["--keys root.jwks \(trusted)", "--keys sender.jwks \(trusted)"] {
      let early = try await tool.findings("\(options) --now \(start + 309 * day)", status: 0)
      #expect(!early.contains { $0.code == "set-ends-soon" })
      let found = try await tool.findings("\(options) --now \(soon)", status: 0)
      let finding = try #require(found.first { $0.code == "set-ends-soon" })
      #expect(finding.severity == "warning" && finding.kid == nil)
      #expect(finding.message.contains("2028-02-19"))
      #expect(
        finding.mend
          == "sealpush keys sign-senders --keys root.jwks --senders senders.jws --root root.pub.jwks"
          + " --topic com.example.app --out senders.jws.to-hand-out --force")
    }
    let ended = "--keys root.jwks \(trusted) --now \(start + 400 * day + 1)"
    let finding = try #require(try await tool.findings(ended, status: 65).first)
    #expect(finding.code == "set-ended" && finding.severity == "error")
    try await tool.paste(finding.mend, now: start + 400 * day + 1)
    #expect(try await tool.findings(ended, status: 65).map(\.code) == ["set-ended"])
    try tool.handOut("senders.jws")
    #expect(try await tool.findings(ended, status: 0).isEmpty)
  }

  @Test func withoutItsRoot() async throws {
    try await tool.succeed("\(sign) --out senders.jws --now \(start)")
    let sealed = try await pair.sealed()
    for line in [
      "open --keys device.jwks --senders senders.jws \(Pair.topic)",
      "keys enrol --keys device.jwks \(Pair.topic) --token 00 --audience a --answer - --senders senders.jws",
      "keys doctor --keys sender.jwks --senders senders.jws",
      "keys export --keys sender.jwks --beside senders.jws",
      "keys sign-senders --keys root.jwks --senders senders.jws \(Pair.topic)",
    ] {
      let run = try await tool.refuse(line, 65, "is a signed set", input: .bytes(sealed))
      #expect(run.error == "senders.jws is a signed set, and --root FILE is missing", "\(line)")
    }
    // What only begins as one is none.
    for text in ["eyJ", "eyJ.a.", "eyJ.a.b.c", "eyJ.a+.b", "eyK.a.b"] {
      try tool.write(text, to: "cut.jws")
      try await tool.refuse("keys doctor --keys sender.jwks --senders cut.jws", 65, "not strict JSON")
    }
  }

  @Test func aSendersKeyIsOldAfterSixtyDays() async throws {
    try await tool.succeed("\(sign) --out senders.jws --now \(start)")
    let trusted = "--senders senders.jws --root root.pub.jwks \(Pair.topic)"
    #expect(
      try await tool.findings("--keys sender.jwks \(trusted) --now \(start + 59 * day)", status: 0).isEmpty)
    let now = start + 60 * day
    let found = try await tool.findings("--keys sender.jwks \(trusted) --now \(now)", status: 0)
    #expect(found.map(\.code) == ["old-active-key"])
    let finding = try #require(found.first)
    #expect(finding.message.hasPrefix("the active key is more than 60 days old"))
    #expect(finding.mend == "sealpush keys rotate --keys sender.jwks --if-older-than 60d")
    try await tool.paste(finding.mend, now: now)
    #expect(try await tool.keys("sender.jwks").map(\.status) == ["accepted", "active", "next"])
    // A device's keys are not what the root signs.
    let device = "--keys device.jwks --root root.pub.jwks --now \(start + 30 * day)"
    #expect(try await tool.findings(device, status: 0).first?.mend.hasSuffix("--if-older-than 30d") == true)
  }

  @Test func anOlderOne() async throws {
    let first = try await tool.succeed("\(sign) --now \(start)")
    let second = try await tool.succeed("\(sign) --now \(start)")
    #expect(try await accepted(second).serial == start + 1)
    let before = try tool.contents("phone")
    try await tool.refuse(accept, 65, "older-serial", input: .bytes(first.output))
    #expect(try tool.contents("phone") == before)
  }

  @Test func aRootThatIsNotPinned() async throws {
    try await tool.succeed("keys new --role root --out thief.jwks")
    let set = try await tool.succeed(sign.replacingOccurrences(of: "root.jwks", with: "thief.jwks"))
    try await tool.refuse(accept, 65, "unknown-signer", input: .bytes(set.output))
    #expect(try !tool.names.contains("phone"))
  }

  @Test func aStolenSigningKeyNamesNoSuccessor() async throws {
    let keys = try await tool.succeed("keys export --keys sender.jwks")
    try await tool.refuse(accept, 65, "malformed-jws", input: .bytes(keys.output))
    let signer = sign.replacingOccurrences(of: "root.jwks", with: "sender.jwks")
    let before = try tool.contents("sender.jwks")
    for line in [signer, "\(signer) --dry-run"] {
      try await tool.refuse(line, 65, "sender.jwks has a sender's keys, but a root's are needed")
    }
    #expect(try tool.contents("sender.jwks") == before)
    // A root's key is no sender's, either.
    try await tool.refuse(
      "seal --to device.pub.jwks --from root.jwks \(Pair.topic)", 65, "", input: .text(sample))
    let sealed = try await pair.sealed()
    let open = "open --keys device.jwks --senders root.pub.jwks \(Pair.topic)"
    try await tool.refuse(open, 65, "root's keys", input: .bytes(sealed))
  }

  @Test func aRootsKeyIsForEver() async throws {
    let kid = try await tool.keys("root.jwks")[0].kid
    let before = try tool.contents("root.jwks")
    for change in ["rotate --again", "revoke --kid=\(kid)"] {
      try await tool.refuse("keys \(change) --keys root.jwks", 65, "wrong role")
    }
    try await tool.succeed("keys prune --keys root.jwks")
    #expect(try tool.contents("root.jwks") == before)
  }

  @Test func serials() async throws {
    #expect(try await accepted(try await tool.succeed("\(sign) --serial 7 --now \(start)")).serial == 7)
    try await tool.refuse("\(sign) --serial 7", 65, "the serial is not greater")
    let said = try await tool.succeed("\(sign) --serial 8 --dry-run")
    #expect(said.output.isEmpty && said.errors.contains("would sign, with serial 8, until "))
    #expect(try await accepted(try await tool.succeed("\(sign) --serial 8")).serial == 8)
    try await tool.refuse("\(sign) --serial 0", 64, "--serial")
    try await tool.refuse("\(sign) --serial 9007199254740992", 64, "--serial")
    // A restored root goes on where it must.
    #expect(try await accepted(try await tool.succeed("\(sign) --now \(start)")).serial == start)
  }

  @Test func forAnotherApp() async throws {
    let set = try await tool.succeed(sign)
    let other = accept.replacingOccurrences(of: Pair.topic, with: "--topic com.example.other")
    try await tool.refuse(other, 65, "other-topic", input: .bytes(set.output))
  }

  @Test func dryRun() async throws {
    let set = try await tool.succeed(sign)
    #expect(try await accepted(set, "--dry-run").change == "updated")
    #expect(try !tool.names.contains("phone"))
    try await tool.refuse("\(accept) --dry-run", 65, "malformed-jws", input: .text("x"))
  }

  @Test func whatIsWrongWithTheWords() async throws {
    try await tool.refuse("keys accept --senders phone \(Pair.topic)", 64, "--senders needs --root FILE")
    try await tool.refuse("\(accept) --registrations file", 64, "give either")
    let device = sign.replacingOccurrences(of: "sender.pub.jwks", with: "device.pub.jwks")
    try await tool.refuse(device, 65, "device.pub.jwks has a device's keys, but senders' are needed")
    let swapped = accept.replacingOccurrences(of: "root.pub.jwks", with: "sender.pub.jwks")
    try await tool.refuse(swapped, 65, "no root's keys", input: .text("x"))
  }

  @Test func aPipeInItsPlaceIsNotWaitedFor() async throws {
    try await tool.succeed("\(sign) --now \(start) --out set")
    try #require(unsafe mkfifo(tool.path("phone"), 0o600) == 0)
    try await tool.refuse("\(accept) --in set", 73, "phone exists and is not a signed set")
  }
}
