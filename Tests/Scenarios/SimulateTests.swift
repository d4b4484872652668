import Foundation
import Testing

@Suite("What a phone would show", .serialized)
struct SimulateTests {
  @Test func theMembers() async throws {
    let pair = try await Pair()
    let payload =
      #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L"},"badge":7,"#
      + #""sound":"ping.caf","category":"C","thread-id":"chat","filter-criteria":"F"},"n":null,"#
      + #""list":[1,true,"x"]}"#
    let sealed = try await pair.tool.succeed(pair.seal, input: .text(payload))
    let run = try await pair.tool.succeed("\(pair.simulate) --json", input: .bytes(sealed.output))
    #expect(run.errors.isEmpty && run.text.hasSuffix("}\n") && run.lines.count == 1)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any])
    let expected: Set = ["ran", "notRun", "outcome", "reason", "shown", "attachments"]
    #expect(expected.isSubset(of: object.keys))
    #expect(object["ran"] as? Bool == true && object["outcome"] as? String == "opened")
    #expect(object["reason"] is NSNull)
    let shown = try #require(object["shown"] as? [String: Any])
    let members: Set = [
      "title", "subtitle", "body", "sound", "badge", "launchImageName", "category", "threadIdentifier",
      "targetContentIdentifier", "interruptionLevel", "relevanceScore", "filterCriteria", "attachments",
      "userInfo",
    ]
    #expect(members.isSubset(of: shown.keys))
    #expect(shown["title"] as? String == "T" && shown["subtitle"] as? String == "S")
    #expect(shown["body"] as? String == "B" && shown["badge"] as? Int == 7)
    #expect(shown["category"] as? String == "C" && shown["threadIdentifier"] as? String == "chat")
    #expect(shown["launchImageName"] as? String == "L" && shown["filterCriteria"] as? String == "F")
    #expect((shown["attachments"] as? [Any])?.isEmpty == true)
    let text = try await pair.tool.succeed(pair.simulate, input: .bytes(sealed.output))
    #expect(Set(["launch     L", "filter     F"]).isSubset(of: text.lines))
    let userInfo = try #require(shown["userInfo"] as? [String: Any])
    #expect(Set(userInfo.keys) == ["aps", "list"])
  }

  @Test func theTextForPeople() async throws {
    let pair = try await Pair()
    let shown = try await pair.tool.succeed(pair.simulate, input: .bytes(pair.sealed(at: now)))
    #expect(
      shown.lines.starts(with: [
        "extension  run", "outcome    opened", "suite      x25519-chachapoly", "title      Ada",
      ]))
    let plain = #"{"aps":{"alert":"hi","mutable-content":1}}"#
    let degraded = try await pair.tool.succeed(pair.simulate, input: .text(plain))
    #expect(degraded.lines[1] == "outcome    degraded")
    #expect(degraded.lines[2].hasPrefix("reason     no-envelope: "))
  }

  @Test(arguments: [
    ("{}", "no-mutable-content"), (#"{"aps":{"alert":"a"}}"#, "no-mutable-content"),
    (#"{"aps":{"alert":"a","mutable-content":0}}"#, "no-mutable-content"),
    (#"{"aps":{"alert":"a","mutable-content":true}}"#, "no-mutable-content"),
    (#"{"aps":{"mutable-content":1}}"#, "no-alert"),
  ])
  func theExtensionIsNotRun(payload: String, reason: String) async throws {
    let pair = try await Pair()
    let run = try await pair.tool.succeed("\(pair.simulate) --json", input: .text(payload))
    let simulated = try run.json(Simulated.self)
    #expect(!simulated.ran && simulated.notRun == reason)
    #expect(simulated.outcome == "degraded" && simulated.reason == nil)
    #expect(payload.contains("alert") == (simulated.shown.body == "a"))
  }

  @Test(arguments: [Sending.signed, .anonymous]) func theFilesThatAPhoneWouldFetch(sending: Sending)
    async throws
  {
    let pair = try await Pair(sending)
    try pair.tool.write([1, 2, 3], to: "photo.png")
    let line = "attach seal photo.png --out blob --url https://example.com/blob"
    try pair.tool.write(try await pair.tool.succeed(line).output, to: "descriptor.json")
    let sealed = try await pair.sealed(at: now, "--attach descriptor.json")
    let json = try await pair.tool.succeed("\(pair.simulate) --json", input: .bytes(sealed)).text
    let text = try await pair.tool.succeed(pair.simulate, input: .bytes(sealed)).text
    // A phone fetches nothing for somebody whom it does not know.
    let attachments =
      sending == .signed ? #"[{"type":"image/png","size":41,"url":"https://example.com/blob"}]"# : "[]"
    #expect(json.hasSuffix(#","attachments":\#(attachments)}"# + "\n"), "\(json)")
    let row = "attachment image/png, 41 bytes to fetch from https://example.com/blob\n"
    #expect(text.contains(row) == (sending == .signed), "\(text)")
  }

  @Test func aMessageDoesNotSteerTheTerminal() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"alert":{"title":"\u001b[2J\u202egnp.exe","body":"a\nb\u009b\u2028"}}}"#
    let sealed = try await pair.tool.succeed(pair.seal, input: .text(payload))
    let shown = try await pair.tool.succeed(pair.simulate, input: .bytes(sealed.output))
    let isClean = !shown.text.unicodeScalars.contains {
      "\u{1b}\u{202e}\u{9b}\u{2028}".unicodeScalars.contains($0)
    }
    #expect(isClean)
    #expect(shown.text.contains(#"title      \u{1b}[2J\u{202e}gnp.exe"#))
    #expect(shown.text.contains(#"body       a\u{a}b"#))
  }

  @Test func theJSONDoesNotSteerTheTerminal() async throws {
    let pair = try await Pair(.anonymous)
    let title = #"\u001b[2J\u202egnp.exe\u009b2J\u2028\u007f\udb40\udc41 \ud83d\udc69\u200d\ud83d\udcbb é"#
    let payload = #"{"aps":{"alert":{"title":"\#(title)"}}}"#
    let sealed = try await pair.tool.succeed(pair.seal, input: .text(payload))
    let run = try await pair.tool.succeed("\(pair.simulate) --json", input: .bytes(sealed.output))
    let escaped = #"\u001b[2J\u202egnp.exe\u009b2J\u2028\u007f\udb40\udc41 \#u{1f469}\#u{200d}\#u{1f4bb} é"#
    #expect(run.text.contains(#""title":"\#(escaped)""#), "\(run.text)")
    let value = "\u{1b}[2J\u{202e}gnp.exe\u{9b}2J\u{2028}\u{7f}\u{e0041} \u{1f469}\u{200d}\u{1f4bb} é"
    #expect(try run.json(Simulated.self).shown.title.unicodeScalars.elementsEqual(value.unicodeScalars))
  }

  private var now: Int { Int(Date().timeIntervalSince1970) }
}
