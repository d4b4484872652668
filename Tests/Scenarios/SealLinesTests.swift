import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Many messages", .serialized, .hangGuard)
struct SealLinesTests {
  private static let messageID = "2c75dea1-70b5-4c96-b740-1f3362cce2e9"
  private static let token = String(repeating: "ab", count: 32)

  private let pair: Pair
  private let keys: String
  private let kid: String
  private var tool: Tool { pair.tool }
  private var seal: String { "seal --lines --from sender.jwks \(Pair.topic) --now \(start)" }

  init() async throws {
    pair = try await Pair()
    keys = String(decoding: try pair.tool.contents("device.pub.jwks"), as: UTF8.self)
      .replacingOccurrences(of: "\n", with: "")
    kid = try #require(try await pair.tool.keys("device.jwks").first).kid
    let app = #""topic":"com.example.app","environment":"sandbox""#
    let enrolment = #"{"v":1,\#(app),"token":"\#(Self.token)","keys":\#(keys)}"#
    try pair.tool.write(enrolment + "\n", to: "recipients.jsonl")
  }

  /// A line for the device's key set.
  private func line(_ members: String = "", payload: String = sample) -> String {
    #"{"to":\#(keys),"payload":\#(payload)\#(members)}"#
  }

  private func sealed(_ output: [UInt8]) throws -> [SealedLine] {
    #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(SealedLine.self, from: Data($0))
    }
  }

  private func failed() throws -> [FailedLine] {
    try tool.contents("errors.jsonl").split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(FailedLine.self, from: Data($0))
    }
  }

  @Test func thePayloadOfALineOpensAsItStands() async throws {
    let run = try await tool.succeed(seal, input: .text(line()))
    #expect(try sealed(run.output).count == 1)
    let text = try #require(run.lines.first)
    let payload = try #require(text.components(separatedBy: #","payload":"#).last).dropLast()
    let opened = try await tool.succeed("\(pair.open) --now \(start)", input: .text(String(payload)))
    #expect(opened.text == sample)
    #expect(payload.hasPrefix(#"{"aps":{"alert":{"title":"New notification","body":"(Encrypted)"}"#))
    #expect(run.errors.isEmpty)
  }

  @Test func whomALineIsFor() async throws {
    let key = try #require(keys.components(separatedBy: "[").last?.components(separatedBy: "]").first)
    let names = [key, #""\#(kid)""#, #""\#(Self.token)""#, #""\#(Self.token.uppercased())""#]
    let input = names.map { #"{"to":\#($0),"payload":\#(sample)}"# }.joined(separator: "\n")
    let lines = try sealed(
      try await tool.succeed("\(seal) --recipients recipients.jsonl", input: .text(input)).output)
    #expect(lines.map(\.line) == [1, 2, 3, 4])
    #expect(lines.map(\.deviceToken) == [nil, Self.token, Self.token, Self.token])
    #expect(lines.map(\.environment) == [nil, "sandbox", "sandbox", "sandbox"])
  }

  @Test(arguments: ["openat", "read"]) func aSignalWhileTheDevicesAreRead(call: String) async throws {
    try tool.write(#"{"to":"\#(kid)","payload":\#(sample)}"#, to: "input.jsonl")
    let sealing = Strace(tool: tool, line: "\(seal) --recipients recipients.jsonl --in input.jsonl")
    let fault = "inject=\(call):error=EINTR:when=1"
    guard let run = try await sealing.run(fault, at: "recipients.jsonl") else { return }
    let calls = try String(contentsOfFile: "\(tool.scratch)/calls", encoding: .utf8)
    #expect(calls.contains("(INJECTED)"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sealed(run.output).map(\.deviceToken) == [Self.token])
  }

  @Test func identityAndLifetimeOfALine() async throws {
    let id = #","message_id":"\#(Self.messageID)""#
    let input = [id, id, #","lifetime":60"#, #","lifetime":"1h""#, #","lifetime":0"#, ""].map { line($0) }
    let run = try await tool.succeed("\(seal) --lifetime 2h", input: .text(input.joined(separator: "\n")))
    let lines = try sealed(run.output)
    #expect(lines[0].headers == lines[1].headers && lines[0].headers["apns-id"] == Self.messageID)
    #expect(lines[0].payload.envelope != lines[1].payload.envelope)
    let expirations = lines.map { $0.headers["apns-expiration"] }
    let seconds = [7200, 7200, 60, 3600].map { "\(start + $0)" }
    #expect(expirations == seconds + ["0", "\(start + 7200)"])
    #expect(Set(lines.map { $0.headers["apns-id"] }).count == 5)
  }

  @Test func whatALineAsksOfAPNsComesBeforeTheOptions() async throws {
    let wishes = #","priority":1,"collapse_id":"order-42","expiration":\#(start + 60)"#
    let run = try await tool.succeed(
      "\(seal) --priority 5", input: .text([line(wishes), line()].joined(separator: "\n")))
    let headers = try sealed(run.output).map(\.headers)
    #expect(headers.map { $0["apns-priority"] } == ["1", "5"])
    #expect(headers[0]["apns-collapse-id"] == "order-42")
    #expect(headers[0]["apns-expiration"] == "\(start + 60)")
    #expect(headers[1]["apns-collapse-id"] == headers[1]["apns-id"])
  }

  @Test(
    "a wish that cannot be had is its line's error",
    arguments: [
      (#","priority":7"#, "bad-member"), (#","priority":"5""#, "bad-member"),
      (#","collapse_id":1"#, "bad-member"),
      (#","collapse_id":"""#, "bad-headers"), (#","expiration":1"#, "bad-headers"),
      (#","lifetime":"9w""#, "bad-member"),
      (#","lifetime":"99999999999999999999d""#, "bad-member"),
    ])
  func badWish(members: String, code: String) async throws {
    let input = [line(members), line()].joined(separator: "\n")
    let run = try await tool.run("\(seal) --errors errors.jsonl", input: .text(input))
    #expect(run.status == 65)
    #expect(try sealed(run.output).map(\.line) == [2])
    #expect(try failed().map(\.error) == [code])
  }

  @Test func strictRefusesTheLineThatIsWarnedOf() async throws {
    let odd = #"{"aps":{"alert":"b","chat":1}}"#
    let input = [line(payload: odd), line()].joined(separator: "\n")
    let run = try await tool.run("\(seal) --strict --errors errors.jsonl", input: .text(input))
    #expect(run.status == 65)
    #expect(try sealed(run.output).map(\.line) == [2])
    #expect(try failed().map(\.error) == ["warning"])
  }

  @Test func whatWasCutIsInItsLine() async throws {
    let long =
      #"{"aps":{"alert":{"title":"Ada","body":"\#(String(repeating: "b", count: 5000))"}},"preview":1}"#
    let input = [line(payload: long), line()].joined(separator: "\n")
    let run = try await tool.succeed("\(seal) --drop preview --fit truncate", input: .text(input))
    let lines = run.lines
    #expect(lines[0].contains(#","cuts":[{"key":"preview","kept":0},{"key":"aps.alert.body","kept":"#))
    #expect(lines[0].contains(#","of":5000}],"payload":{"#))
    #expect(!lines[1].contains(#""cuts""#))
  }

  @Test func orderIsKeptOverManyChunks() async throws {
    // What fails is quick, what is sealed is slow: later chunks are ready before earlier ones.
    let numbers = 1...10_000
    let isSealed = { (number: Int) in number <= 600 || number > 9_800 || number.isMultiple(of: 500) }
    let input = numbers.map { isSealed($0) ? line() : "{" }.joined(separator: "\n")
    try tool.write(input + "\n", to: "input.jsonl")
    let words = "\(seal) --in input.jsonl --out output.jsonl --errors errors.jsonl"
    let run = try await tool.execute([Tool.binary] + words.split(separator: " ").map(String.init))
    #expect(run.status == 65)
    #expect(try sealed(try tool.contents("output.jsonl")).map(\.line) == numbers.filter(isSealed))
    #expect(try failed().map(\.line) == numbers.filter { !isSealed($0) })
    #expect(run.error == "9182 of 10000 lines were not sealed")
  }

  @Test func anErrorIsItsLinesAlone() async throws {
    let input = [
      line(), "{", "", #"{"to":"ff","payload":{}}"#, line(#","x":1"#), line(#","lifetime":"31d""#),
      line(#","message_id":"1""#), line(payload: #"{"aps":{}}"#), line(payload: #"{"aps":{"badge":-1}}"#),
      line(payload: #"{"aps":{"alert":"\#(String(repeating: "a", count: 5000))"}}"#),
      #"{"to":{},"payload":{}}"#, String(repeating: "x", count: 300_000), #"{"payload":{}}"#,
      line(#","issued_at":\#(start + 301)"#), line(#","issued_at":\#(start - 60),"lifetime":60"#), line(),
    ]
    let words = "\(seal) --errors errors.jsonl --recipients recipients.jsonl"
    let run = try await tool.run(words, input: .text(input.joined(separator: "\n")))
    #expect(run.status == 65)
    #expect(try sealed(run.output).map(\.line) == [1, 15, 16])
    let codes = [
      "bad-json", "bad-json", "unknown-recipient", "bad-member", "bad-member", "bad-member",
      "nothing-to-show", "bad-payload", "too-large", "recipient-refused", "line-too-long", "bad-member",
      "bad-member",
    ]
    #expect(try failed() == codes.enumerated().map { FailedLine(line: $0 + 2, error: $1) })
    #expect(run.errors == "sealpush: error: 13 of 16 lines were not sealed\n")
  }

  @Test func errorsAreOnStandardErrorUnlessAFileIsNamed() async throws {
    let run = try await tool.run(seal, input: .text("\(line())\n{\n"))
    #expect(run.status == 65 && run.lines.count == 1)
    #expect(run.errors.hasPrefix("sealpush: error: line 2: not strict JSON: "))
  }

  @Test func linesWithoutARecipientGoToThatOfTheOption() async throws {
    let run = try await tool.succeed("\(seal) --to device.pub.jwks", input: .text(#"{"payload":\#(sample)}"#))
    let text = try #require(run.lines.first)
    let payload = try #require(text.components(separatedBy: #","payload":"#).last).dropLast()
    let opened = try await tool.succeed("\(pair.open) --now \(start)", input: .text(String(payload)))
    #expect(opened.text == sample)
    #expect(try sealed(run.output).first?.deviceToken == nil)
  }

  @Test func linesThatAreSkipped() async throws {
    let input = Tool.Input.text("{\n{\n\(line())\n\(line())\n")
    for (count, numbers) in [(2, [3, 4]), (3, [4]), (4, []), (9, []), (Int.max, [])] {
      let run = try await tool.succeed("\(seal) --skip \(count)", input: input)
      #expect(try sealed(run.output).map(\.line) == numbers)
    }
  }

  @Test func optionsThatDoNotGoTogether() async throws {
    for option in ["--headers h", "--message-id \(Self.messageID)", "--issued-at 1"] {
      try await tool.refuse("\(seal) \(option)", 64, "exclude each other")
    }
    for option in ["--recipients recipients.jsonl", "--errors e", "--skip 1"] {
      try await tool.refuse("\(pair.seal) --in payload.json \(option)", 64, "needs --lines")
    }
    try await tool.refuse("seal --anonymous \(Pair.topic)", 64, "--to FILE is missing")
    try await tool.refuse("\(seal) --skip x", 64, "--skip must be a number")
    try await tool.refuse("\(seal) --in nowhere", 66, "cannot read nowhere")
    try tool.write("{}\n", to: "bad.jsonl")
    try await tool.refuse("\(seal) --recipients bad.jsonl", 65, "bad.jsonl, line 1: 'v' is missing")
  }

  @Test func noInputIsEverReplaced() async throws {
    try tool.write(line(), to: "input.jsonl")
    let words = "\(seal) --force --in input.jsonl --recipients recipients.jsonl"
    for name in ["input.jsonl", "recipients.jsonl", "sender.jwks"] {
      let before = try tool.contents(name)
      try await tool.refuse("\(words) --errors \(name)", 64)
      try await tool.refuse("\(words) --out \(name)", 64)
      #expect(try tool.contents(name) == before)
    }
    try await tool.refuse("\(words) --out both --errors both", 64)
    for option in ["--out", "--errors"] {
      try await tool.refuse("\(seal) --in input.jsonl \(option) payload.json", 73, "payload.json exists")
    }
  }

  @Test func whatCannotBeWrittenLeavesWholeLines() async throws {
    try tool.write(Array(repeating: line(), count: 300).joined(separator: "\n"), to: "input.jsonl")
    let run = try await tool.shell("ulimit -f 300; sealpush \(seal) --in input.jsonl --out output.jsonl")
    #expect(run.status == 1 && run.error == "cannot write output.jsonl: File too large")
    let count = try sealed(try tool.contents("output.jsonl")).count
    #expect((1..<300).contains(count))
    #expect(run.hint == "continue with --skip \(count), into other files")
    let rest = try await tool.succeed("\(seal) --in input.jsonl --skip \(count)")
    #expect(try sealed(rest.output).map(\.line) == Array(count + 1...300))
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalLeavesWholeLines(signal: Int32) async throws {
    let feed = try Feed(tool, of: line())
    let child = try Child([Tool.binary] + seal.split(separator: " ").map(String.init), in: feed.surroundings)
    try await feed.waitForOutput()
    child.send(signal)
    #expect(try await child.wait() == .killed(by: signal))
    let lines = try sealed(feed.output).map(\.line)
    #expect(lines == Array(1...lines.count))
    let count = lines.count
    #expect(feed.errors == "sealpush: stopped after line \(count): continue with --skip \(count)\n")
  }

  /// A script's job in the background goes on when its operator presses Ctrl-C.
  @Test(arguments: [(SIGINT, SIGTERM), (SIGTERM, SIGINT)])
  func aSignalThatWasIgnoredIsStill(ignored: Int32, other: Int32) async throws {
    let feed = try Feed(tool, of: nil)
    let script = ["sh", "-c", #"trap "" \#(ignored); exec "$0" "$@""#, Tool.binary]
    let child = try Child(script + seal.split(separator: " ").map(String.init), in: feed.surroundings)
    feed.write(line() + "\n")
    try await feed.waitForOutput()
    child.send(ignored)
    feed.write(line() + "\n")
    try await feed.waitForOutput(lines: 2)
    child.send(other)
    #expect(try await child.wait() == .killed(by: other))
  }

  /// Whoever asks line by line gets an answer without ending the input.
  @Test func aLineIsAnsweredBeforeTheNextOneComes() async throws {
    let feed = try Feed(tool, of: nil)
    let child = try Child([Tool.binary] + seal.split(separator: " ").map(String.init), in: feed.surroundings)
    for count in 1...3 {
      feed.write(line() + "\n")
      try await feed.waitForOutput(lines: count)
    }
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
  }
}
