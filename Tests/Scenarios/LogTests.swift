import Foundation
import Testing

@Suite("The log of a device", .serialized)
struct LogTests {
  private static let message = "00112233-4455-6677-8899-aabbccddeeff"
  private static let key = "ABEiM0RVZnc"
  private static let opened = #""lastOpened":{"time":1800000300,"message":"\#(message)","count":12},"#
  private static let lines = [
    #"{"time":1800000000,"reason":"unknown-key","key":"\#(key)"}"#,
    #"{"time":1800000060,"reason":"expired","key":"\#(key)","message":"\#(message)"}"#,
    #"{"time":1800000120,"reason":"unknown-key"}"#, #"{"time":1800000180,"step":"avatar","failure":"late"}"#,
    #"{"time":1800000240,"note":"replay-not-checked","key":"\#(key)","message":"\#(message)"}"#,
  ]

  private func log(_ lines: [String] = lines, opened: String = opened) -> String {
    #"{"v":1,\#(opened)"entries":[\#(lines.joined(separator: ","))]}"#
  }

  @Test func theTextForPeople() async throws {
    let tool = try Tool()
    try tool.write(log(), to: "log.json")
    let run = try await tool.succeed("log log.json")
    #expect(run.errors.isEmpty)
    let (key, message) = (Self.key, Self.message)
    #expect(
      run.text.hasPrefix(
        """
        last opened: 2027-01-15T08:05:00Z, message \(message), 12 in all

        TIME                  WHAT                KEY          MESSAGE
        2027-01-15T08:00:00Z  unknown-key         \(key)  -
        2027-01-15T08:01:00Z  expired             \(key)  \(message)
        2027-01-15T08:02:00Z  unknown-key         -            -
        2027-01-15T08:03:00Z  step-late (avatar)  -            -
        2027-01-15T08:04:00Z  replay-not-checked  \(key)  \(message)

        unknown-key: it was sealed to a key that the receiver does not have, or no longer has
          distribute the device's public set again: sealpush keys export
        expired: its lifetime has passed

        """))
    // What to do is said once for each code, in the order in which they come.
    let codes = ["unknown-key", "expired", "step-late", "replay-not-checked"]
    let explained = run.lines.compactMap { line in codes.first { line.hasPrefix("\($0): ") } }
    #expect(explained == codes)
  }

  @Test func theFormatsOfOtherSystemsAreCounted() async throws {
    let tool = try Tool()
    let formats =
      #""formats":[{"name":"openssl-salted","time":1800000000,"opened":12,"failed":3,"over":0},"#
      + #"{"name":"zulip","time":1800000060,"opened":0,"failed":0,"over":7}],"#
    try tool.write(log([], opened: formats), to: "log.json")
    #expect(
      try await tool.succeed("log log.json").text == """
        last opened: never

        FORMAT          LAST SEEN             OPENED  FAILED  TOO LATE
        openssl-salted  2027-01-15T08:00:00Z  12      3       0
        zulip           2027-01-15T08:01:00Z  0       0       7

        """)
    let run = try await tool.succeed("log --json log.json")
    #expect(
      run.lines == [
        #"{"kind":"format","format":"openssl-salted","time":1800000000,"opened":12,"failed":3,"over":0}"#,
        #"{"kind":"format","format":"zulip","time":1800000060,"opened":0,"failed":0,"over":7}"#,
      ])
  }

  @Test func whatIsWrongWithAFormatOfOthers() async throws {
    let tool = try Tool()
    let lines = [
      #"{"time":1800000000,"reason":"malformed-envelope","format":"zulip","fault":"no-key"}"#,
      #"{"time":1800000060,"reason":"not-authentic","format":"bark"}"#,
    ]
    try tool.write(log(lines, opened: ""), to: "log.json")
    let rows = try await tool.succeed("log log.json").lines.filter { $0.hasPrefix("2027") }
    #expect(
      rows == [
        "2027-01-15T08:00:00Z  malformed-envelope (zulip: no-key)  -    -",
        "2027-01-15T08:01:00Z  not-authentic (bark)                -    -",
      ])
  }

  @Test func theLinesForMachines() async throws {
    let tool = try Tool()
    try tool.write(log(), to: "log.json")
    let run = try await tool.succeed("log --json log.json")
    let objects = try run.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    #expect(objects.map(\.kind) == ["degraded", "degraded", "degraded", "step", "note", "opened"])
    #expect(objects.map(\.time) == [0, 60, 120, 180, 240, 300].map { start + $0 })
    #expect(objects.map(\.reason) == ["unknown-key", "expired", "unknown-key", nil, nil, nil])
    #expect(objects.map(\.key) == [Self.key, Self.key, nil, nil, Self.key, nil])
    #expect(objects.map(\.message) == [nil, Self.message, nil, nil, Self.message, Self.message])
    #expect(objects[3].step == "avatar" && objects[3].failure == "late")
    #expect(objects[4].note == "replay-not-checked")
    #expect(objects[5].count == 12)
    #expect(run.lines[2].contains(#""key":null,"message":null"#))
    #expect(try await tool.succeed("log log.json --json").output == run.output)
  }

  @Test func aLogWithoutLines() async throws {
    let tool = try Tool()
    try tool.write(log([], opened: ""), to: "log.json")
    #expect(try await tool.succeed("log log.json").text == "last opened: never\n")
    #expect(try await tool.succeed("log log.json --json").text.isEmpty)
  }

  @Test func theSuiteOfTheLastPush() async throws {
    let tool = try Tool()
    let opened = Self.opened.replacingOccurrences(of: #""count""#, with: #""suite":"xwing-aesgcm","count""#)
    try tool.write(log([], opened: opened), to: "log.json")
    #expect(
      try await tool.succeed("log log.json").text
        == "last opened: 2027-01-15T08:05:00Z, message \(Self.message), with xwing-aesgcm, 12 in all\n")
    #expect(
      try await tool.succeed("log --json log.json").text.contains(#""suite":"xwing-aesgcm","count":12}"#))
  }

  @Test func whatALaterVersionWrote() async throws {
    let tool = try Tool()
    let lines = [#"{"time":1,"reason":"out-of-cheese"}"#, #"{"time":2,"step":"s","failure":"odd"}"#]
    try tool.write(log(lines), to: "log.json")
    let run = try await tool.succeed("log log.json")
    #expect(run.lines.contains("out-of-cheese: not known to this version"))
    #expect(
      run.lines.contains(
        "step-odd: a step after opening threw this error; the notification was shown without it"))
    #expect(try await tool.succeed("log log.json --json").lines[0].contains(#""reason":"out-of-cheese""#))
  }

  @Test(arguments: ["--json", ""]) func aLogDoesNotSteerTheTerminal(option: String) async throws {
    let tool = try Tool()
    let evil = #"\u001b[2J\u202egnp\u009b\n\r\u2028\u007f"#
    let lines = ["reason", "note"].map { #"{"time":1,"\#($0)":"\#(evil)"}"# }
    try tool.write(log(lines + [#"{"time":1,"step":"\#(evil)","failure":"\#(evil)"}"#]), to: "log.json")
    let run = try await tool.succeed("log log.json \(option)")
    #expect(run.text.contains("gnp"))
    let scalars = run.text.unicodeScalars.filter { $0 != "\n" }
    #expect(!scalars.contains { $0.value < 32 || (127...159).contains($0.value) })
    #expect(!scalars.contains("\u{202e}") && !scalars.contains("\u{2028}"))
    #expect(run.lines.count == (option.isEmpty ? 7 : 4))
  }

  @Test func whatIsNoLog() async throws {
    let tool = try Tool()
    try await tool.refuse("log nowhere.json", 66, "nowhere.json")
    for text in ["", "{", "[]", "{}", sample, #"{"v":1,"entries":[{}]}"#, log() + "x"] {
      try tool.write(text, to: "log.json")
      try await tool.refuse("log log.json", 65, "log.json is not a diagnostics log")
      try await tool.refuse("log log.json --json", 65, "log.json is not a diagnostics log")
    }
    try tool.write(#"{"v":2}"#, to: "log.json")
    try await tool.refuse("log log.json", 65, "newer version")
    try await tool.refuse("log .", 66)
    try await tool.refuse("log", 64)
  }

  @Test func whatMayNotBeRead() async throws {
    let tool = try Tool()
    guard try await Unprivileged.works(in: tool) else { return }
    try tool.write(log(), to: "log.json")
    try tool.setMode(0, of: "log.json")
    let run = try await tool.execute(Unprivileged.words("log log.json"))
    run.expectRefusal("log log.json", 77, "log.json")
  }
}

/// What `log --json` writes in a line.
private struct Line: Decodable {
  let kind: String
  let time: Int
  let reason: String?
  let step: String?
  let failure: String?
  let note: String?
  let key: String?
  let message: String?
  let count: Int?
}
