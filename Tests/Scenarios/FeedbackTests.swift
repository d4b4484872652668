import Foundation
import Testing

/// APNs says that a device token is no longer in use, and the backend forgets its registration.
@Suite("Feedback", .serialized)
struct FeedbackTests {
  private static let forget = "keys forget --registrations registrations --token 00ff"

  private let tool: Tool

  init() async throws {
    tool = try Tool()
    for name in ["ada", "bob"] {
      try await tool.makeSender()
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(start)")
      try await enrol(name, at: start)
    }
  }

  /// A device sends its keys, and the backend takes them.
  ///
  /// Ada's token is 00ff.
  private func enrol(_ name: String, at now: Int) async throws {
    let token = name == "ada" ? "00ff" : "00fe"
    let enrol =
      "keys enrol --keys \(name).jwks --identity \(name).identity.jwks --topic com.example.app --token \(token) "
      + Tool.audience
    let enrolment = try await tool.succeed("\(enrol) --now \(now)")
    try await tool.register(
      enrolment.output,
      accept: "keys accept --registrations registrations --registration \(name) --new \(Tool.backend)",
      enrol: enrol, at: now)
  }

  /// The names in the file.
  private var registered: [String] {
    get throws {
      struct Line: Decodable { let registration: String }
      return try tool.contents("registrations").split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Line.self, from: Data($0)).registration
      }
    }
  }

  @Test func aTokenThatAPNsNoLongerKnows() async throws {
    let answer = "\(Self.forget) --unregistered-at \(start + day)000"
    #expect(try await tool.succeed("\(answer) --dry-run").errors == "sealpush: would remove ada\n")
    #expect(try registered == ["ada", "bob"])
    let run = try await tool.succeed(answer)
    #expect(run.output.isEmpty && run.errors == "sealpush: removed ada\n")
    #expect(try registered == ["bob"])
    try await tool.refuse(answer, 66, "no registration with that device token")
  }

  /// Every user of the machine sees the arguments of a process.
  @Test func aTokenThatNobodySees() async throws {
    let forget = "keys forget --registrations registrations"
    try tool.write("00FE\r\n", to: "token")
    #expect(try await tool.succeed("\(forget) --token-file token").errors == "sealpush: removed bob\n")
    let run = try await tool.run("\(forget) --token-file -", input: .text("00ff"))
    #expect(run.errors == "sealpush: removed ada\n")
    #expect(try registered.isEmpty)
    try tool.write("00xx", to: "token")
    try await tool.refuse("\(forget) --token-file token", 65, "token: ")
    try await tool.refuse("\(forget) --token-file token --token 00", 64, "exclude each other")
  }

  @Test func aDeviceThatCameBack() async throws {
    try await enrol("ada", at: start + day)
    let answer = "\(Self.forget) --unregistered-at"
    let kept = try await tool.succeed("\(answer) \(start + day)999")
    #expect(kept.errors.hasPrefix("sealpush: kept ada: its device enrolled at ") && kept.output.isEmpty)
    #expect(try await tool.succeed("\(answer) \(start)000 --dry-run").errors.contains("would keep ada"))
    #expect(try registered == ["ada", "bob"])
    try await tool.succeed("\(answer) \(start + day + 1)000")
    #expect(try registered == ["bob"])
  }

  @Test func aTokenThatAPNsNeverKnew() async throws {
    try await tool.succeed(Self.forget.replacingOccurrences(of: "00ff", with: "00FF"))
    #expect(try registered == ["bob"])
  }

  @Test func nothingIsSealedToIt() async throws {
    try await tool.succeed("\(Self.forget) --unregistered-at \(start + day)000")
    let seal = "seal --lines --recipients registrations --from sender.jwks \(Pair.topic) --now \(start)"
    let lines = ["ada", "bob"].map { #"{"to":"\#($0)","payload":\#(sample)}"# }
    let run = try await tool.run(seal, input: .text(lines.joined(separator: "\n")))
    #expect(run.status == 65 && run.lines.count == 1)
    #expect(run.text.contains(#""device_token":"00fe""#))
  }

  @Test(arguments: ["\(start)", "\(start)000000", "soon", "-1", "1800000000.5"])
  func secondsAreNoMilliseconds(text: String) async throws {
    try await tool.refuse("\(Self.forget) --unregistered-at=\(text)", 64, "in milliseconds since 1970")
    #expect(try registered == ["ada", "bob"])
  }

  @Test func aLineThatSomebodyChanged() async throws {
    let text = String(decoding: try tool.contents("registrations"), as: UTF8.self)
    try tool.write(
      text.replacingOccurrences(of: #""token":"00fe""#, with: #""token":"00fd""#), to: "registrations")
    try await tool.refuse(
      "keys forget --registrations registrations --token 00fd", 65, "registrations, line 2: mismatch: 'token'"
    )
    // It is in nobody else's way.
    try await tool.succeed(Self.forget)
    #expect(try registered == ["bob"])
  }

  @Test func whatIsWrongWithTheWords() async throws {
    let either =
      "give one of --registration NAME, --person NAME, --identity NAME, --token HEX and --leave FILE"
    try await tool.refuse("keys forget --registrations registrations", 64, either)
    try await tool.refuse("\(Self.forget) --registration ada", 64, either)
    try await tool.refuse(
      "keys forget --registrations registrations --registration ada --unregistered-at \(start)000", 64,
      "--unregistered-at needs --token")
    try await tool.refuse("keys forget --registrations registrations --token 0", 64, "hexadecimal digits")
    try await tool.refuse("keys forget --registrations none --token 00ff", 66, "no registration")
  }
}
