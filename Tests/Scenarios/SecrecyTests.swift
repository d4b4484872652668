import Foundation
import Testing

@Suite("Private keys are never printed", .serialized)
struct SecrecyTests {
  /// Every command, as it works and as it fails.
  private static func lines(_ pair: Pair) -> [String] {
    let inputs = "--in payload.json"
    return [
      "keys list --keys device.jwks", "keys list --keys device.jwks --json", "keys list --keys sender.jwks",
      "keys export --keys device.jwks", "keys export --keys sender.jwks",
      "keys rotate --keys device.jwks --dry-run", "keys prune --keys device.jwks",
      "keys export --keys device.jwks --format pem", "keys export --keys sender.jwks --format jwk",
      "keys export --keys sender.jwks --format raw --private --out -", "keys doctor --keys device.jwks",
      "keys import --keys n.jwks --role device --format jwk --in device.jwks --dry-run",
      "keys doctor --keys twice.jwks --json", "keys rotate --keys device.jwks --if-older-than 1d",
      "keys rotate --keys device.jwks",
      "keys new --role device --out device.jwks", "keys rotate --keys device.jwks --grace 1d",
      "keys list --keys device.jwks --fast", "keys rotate --keys sender.jwks --again",
      "\(pair.seal) \(inputs)", "\(pair.seal) --padding maximum \(inputs)", "\(pair.seal) --in device.jwks",
      "\(pair.seal) --in sender.jwks", "\(pair.seal) --suite p256-aesgcm \(inputs)",
      "seal --to device.jwks --from sender.jwks \(Pair.topic) \(inputs)",
      "seal --to device.pub.jwks --from device.jwks \(Pair.topic) \(inputs)",
      "seal --to sender.jwks --anonymous \(Pair.topic) \(inputs)",
      "\(pair.open) --in sealed.json", "\(pair.open) --in payload.json", "\(pair.open) --in device.jwks",
      "open --keys sender.jwks --anonymous \(Pair.topic) --in sealed.json",
      "open --keys device.jwks --senders sender.jwks \(Pair.topic) --in sealed.json",
      "open --keys device.jwks --senders device.jwks \(Pair.topic) --in sealed.json",
      "\(pair.simulate) --in sealed.json --json", "\(pair.simulate) --in sealed.json",
      "\(pair.simulate) --in sender.jwks", "inspect --in sealed.json", "inspect --in device.jwks",
      "inspect --in device.jwks --json --envelope-key keys", "demo", "--help",
      // Files that hold the keys and are at fault.
      "keys list --keys twice.jwks", "keys list --keys torn.jwks", "keys list --keys odd.jwks",
      "seal --to torn.jwks --anonymous \(Pair.topic) \(inputs)", "keys rotate --keys twice.jwks",
      "keys list --keys open.jwks",
    ]
  }

  @Test(arguments: suites) func whateverIsDone(suite: String) async throws {
    let pair = try await Pair(suite: suite)
    let tool = pair.tool
    let canaries = try ["device.jwks", "sender.jwks"].map { Canary(try tool.secret(of: $0)) }
    let file = try tool.contents("device.jwks")
    #expect(canaries[0].isIn(file), "the search must find what it looks for")

    let text = String(decoding: file, as: UTF8.self)
    try tool.write(text.replacingOccurrences(of: "\"d\":", with: "\"d\":\"x\",\"d\":"), to: "twice.jwks")
    try tool.write(Array(file.dropLast(60)), to: "torn.jwks")
    let secret = try tool.secret(of: "device.jwks")
    try tool.write(
      text.replacingOccurrences(of: "\"d\":\"\(secret)\"", with: "\"\(secret.reversed())\":1"), to: "odd.jwks"
    )
    try tool.write(file, to: "open.jwks")
    try tool.setMode(0o644, of: "open.jwks")
    try await tool.succeed("\(pair.seal) --in payload.json --out sealed.json --headers headers.txt")

    for line in Self.lines(pair) {
      let run = try await tool.run(line)
      #expect(run.status != nil, "\(line): \(run.ending)")
      for canary in canaries {
        let isPrinted = canary.isIn(run.output) || canary.isIn(Array(run.errors.utf8))
        #expect(!isPrinted, "\(line)")
      }
    }
    for name in ["sealed.json", "headers.txt", "device.pub.jwks", "sender.pub.jwks"] {
      let written = try tool.contents(name)
      #expect(!canaries.contains { $0.isIn(written) }, "\(name)")
    }
  }

  @Test func noOptionTakesAKey() async throws {
    // What is an argument, every user of the machine can read.
    let pair = try await Pair()
    let secret = try pair.tool.secret(of: "sender.jwks")
    let line = "seal --to device.pub.jwks --from \(secret) \(Pair.topic) --in payload.json"
    try await pair.tool.refuse(line, secret.hasPrefix("-") ? 64 : 66)
  }
}
