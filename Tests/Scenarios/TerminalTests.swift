import Foundation
import Glibc
import TestSupport
import Testing

/// What `seal --lines` draws while it works, and what is left of it.
@Suite("Progress on a terminal", .serialized, .hangGuard)
struct TerminalTests {
  /// A line that cannot be sealed comes after so many that can.
  private static let failureInterval = 100
  private static let lineCount = 600

  private let tool: Tool
  private let line: String
  private let terminal: PseudoTerminal
  private let words: [String]

  init() async throws {
    tool = try await Pair().tool
    terminal = try PseudoTerminal()
    let keys = String(decoding: try tool.contents("device.pub.jwks"), as: UTF8.self)
    line = #"{"to":\#(keys.replacing("\n", with: "")),"payload":\#(sample)}"#
    words = [Tool.binary, "seal", "--lines", "--anonymous", "--topic", "com.example.app"]
    let lines = (1...Self.lineCount).map { $0.isMultiple(of: Self.failureInterval) ? "{" : line }
    try tool.write(lines.joined(separator: "\n") + "\n", to: "input.jsonl")
  }

  /// What a person reads in the end, without the reasons.
  private var errors: [String] {
    let lines = (1...Self.lineCount / Self.failureInterval).map { "line \($0 * Self.failureInterval)" }
    return (lines + ["6 of 600 lines were not sealed"]).map { "sealpush: error: \($0)" }
  }

  private func withoutReasons(_ lines: [some StringProtocol]) -> [String] {
    lines.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
  }

  /// Seals the file, and takes the output away so slowly that it lasts; gives what is on standard error, if that is
  /// no terminal.
  private func sealSlowly(output: String? = nil, errors: String? = nil, _ options: String...) async throws
    -> String
  {
    let path = "\(tool.scratch)/slow"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    let pipe = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    var surroundings = try tool.surroundings()
    surroundings.output = output ?? path
    surroundings.errors = errors ?? surroundings.errors
    let said = {
      errors == nil ? (try? String(contentsOfFile: surroundings.errors, encoding: .utf8)) ?? "" : ""
    }
    let child = try Child(words + ["--in", "input.jsonl"] + options, in: surroundings)
    var piece = [UInt8](repeating: 0, count: 1 << 13)
    try await HangGuard.wait(for: "the last line", every: .milliseconds(10)) {
      _ = unsafe read(pipe, &piece, piece.count)
      terminal.read()
      return (said() + terminal.written.suffix(80)).contains("were not sealed")
    }
    #expect(try await child.wait() == .exited(65))
    return said()
  }

  @Test func aBarIsDrawnAndNothingOfItStays() async throws {
    _ = try await sealSlowly(errors: terminal.path)
    let bar = /\r\e\[K\[#*\.*\] \d+ %  \d+ lines  \d+\/s  \d+ failed  \d+ s left/
    let bars = terminal.written.matches(of: bar).count
    #expect(bars >= 1)
    #expect(withoutReasons(terminal.screen) == errors)
  }

  @Test func nothingIsDrawnIfTheToolIsToBeQuiet() async throws {
    _ = try await sealSlowly(errors: terminal.path, "--quiet")
    #expect(!terminal.written.contains("\u{1b}"))
    #expect(withoutReasons(terminal.screen) == errors)
  }

  @Test func nothingIsDrawnWhereNobodyWatches() async throws {
    let said = try await sealSlowly()
    #expect(withoutReasons(said.split(separator: "\n")) == errors)
    #expect(terminal.written.isEmpty)
  }

  /// The lines of output would be written into the bar.
  @Test func nothingIsDrawnAmongTheOutput() async throws {
    _ = try await sealSlowly(output: terminal.path, errors: terminal.path)
    #expect(!terminal.written.contains("\u{1b}"))
    #expect(terminal.screen.count == Self.lineCount + 1)
  }

  @Test func thereIsNoBarWhereTheEndIsNotKnown() async throws {
    let feed = try Feed(tool, of: nil)
    var surroundings = feed.surroundings
    surroundings.errors = terminal.path
    let child = try Child(words, in: surroundings)
    var count = 0
    while terminal.written.isEmpty {
      count += 1
      feed.write(line + "\n")
      try await feed.waitForOutput(lines: count)
      terminal.read()
    }
    let rate = /\r\e\[K\d+ lines  \d+\/s  0 failed/
    #expect(terminal.written.wholeMatch(of: rate) != nil, "\(terminal.written)")
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
    // The system may pass on what was written after its writer has ended.
    try await terminal.wait(for: "continue with --skip")
    #expect(terminal.screen == ["sealpush: stopped after line \(count): continue with --skip \(count)"])
  }
}
