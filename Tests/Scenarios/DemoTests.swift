import Foundation
import Glibc
import Testing

@Suite("The demo", .serialized)
struct DemoTests {
  /// Runs it with a temporary folder of its own, in which nothing may stay.
  private func play(_ tool: Tool, _ words: [String], environment: [String: String] = [:]) async throws -> Run
  {
    let folder = tool.scratch + "/temporary"
    if !FileManager.default.fileExists(atPath: folder) { try #require(unsafe mkdir(folder, 0o700) == 0) }
    let run = try await tool.execute(words, environment: environment.merging(["TMPDIR": folder]) { $1 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try tool.names.isEmpty)
    return run
  }

  @Test func plainWherePiped() async throws {
    let run = try await play(try Tool(), [Tool.binary, "demo"], environment: ["TERM": "xterm-256color"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(!run.output.contains(0x1b))
    #expect(run.text.contains("Apple sees:  New notification | (Encrypted) | ENCRYPTED_DATA: "))
    #expect(run.text.contains("person sees: Ada Lovelace | Analytical Engine | Lunch at noon?"))
    let outcomes = run.lines.filter { $0.contains("outcome:") }.map { String($0.dropFirst(16)) }
    try #require(outcomes.count == 6)
    #expect(outcomes[0].hasPrefix("opened: "))
    #expect(outcomes[1].hasPrefix("degraded: not-authentic: "))
    #expect(outcomes[2].hasPrefix("degraded: expired: "))
    #expect(outcomes[3].hasPrefix("degraded: deadline: "))
    #expect(outcomes[4].hasPrefix("opened: ") && outcomes[5].hasPrefix("opened: "))
  }

  @Test func colorsOnATerminal() async throws {
    let tool = try Tool()
    guard try await tool.shell("command -v script").status == 0 else {
      return print("Not tested: there is no script(1) to make a terminal.")
    }
    let words = ["script", "-qec", "'\(Tool.binary)' demo", "/dev/null"]
    let colored = try await play(tool, words, environment: ["TERM": "xterm"])
    #expect(colored.status == 0)
    #expect(colored.text.contains("\u{1b}[32m") && colored.text.contains("┌─"))
    let plain = try await play(tool, words, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(plain.status == 0 && !plain.output.contains(0x1b))
  }

  @Test func thereIsNoTemporaryFolder() async throws {
    let run = try await Tool().run("demo", environment: ["TMPDIR": "/nowhere"])
    run.expectRefusal("demo", 73, "cannot make a folder in /nowhere")
  }
}
