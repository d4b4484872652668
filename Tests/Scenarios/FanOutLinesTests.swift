import Foundation
import TestSupport
import Testing

/// Lines for several devices: an array of them, or a person's.
@Suite("Lines for several devices", .serialized, .hangGuard)
struct FanOutLinesTests {
  private static let messageID = "2c75dea1-70b5-4c96-b740-1f3362cce2e9"

  private let tool: Tool
  private let keys: [String]
  private var seal: String {
    "seal --lines --recipients devices.jsonl --from sender.jwks \(Pair.topic) --now \(start)"
  }

  /// A line of output for several devices.
  private struct Answer: Decodable {
    struct Push: Decodable {
      let device: String?
      let token: String?
      let headers: [String: String]?
      let body: String?
      let error: String?

      enum CodingKeys: String, CodingKey {
        case device, headers, body, error
        case token = "device_token"
      }
    }

    let line: Int
    let pushes: [Push]?
    let error: String?
  }

  init() async throws {
    tool = try Tool()
    try await tool.makeSender()
    var keys: [String] = []
    for name in ["phone", "pad", "other"] {
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(start)")
      let exported = try await tool.succeed("keys export --keys \(name).jwks")
      keys.append(exported.text.replacingOccurrences(of: "\n", with: ""))
    }
    self.keys = keys
    let lines = [
      device("01", keys[0]), device("02", keys[1]), device("03", keys[2], app: "com.example.other"),
    ]
    try tool.write(lines.joined(separator: "\n"), to: "devices.jsonl")
  }

  private func device(_ token: String, _ keys: String, app: String = "com.example.app") -> String {
    #"{"v":1,"topic":"\#(app)","environment":"sandbox","token":"\#(token)","keys":\#(keys),"person":"ada"}"#
  }

  private func line(_ to: String, _ members: String = "") -> String {
    #"{"to":\#(to),"payload":\#(sample)\#(members)}"#
  }

  private func answers(_ run: Run) throws -> [Answer] {
    try run.lines.map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
  }

  private func pushes(_ run: Run) throws -> [Answer.Push] {
    let answers = try answers(run)
    #expect(answers.count == 1)
    return try #require(answers.first?.pushes)
  }

  @Test("each of a person's devices of this app opens its own push")
  func person() async throws {
    let run = try await tool.succeed(seal, input: .text(line(#"{"person":"ada"}"#)))
    let pushes = try pushes(run)
    #expect(pushes.map(\.device) == ["01", "02"] && pushes.map(\.token) == ["01", "02"])
    for (push, device) in zip(pushes, ["phone", "pad"]) {
      let open = "open --keys \(device).jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"
      let opened = try await tool.succeed(open, input: .text(try #require(push.body)))
      #expect(opened.text == sample)
    }
  }

  @Test("Apple cannot link the devices of a person, and a retry has the same ids")
  func ids() async throws {
    let id = #","message_id":"\#(Self.messageID)""#
    let input = [#"{"person":"ada"}"#, #"["02","01"]"#, #""01""#].map { line($0, id) }
    let run = try await tool.succeed(seal, input: .text(input.joined(separator: "\n")))
    let answers = try answers(run)
    let ids = answers.compactMap { $0.pushes?.map { $0.headers?["apns-id"] } }
    #expect(ids.count == 2 && ids[0] == ids[1].reversed())
    #expect(Set(ids[0] + [Self.messageID]).count == 3)
    #expect(run.lines[2].contains(#""apns-id":"\#(Self.messageID)""#), "a line for one device has its own id")
  }

  @Test("an array of one device is answered as an array")
  func one() async throws {
    let key = try #require(keys[0].components(separatedBy: "[").last?.components(separatedBy: "]").first)
    for to in [#"["01"]"#, "[\(key)]", "[\(keys[0])]"] {
      let run = try await tool.succeed(seal, input: .text(line(to, #","message_id":"\#(Self.messageID)""#)))
      let push = try #require(try pushes(run).first)
      #expect(push.body != nil && push.headers?["apns-id"] != Self.messageID)
      #expect(push.device == (to == #"["01"]"# ? "01" : nil))
    }
  }

  @Test("a device that fails does not cost the others")
  func failures() async throws {
    let input = [line(#"["nobody","01","03","01",{},"02"]"#), line(#"["01"]"#)].joined(separator: "\n")
    let run = try await tool.run(seal, input: .text(input))
    #expect(run.status == 65)
    let answers = try answers(run)
    let errors = [
      "unknown-recipient", nil, "other-topic", "duplicate-recipient", "recipient-refused", nil,
    ]
    #expect(answers[0].pushes?.map(\.error) == errors)
    #expect(answers[0].pushes?.map { $0.body != nil } == errors.map { $0 == nil })
    #expect(answers[1].pushes?.map(\.error) == [nil])
    #expect(run.errors.contains("sealpush: error: line 1, nobody: no such device in the recipients file\n"))
    #expect(run.errors.contains("sealpush: error: line 1, device 5: "))
    #expect(run.errors.hasSuffix("sealpush: error: 1 of 2 lines were not sealed to every device\n"))
  }

  @Test("with a file of errors, a device's error is in its line's answer alone")
  func failuresBesideAFile() async throws {
    let input = [line(#"["01","nobody"]"#), "{"].joined(separator: "\n")
    let run = try await tool.run("\(seal) --errors errors.jsonl", input: .text(input))
    #expect(run.status == 65)
    #expect(try pushes(run).map(\.error) == [nil, "unknown-recipient"])
    let errors = String(decoding: try tool.contents("errors.jsonl"), as: UTF8.self)
    #expect(errors.hasPrefix(#"{"line":2,"error":"bad-json","#) && !errors.contains("nobody"))
    #expect(run.errors == "sealpush: error: 1 of 2 lines were not sealed, and 1 not to every device\n")
  }

  @Test(
    "whom a line cannot be for",
    arguments: [
      ("[]", "bad-member"), ("[1]", "bad-member"), (#"[["01"]]"#, "bad-member"),
      (#"{"person":1}"#, "bad-member"), (#"{"person":"ada","kty":"OKP"}"#, "bad-member"),
      (#"[{"person":"ada"}]"#, "recipient-refused"), (#"{"person":"eve"}"#, "unknown-recipient"),
      ("[" + String(repeating: #""01","#, count: 64) + #""01"]"#, "too-many-recipients"),
    ])
  func faults(to: String, code: String) async throws {
    let run = try await tool.run("\(seal) --errors -", input: .text(line(to)))
    #expect(run.status == 65)
    let answer = try #require(try answers(run).first)
    #expect((answer.error ?? answer.pushes?.first?.error) == code)
  }

  @Test("64 devices of one line")
  func most() async throws {
    let others = String(repeating: #","x""#, count: 63)
    let run = try await tool.run(seal, input: .text(line(#"["01"\#(others)]"#)))
    #expect(run.status == 65)
    #expect(try pushes(run).count == 64 && pushes(run)[0].body != nil)
  }

  @Test("an answer repeats the id of its line", arguments: [#""a\u00e9\n""#, "1.50", "1e400", "-0", #""""#])
  func echo(id: String) async throws {
    let input = [
      line(#""01""#, #","id":\#(id)"#), line(#"["01"]"#, #","id":\#(id)"#), #"{"id":\#(id)}"#,
      #"{"id":\#(id),"x":1}"#,
    ]
    let run = try await tool.run("\(seal) --errors -", input: .text(input.joined(separator: "\n")))
    let echoed = id == #""a\u00e9\n""# ? #""aé\n""# : id
    #expect(run.lines.count == 4)
    for (index, line) in run.lines.enumerated() {
      #expect(line.hasPrefix(#"{"line":\#(index + 1),"id":\#(echoed),"#), "\(line)")
    }
  }

  @Test("an id that is too long or of another type is an error")
  func badID() async throws {
    let ids = [
      "\"\(String(repeating: "i", count: 254))\"", "\"\(String(repeating: "i", count: 255))\"", "null", "[1]",
    ]
    let input = ids.map { line(#""01""#, #","id":\#($0)"#) }.joined(separator: "\n")
    let answers = try answers(try await tool.run("\(seal) --errors -", input: .text(input)))
    #expect(answers.map(\.error) == [nil, "bad-member", "bad-member", "bad-member"])
  }

  @Test("errors in the places of their lines", arguments: ["", "--out -", "--out output.jsonl"])
  func errorsInPlace(output: String) async throws {
    let numbers = 1...300
    let lines = numbers.map { $0.isMultiple(of: 3) ? "{" : line(#""01""#) }
    let input = Tool.Input.text(lines.joined(separator: "\n"))
    let run = try await tool.run("\(seal) \(output) --errors -", input: input)
    #expect(run.status == 65)
    let answers = try answers(run)
    let isApart = output == "--out output.jsonl"
    #expect(answers.map(\.line) == numbers.filter { !isApart || $0.isMultiple(of: 3) })
    #expect(answers.allSatisfy { ($0.error != nil) == $0.line.isMultiple(of: 3) })
    #expect(run.errors == "sealpush: error: 100 of 300 lines were not sealed\n")
  }

  @Test("a person's devices that keys accept has registered")
  func registrations() async throws {
    for (device, token) in [("phone", "0a"), ("pad", "0b"), ("other", "0c")] {
      let enrol =
        "keys enrol --keys \(device).jwks --identity \(device).id --topic com.example.app"
        + " --token \(token) \(Tool.audience)"
      let person = device == "other" ? "eve" : "ada"
      let accept =
        "keys accept --registrations registrations --registration \(device) --new --person \(person)"
        + " \(Tool.backend)"
      let run = try await tool.succeed("\(enrol) --now \(start)")
      let accepted = try await tool.register(run.output, accept: accept, enrol: enrol)
      #expect(accepted.text.contains(#","person":"\#(person)","account":""#))
      // As an editor may leave the file: the next line must not be glued to this one.
      let file = try tool.contents("registrations")
      #expect(file.last == UInt8(ascii: "\n"))
      try tool.write(Array(file.dropLast()), to: "registrations")
    }
    let seal = "seal --lines --recipients registrations --from sender.jwks \(Pair.topic) --now \(start)"
    let pushes = try pushes(try await tool.succeed(seal, input: .text(line(#"{"person":"ada"}"#))))
    #expect(pushes.map(\.device) == ["phone", "pad"] && pushes.map(\.token) == ["0a", "0b"])
    // Each device has a tag of its own, and the content of its push says so.
    for (device, push) in zip(["phone", "pad"], pushes) {
      let body = try #require(push.body)
      let open = "open --keys \(device).jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"
      let content = try await tool.succeed(open, input: .text(body)).text
      let account = String(try #require(content.firstMatch(of: #/"account":"([^"]+)"/#)).1)
      #expect(try await tool.succeed("\(open) --account=\(account)", input: .text(body)).text == content)
      let other = String(repeating: "A", count: 22)
      try await tool.refuse("\(open) --account=\(other)", 65, "other-account", input: .text(body))
    }
  }
}
