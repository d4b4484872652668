import Foundation
import Testing

/// What many messages leave when a disk is full: whole lines, each once, whatever goes where.
@Suite("Lines that cannot be written", .serialized, .timeLimit(.minutes(2)))
struct LineOutputTests {
  private let pair: Pair
  private var tool: Tool { pair.tool }
  private var seal: String {
    "seal --lines --to device.pub.jwks --from sender.jwks \(Pair.topic) --now \(start) --in input.jsonl"
  }

  private struct Line: Decodable { let line: Int }

  init() async throws {
    pair = try await Pair()
    let lines = (1...300).map { #"{"payload":\#($0.isMultiple(of: 2) ? sample : "7")}"# }
    try pair.tool.write(lines.joined(separator: "\n"), to: "input.jsonl")
  }

  private func numbers(_ output: [UInt8]) throws -> [Int] {
    #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: Data($0)).line
    }
  }

  @Test("errors that cannot be written keep what was sealed with them back")
  func errors() async throws {
    let run = try await tool.shell("ulimit -f 2; sealpush \(seal) --errors errors.jsonl")
    #expect(run.status == 1 && run.error == "cannot write errors.jsonl: File too large")
    #expect(run.hint == "--skip 0 goes on from there")
    #expect(run.output.isEmpty)
    #expect(try tool.contents("errors.jsonl").isEmpty)
  }

  @Test(
    "messages that cannot be written take their errors back",
    arguments: ["--out output.jsonl", "> output.jsonl"])
  func messages(output: String) async throws {
    let run = try await tool.shell("ulimit -f 180; sealpush \(seal) --errors errors.jsonl \(output)")
    #expect(run.status == 1 && run.error?.hasSuffix(": File too large") == true)
    let (sealed, failed) = (
      try numbers(try tool.contents("output.jsonl")), try numbers(try tool.contents("errors.jsonl"))
    )
    let count = sealed.count + failed.count
    #expect((1..<300).contains(count))
    #expect((sealed + failed).sorted() == Array(1...count))
    #expect(run.hint == "--skip \(count) goes on from there")
  }

  @Test("what others wrote behind it is not taken away")
  func shared() async throws {
    try tool.write("theirs\n", to: "output.jsonl")
    let run = try await tool.shell("ulimit -f 180; sealpush \(seal) --errors errors.jsonl >> output.jsonl")
    #expect(run.status == 1)
    let output = String(decoding: try tool.contents("output.jsonl"), as: UTF8.self)
    #expect(output.hasPrefix("theirs\n{") && output.hasSuffix("\n"))
  }
}
