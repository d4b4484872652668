import TestSupport
import Testing

@Suite("Pauses and limits from the command line", .hangGuard)
struct PauseTests {
  private static let payload = #"{"aps":{"alert":"Lunch?"}}"#

  private func tool() async throws -> Tool {
    let tool = try Tool()
    _ = try await tool.daemon("enqueue --store push.sqlite --person ada", input: .text(Self.payload))
    return tool
  }

  private func queue(_ tool: Tool) async throws -> String {
    try await tool.daemon("queue --store push.sqlite").text
  }

  @Test("a queue without pauses and limits is shown as before")
  func none() async throws {
    let tool = try await tool()
    #expect(try await queue(tool).hasSuffix("\ndead: 0\n"))
    let json = try await tool.daemon("queue --store push.sqlite --json").text
    #expect(!json.contains("paused") && !json.contains("rates"))
  }

  @Test("a pause is shown until it ends, and made once")
  func pause() async throws {
    let tool = try await tool()
    let options = "--store push.sqlite --topic com.example.app --environment production"
    let first = try await tool.daemon("pause \(options)")
    #expect(first.status == 0 && first.text == "paused: com.example.app in production\n", "\(first.errors)")
    #expect(try await tool.daemon("pause \(options)").text.hasPrefix("was paused already: "))
    #expect(try await queue(tool).contains("\npaused: com.example.app in production, since "))
    let json = try await tool.daemon("queue --store push.sqlite --json").text
    #expect(json.contains(#""environment":"production""#) && json.contains(#""paused":[{"#))
    let other = try await tool.daemon("resume --store push.sqlite --environment sandbox")
    #expect(other.text == "0 pauses ended\n")
    #expect(try await tool.daemon("resume --store push.sqlite").text == "1 pause ended\n")
    #expect(try await !queue(tool).contains("paused"))
  }

  @Test("a wider pause stays, and is named")
  func wider() async throws {
    let tool = try await tool()
    #expect(try await tool.daemon("pause --store push.sqlite").text == "paused: all apps\n")
    let run = try await tool.daemon("resume --store push.sqlite --topic com.example.app")
    #expect(run.status == 0 && run.errors == "sealpushd: still paused: all apps\n", "\(run.errors)")
  }

  @Test("a limit is shown until it ends")
  func rate() async throws {
    let tool = try await tool()
    let rate = "rate --store push.sqlite --topic com.example.app --limit"
    #expect(try await tool.daemon("\(rate) 6000/60s").text == "com.example.app: 6000/1m\n")
    #expect(try await queue(tool).contains("\nlimited: com.example.app to 6000/1m\n"))
    let json = try await tool.daemon("queue --store push.sqlite --json").text
    #expect(
      json.contains(#""rates":[{"#) && json.contains(#""count":6000"#) && json.contains(#""seconds":60"#))
    #expect(try await tool.daemon("\(rate) none").text == "com.example.app: no limit\n")
    #expect(try await !queue(tool).contains("limited"))
  }

  @Test(
    "what is no limit, and what lacks its app, is refused",
    arguments: [
      ("rate --topic com.example.app --limit 5", "--limit must be a number and a time from 1s to 1d"),
      ("rate --topic com.example.app --limit 0/1s", "--limit must be a number and a time"),
      ("rate --topic com.example.app --limit 5/2d", "--limit must be a number and a time"),
      ("rate --limit 5/1s", "--topic"), ("pause --environment test", "--environment"),
    ])
  func usage(line: String, error: String) async throws {
    let run = try await tool().daemon("\(line) --store push.sqlite")
    #expect(run.status == 64 && run.errors.contains(error), "\(run.errors)")
  }

  @Test("a store that is not there is not made")
  func missing() async throws {
    let run = try await Tool().daemon("pause --store push.sqlite")
    #expect(run.status == 66)
  }
}
