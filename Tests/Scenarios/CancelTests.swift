import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Cancelling and replacing from the command line", .hangGuard)
struct CancelTests {
  private static let payload = #"{"aps":{"alert":"Lunch?"}}"#

  private func enqueue(_ tool: Tool, _ options: String) async throws -> Run {
    try await tool.daemon("enqueue --store push.sqlite --person ada \(options)", input: .text(Self.payload))
  }

  private func ready(_ tool: Tool) async throws -> String {
    try await tool.daemon("queue --store push.sqlite --json").text
  }

  @Test("what waits is removed by its key or its ID, and counted")
  func waiting() async throws {
    let tool = try Tool()
    let id = "0b0a5bb4-6ae0-4a25-9c3e-6a8f9a3f2b11"
    #expect(try await enqueue(tool, "--job-key order").status == 0)
    #expect(try await enqueue(tool, "--job-key order").status == 0)
    #expect(try await enqueue(tool, "--message-id \(id)").status == 0)
    let both = try await tool.daemon("cancel --store push.sqlite --job-key order")
    #expect(both.status == 0 && both.text == "2 removed\n", "\(both.errors)")
    let one = try await tool.daemon("cancel --store push.sqlite --message-id \(id) --json")
    #expect(one.text == "{\"cancelled\":1}\n")
    #expect(try await ready(tool).contains(#""ready":0"#))
  }

  @Test("a message takes another's place, or is dropped")
  func rules() async throws {
    let tool = try Tool()
    for options in ["--on-key replace", "--on-key replace", "--on-key skip --unique-for 1h"] {
      #expect(try await enqueue(tool, "--job-key match \(options)").status == 0)
    }
    #expect(try await ready(tool).contains(#""ready":1"#))
  }

  @Test("lines have the same members")
  func lines() async throws {
    let tool = try Tool()
    let lines = """
      {"person":"ada","payload":\(Self.payload),"job_key":"a","on_key":"replace"}
      {"person":"ada","payload":\(Self.payload),"job_key":"a","on_key":"skip","unique_for":"1h"}
      {"person":"ada","payload":\(Self.payload),"on_key":"replace"}
      {"person":"ada","payload":\(Self.payload),"job_key":"a","unique_for":7}
      {"person":"ada","payload":\(Self.payload),"replaces":"x"}
      """
    let run = try await tool.daemon("enqueue --store push.sqlite --lines", input: .text(lines))
    #expect(run.status == 65 && run.lines.count == 5)
    #expect(run.lines[2...].allSatisfy { $0.contains(#""error":"bad-member""#) }, "\(run.text)")
    #expect(try await ready(tool).contains(#""ready":1"#))
  }

  @Test(
    "options that do not belong together",
    arguments: [
      ("cancel", "give either --message-id ID or --job-key KEY"),
      ("cancel --job-key a --message-id 0b0a5bb4-6ae0-4a25-9c3e-6a8f9a3f2b11", "give either"),
      ("cancel --job-key a --person ada", "--person and --topic belong to --take-back"),
      ("enqueue --person ada --on-key skip", "--on-key and --unique-for belong to --job-key"),
      (
        "enqueue --person ada --job-key a --on-key drop", "--on-key must be keep, replace or skip, not 'drop'"
      ),
      ("enqueue --person ada --job-key a --unique-for 1h", "--unique-for belongs to --on-key skip"),
    ])
  func usage(line: String, error: String) async throws {
    let run = try await Tool().daemon("\(line) --store push.sqlite", input: .text(Self.payload))
    #expect(run.status == 64 && run.errors.contains(error), "\(run.errors)")
  }
}
