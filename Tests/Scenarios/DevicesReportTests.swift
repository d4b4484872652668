import Foundation
import TestSupport
import Testing

/// What an operator sees of the phones, and when the sender may rotate.
@Suite("Reports of phones, on the command line", .hangGuard)
struct DevicesReportTests {
  private let tool: Tool
  private let place = "--topic com.example.app \(Tool.audience)"
  private let report = "devices report --registrations registrations"

  init() async throws {
    tool = try Tool()
    try await tool.makeSender()
    try await tool.succeed("keys new --role root --out root.jwks --now \(start)")
    try await tool.succeed("keys export --keys root.jwks --out root.pub.jwks")
    try await sign(at: start)
  }

  /// Signs the sender's keys, hands them out, and keeps the set beside those before it.
  private func sign(at now: Int) async throws {
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks --force")
    try await tool.succeed(
      "keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic) --out newest --force --now \(now)"
    )
    _ = try await tool.shell("cat newest >>sets")
  }

  /// Has a phone enrol, with a report of the newest set or without one.
  private func enrol(
    _ name: String, at now: Int = start, options: String = "--senders newest --root root.pub.jwks"
  )
    async throws
  {
    if try !tool.names.contains("\(name).jwks") {
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(now)")
    }
    let enrol =
      "keys enrol --keys \(name).jwks --identity \(name).identity.jwks --token \(name)\(name) \(place)"
    let accept = "keys accept --registrations registrations \(Tool.backend) --registration \(name) --new"
    let enrolment = try await tool.succeed("\(enrol) \(options) --now \(now)")
    try await tool.register(enrolment.output, accept: accept, enrol: enrol, at: now)
    // The answer has no report, so the phone enrols once more, as at its next launch.
    let next = try await tool.succeed("\(enrol) \(options) --now \(now + 10)")
    try await tool.succeed("\(accept) --now \(now + 10)", input: .bytes(next.output))
  }

  private struct Report: Decodable {
    struct Sets: Decodable, Equatable {
      let current, behind, unknown: Int
    }
    struct Keys: Decodable, Equatable {
      let active, next: Int
    }
    struct Counts: Decodable {
      let devices, opened, degraded: Int
      let reasons: [String: Int]
    }
    let topic: String?
    let devices, silent, sandbox: Int
    let senders: Sets
    let keys: Keys?
    let counts: Counts
    let ready: Bool?
  }

  @Test("phones that lack the next key hold up a rotation, and are named")
  func rotation() async throws {
    for name in ["aa", "bb", "cc", "dd"] { try await enrol(name) }
    let week = start + 8 * day
    let guarded = "\(report) --senders sets --from sender.jwks --ready-for-rotation --names --now"
    #expect(try await tool.daemon("\(guarded) \(week)").status == 0)
    try await tool.succeed("keys rotate --keys sender.jwks --now \(week)")
    try await sign(at: week)
    try await enrol("aa", at: week)
    try await enrol("bb", at: week, options: "")
    let early = try await tool.daemon("\(guarded) \(week + 8 * day)")
    #expect(early.status == 75, "\(early.errors)")
    #expect(early.errors.contains("3 of 4 phones lack the sender's next key"))
    #expect(early.errors.contains("for a stolen key: keys revoke"))
    #expect(early.lines.prefix(3) == ["missing  bb", "missing  cc", "missing  dd"])
    let json = try await tool.daemon("\(report) --senders sets --from sender.jwks --json --now \(week)")
    let counted: Report = try json.json()
    #expect(counted.senders == .init(current: 1, behind: 2, unknown: 1) && counted.ready == false)
    #expect(counted.keys == .init(active: 3, next: 1) && counted.topic == "com.example.app")
    let doctor =
      "--keys sender.jwks --senders newest --root root.pub.jwks \(Pair.topic) --recipients registrations"
    let found = try await tool.findings("\(doctor) --now \(week)", status: 0)
    try #require(found.map(\.code) == ["phones-behind"])
    #expect(
      found[0].severity == "warning" && found[0].message.hasPrefix("3 of 4 phones do not have the next key"))
    for name in ["bb", "cc", "dd"] { try await enrol(name, at: week + 20) }
    #expect(try await tool.findings("\(doctor) --now \(week)", status: 0).isEmpty)
    #expect(try await tool.daemon("\(guarded) \(week + 8 * day)").status == 0)
    // Nobody asks before a revocation.
    let kid = try await tool.keys("sender.jwks")[0].kid
    try await tool.succeed("keys revoke --keys sender.jwks --kid=\(kid) --now \(week)")
  }

  @Test("a store gives what the file gives, without tokens and persons")
  func store() async throws {
    try tool.write(
      #"{"since":20000,"opened":3,"degraded":{"unknown-key":1,"new":1,"expired":-1}}"#, to: "counts")
    try await enrol("aa", options: "--senders newest --root root.pub.jwks --counts counts")
    try await enrol("bb")
    let imported = try await tool.daemon("devices import registrations --store push.sqlite")
    try #require(imported.status == 0, "\(imported.errors)")
    for source in ["--store push.sqlite", "--registrations registrations"] {
      let run = try await tool.daemon("devices report \(source) --senders sets --json")
      let counted: Report = try run.json()
      #expect(counted.devices == 2 && counted.silent == 0 && counted.keys == nil && counted.ready == nil)
      #expect(counted.senders == .init(current: 2, behind: 0, unknown: 0))
      #expect(counted.counts.devices == 1 && counted.counts.opened == 1 && counted.counts.degraded == 1)
      #expect(counted.counts.reasons == ["unknown-key": 1, "other": 1])
      #expect(!run.text.contains("aaaa"))
    }
    let text = try await tool.daemon("\(report) --now \(start + 46 * day)")
    #expect(
      text.status == 0
        && text.lines.prefix(2).allSatisfy { $0.hasPrefix("devices") || $0.hasPrefix("silent") })
    #expect(text.lines[1].hasSuffix(" 2"))
  }

  @Test(
    "what is wrong with the words",
    arguments: [
      ("", "give either --store or --registrations"),
      ("--store a --registrations b", "give either --store or --registrations"),
      ("--store a --from sender.jwks", "--from needs --senders FILE"),
      ("--store a --ready-for-rotation", "--ready-for-rotation needs --senders FILE"),
      ("--store a --senders sets --ready-for-rotation", "--ready-for-rotation needs --from FILE"),
      ("--store a --senders sets --names", "--names needs --from FILE"),
    ])
  func words(options: String, message: String) async throws {
    let run = try await tool.daemon("devices report \(options)")
    #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
  }

  @Test("files that are none")
  func files() async throws {
    _ = try await tool.shell("touch empty; echo x >broken; cp newest registrations")
    let empty = try await tool.daemon("devices report --registrations empty --senders empty")
    #expect(empty.status == 65 && empty.errors.contains("empty has no signed set"))
    let broken = try await tool.daemon("devices report --registrations empty --senders broken")
    #expect(broken.status == 65 && broken.errors.contains("broken, line 1: malformed-jws"))
    let lines = try await tool.daemon(report)
    #expect(lines.status == 65 && lines.errors.contains("registrations, line 1: malformed-enrolment"))
  }
}
