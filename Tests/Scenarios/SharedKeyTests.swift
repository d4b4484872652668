import Foundation
import Testing

/// A key that the backend and the device both have, as an operator uses it.
@Suite("Shared keys", .serialized)
struct SharedKeyTests {
  private let tool: Tool
  private let seal = "seal --to shared.jwks --from sender.jwks \(Pair.topic) --now \(start)"
  private let open = "--keys device.jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"

  /// Both sides have the file: the backend as shared.jwks, the device as device.jwks.
  init() async throws {
    tool = try Tool()
    try await tool.succeed("keys new --role shared --out shared.jwks --now \(start)")
    try tool.write(try tool.contents("shared.jwks"), to: "device.jwks")
    try await tool.succeed("keys new --role sender --out sender.jwks --now \(start)")
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks")
    try tool.write(sample, to: "payload.json")
  }

  @Test func fromFirstKeyToItsDestruction() async throws {
    #expect(try tool.mode(of: "shared.jwks") == 0o600)
    let first = try #require(try await tool.keys("shared.jwks").first)
    #expect(first.role == "shared" && first.alg == "shared-chachapoly" && first.suite == "shared-chachapoly")

    // A payload is sealed: what Apple sees says nothing, and the other side opens it.
    try await tool.succeed("\(seal) --in payload.json --out old.json")
    let old = String(decoding: try tool.contents("old.json"), as: UTF8.self)
    #expect(!old.contains(#""Ada""#) && !old.contains("Lunch"))
    #expect(try await tool.succeed("open \(open) --in old.json").text == sample)
    let shown = try await tool.succeed("simulate \(open) --in old.json --json").json(Simulated.self)
    #expect(shown.outcome == "opened" && shown.shown.title == "Ada")

    // Anybody may see how the bytes are spent.
    let anatomy = try await tool.succeed("inspect --in old.json").lines
    #expect(anatomy[1] == "suite               shared-chachapoly")
    #expect(anatomy[2].hasPrefix("key id              \(first.kid.prefix(10))"))
    #expect(anatomy.contains("k encapsulated key  64"))

    // The key is replaced, and the device gets the file first: it opens what is on its way and what is new.
    let rotated = try await tool.succeed("keys rotate --keys shared.jwks --now \(start)")
    #expect(rotated.output.isEmpty && rotated.errors.contains("copy it to the side that opens first"))
    #expect(try tool.mode(of: "shared.jwks") == 0o600)
    try await tool.succeed("\(seal) --in payload.json --out new.json")
    try await tool.refuse("open \(open) --in new.json", 65, "unknown-key")
    try tool.write(try tool.contents("shared.jwks"), to: "device.jwks")
    for file in ["old.json", "new.json"] {
      #expect(try await tool.succeed("open \(open) --in \(file)").text == sample)
    }

    // When the grace is over the old key is destroyed.
    let end = start + 30 * day
    #expect(try await tool.succeed("keys prune --keys shared.jwks --now \(end)").output.isEmpty)
    let pruned = try await tool.succeed("keys prune --keys shared.jwks --now \(end + 1)")
    #expect(pruned.text == first.kid + "\n")
  }

  @Test func nothingOfItIsHandedOut() async throws {
    let before = try tool.contents("shared.jwks")
    let exported = try await tool.refuse("keys export --keys shared.jwks", 65, "no public half")
    #expect(exported.hint?.contains("copy the file itself") == true)
    try await tool.refuse("keys export --keys shared.jwks --out public.jwks", 65, "no public half")
    try await tool.refuse("keys rotate --keys shared.jwks --out public.jwks", 65, "no public half")
    #expect(try !tool.names.contains("public.jwks"))
    #expect(try tool.contents("shared.jwks") == before)

    // Nor is it printed.
    let text = String(decoding: before, as: UTF8.self)
    let key = try #require(text.components(separatedBy: #""k":""#).last?.prefix(43))
    for line in [
      "keys list --keys shared.jwks", "keys list --json --keys shared.jwks",
      "keys rotate --dry-run --keys shared.jwks", "\(seal) --in payload.json",
    ] {
      let run = try await tool.succeed(line)
      #expect(!(run.text + run.errors).contains(key.prefix(12)), "\(line)")
    }
  }

  @Test func aFileThatOthersCanReadIsRefused() async throws {
    try tool.setMode(0o640, of: "shared.jwks")
    try await tool.refuse("\(seal) --in payload.json", 77, "can be read or written by others")
    try tool.setMode(0o644, of: "device.jwks")
    try await tool.refuse("open \(open) --in payload.json", 77, "can be read or written by others")
  }

  @Test func otherPrivateFilesAreNoRecipients() async throws {
    try await tool.succeed("keys new --role device --out private.jwks --now \(start)")
    for file in ["private.jwks", "sender.jwks"] {
      let line = "seal --to \(file) --from sender.jwks \(Pair.topic) --in payload.json"
      let run = try await tool.refuse(line, 65, "key 0 is private where a public key is expected")
      #expect(run.hint == "write its public half: sealpush keys export --keys \(file)")
    }
    try await tool.refuse("\(seal) --suite p256-aesgcm --in payload.json", 65, "no key of that suite")
    try await tool.succeed("\(seal) --suite shared-chachapoly --in payload.json")
    try await tool.refuse(
      "seal --to shared.jwks --from shared.jwks \(Pair.topic) --in payload.json", 65,
      "shared.jwks has shared keys, but a sender's are needed")
  }

  @Test func aChangedCommitmentIsRefused() async throws {
    let sealed = try await tool.succeed("\(seal) --in payload.json").text
    let text = sealed.envelopeText
    for index in [10, 41, 42, 73, 74] {
      var bytes = Data(base64URL: text)
      bytes[index] ^= 1
      let changed = sealed.replacingOccurrences(of: text, with: bytes.base64URL)
      try await tool.refuse("open \(open)", 65, "not-authentic", input: .text(changed))
    }
  }

  @Test func itsRoomIsInTheTable() async throws {
    let table = try await tool.succeed("inspect --capacity").lines
    #expect(table.filter { $0.contains("shared-chachapoly") }.count == 4)
  }

  /// Lines without a recipient go to that of --to.
  @Test func manyMessages() async throws {
    let lines = (1...3).map { #"{"payload":{"aps":{"alert":"number \#($0)"}}}"# }.joined(separator: "\n")
    let run = try await tool.succeed("\(seal) --lines", input: .text(lines))
    #expect(run.lines.count == 3)
    for (index, line) in run.lines.enumerated() {
      let payload = try #require(line.components(separatedBy: #","payload":"#).last).dropLast()
      let opened = try await tool.succeed("open \(open)", input: .text(String(payload)))
      #expect(opened.text == #"{"aps":{"alert":"number \#(index + 1)"}}"#)
    }
  }

  /// A line's own recipient comes before that of --to, and a shared key has no place in a line.
  @Test func aLineHasItsOwnRecipient() async throws {
    try await tool.succeed("keys new --role device --out own.jwks --now \(start)")
    try await tool.succeed("keys export --keys own.jwks --out own.pub.jwks")
    let own = String(decoding: try tool.contents("own.pub.jwks"), as: UTF8.self)
      .replacingOccurrences(of: "\n", with: "")
    let run = try await tool.succeed(
      "\(seal) --lines", input: .text(#"{"to":\#(own),"payload":\#(sample)}"#))
    let payload = try #require(run.text.components(separatedBy: #","payload":"#).last)
      .trimmingCharacters(in: .newlines).dropLast()
    let opening = "open --keys own.jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"
    #expect(try await tool.succeed(opening, input: .text(String(payload))).text == sample)

    let shared = String(decoding: try tool.contents("shared.jwks"), as: UTF8.self)
      .replacingOccurrences(of: "\n", with: "")
    let refused = try await tool.run(
      "\(seal) --lines", input: .text(#"{"to":\#(shared),"payload":\#(sample)}"#))
    #expect(refused.status == 65 && refused.output.isEmpty && refused.errors.contains("is private"))

    let nobody = try await tool.run(
      "seal --lines --from sender.jwks \(Pair.topic)", input: .text(#"{"payload":\#(sample)}"#))
    #expect(nobody.status == 65 && nobody.errors.contains("there is neither 'to' nor --to FILE"))
  }
}
