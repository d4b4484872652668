import Foundation
import Testing

/// Other people's openers are asked for each vector.
@Suite("Openers that are asked", .serialized)
struct VectorsVerifyTests {
  private static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Vectors").standardized.path

  private func verify(_ opener: String, _ options: [String] = []) async throws -> Run {
    try await Tool().run(
      words: ["vectors", "verify", "--opener", opener, "--vectors", Self.vectors] + options)
  }

  @Test func anAnswerThatIsOftenRight() async throws {
    let run = try await verify(#"sed -u 's/.*/{"reason":"not-authentic"}/'"#)
    #expect(run.status == 65)
    #expect(run.lines.contains { $0.hasPrefix("degraded field-absent [1.1]: no-envelope, not ") })
    #expect(run.lines.contains("opened: 0 passed, 40 failed"))
    #expect(!run.lines.contains { $0.contains("not-authentic, not ") })
  }

  @Test func forMachines() async throws {
    struct Report: Decodable {
      struct Fault: Decodable {
        let file: String
        let id: String
        let rule: String?
        let expected: String
        let answer: String
      }
      let passed: Int
      let failed: Int
      let faults: [Fault]
    }
    let run = try await verify("sed -u 's/.*/{}/'", ["--json"])
    let report: Report = try run.json()
    #expect(report.passed == 0 && report.failed == report.faults.count && report.failed > 250)
    #expect(report.faults[0].expected == "opened" && report.faults[0].answer == "{}")
    #expect(run.errors.contains("error: \(report.failed) of \(report.failed) answers are wrong"))
  }

  @Test func aWrongAnswerAboutWhatIsShown() async throws {
    let run = try await verify(#"sed -u 's/.*/{"reason":"not-authentic","shown":{}}/'"#)
    #expect(run.status == 65)
    #expect(run.lines.contains("degraded: 0 passed, 162 failed"))
  }

  /// An opener may not know other kinds, but it must open messages.
  @Test func oneThatKnowsNothing() async throws {
    let run = try await verify(#"sed -u 's/.*/{"unsupported":true}/'"#, ["--all"])
    #expect(run.status == 65)
    #expect(run.lines.contains("opened: 0 passed, 40 failed"))
    let line = "memory: 0 passed, 0 failed, 44 not answered: the opener does not know the kind memory"
    #expect(run.lines.contains(line))
    #expect(run.lines.contains { $0.hasPrefix("signed: 0 passed, 0 failed, 274 not answered: ") })
    let fcm = run.lines.first { $0.hasPrefix("fcm: 0 passed, 0 failed, ") }
    #expect(fcm?.contains("does not know the kind fcm") == true)
  }

  /// A set of senders is a public one, and nobody opens a notification as data.
  @Test func questionsAreAsAnOpenerIsCalled() async throws {
    struct Report: Decodable { let unsupported: Int, faults: [[String: String?]] }
    let faults = #"/"senders":{[^]]*"d":/s/.*/{}/;t;/"pushType":"alert"/s/.*/{}/;t"#
    let run = try await verify(#"sed -u '\#(faults);s/.*/{"unsupported":true}/'"#, ["--all", "--json"])
    let report: Report = try run.json()
    #expect(report.unsupported > 1500 && report.faults.count > 250)
    #expect(!report.faults.contains { $0["answer"] == "{}" })
  }

  @Test func oneWhoseSystemLacksASuite() async throws {
    struct Report: Decodable { let failed: Int, unchecked: Int, faults: [[String: String?]] }
    let opener = #"sed -u 's/.*/{"reason":"unsupported-suite"}/'"#
    let run = try await verify(opener, ["--json"])
    let report: Report = try run.json()
    #expect(report.unchecked > 80)
    // Envelopes that are cut, or of another suite: that can be seen without the suite.
    let faults = report.faults.filter { $0["file"] == "xwing" }
    let reasons = Set(faults.compactMap { $0["expected"] ?? nil })
    #expect(faults.count == 10 && reasons == ["malformed-envelope", "unknown-key"])
    let text = try await verify(opener)
    let line =
      "xwing: 4 passed, 10 failed, \(report.unchecked) not checked: the opener's system does not have xwing-aesgcm"
    #expect(text.lines.contains(line))
  }

  /// Who opens one message of the suite has it.
  @Test func oneThatHasTheSuiteAndSaysOtherwise() async throws {
    let content = #"{\\"aps\\":{\\"alert\\":{\\"title\\":\\"Ada\\",\\"body\\":\\"Lunch at noon?\\"}}}"#
    let opens = #"s/.*"id":"xwing-aesgcm-signed-none".*/{"opened":"\#(content)"}/;t"#
    let run = try await verify(#"sed -u '\#(opens);s/.*/{"reason":"unsupported-suite"}/'"#)
    #expect(!run.lines.contains { $0.contains("not checked") })
    #expect(run.lines.contains { $0.hasPrefix("xwing xwing-aesgcm-signed-buckets: opened, not ") })
  }

  @Test(arguments: ["true", "exit 3", "no-such-program", "echo; exec 1>&-; sleep 20"])
  func oneThatEnds(opener: String) async throws {
    let run = try await verify(opener)
    #expect(run.status == 65 && run.output.isEmpty)
    #expect(run.errors.contains("the opener gave no answer: ended at opened "))
  }

  @Test func oneThatAnswersWithoutEnd() async throws {
    let run = try await verify("tr '\\0' x < /dev/zero")
    #expect(run.status == 65 && run.errors.contains("no answer: tooLong"))
  }

  @Test func whereThereAreNone() async throws {
    let tool = try Tool()
    try await tool.refuse("vectors verify --opener true", 66, "cannot read Vectors/keys.json")
    try await tool.refuse("vectors verify", 64, "--opener CMD is missing")
  }
}
