import Foundation
import Glibc
import TestSupport
import Testing

/// The file of recipients changes while lines are sealed.
@Suite("Recipients that change", .serialized, .hangGuard)
struct ReloadTests {
  private let pair: Pair
  private let feed: Feed
  private let device: String
  private var tool: Tool { pair.tool }
  private let words =
    "seal --lines --errors - --from sender.jwks \(Pair.topic) --now \(start)".split(separator: " ").map(
      String.init)

  init() async throws {
    pair = try await Pair()
    feed = try Feed(pair.tool, of: nil)
    let keys = String(decoding: try pair.tool.contents("device.pub.jwks"), as: UTF8.self)
      .replacingOccurrences(of: "\n", with: "")
    device = #"{"v":1,"topic":"com.example.app","environment":"sandbox","token":"01","keys":\#(keys)}"#
    try pair.tool.write("", to: "devices.jsonl")
  }

  private func launch(_ options: String = "--recipients devices.jsonl") throws -> Child {
    try Child([Tool.binary] + words + options.split(separator: " ").map(String.init), in: feed.surroundings)
  }

  /// Puts another file in the place of the recipients', as a backend should.
  private func replace(by text: String) throws {
    try tool.write(text, to: "new")
    try #require(unsafe rename(tool.path("new"), tool.path("devices.jsonl")) == 0)
  }

  /// Gives a line, and returns whether it is sealed.
  private func isSealed(line number: Int) async throws -> Bool {
    feed.write(#"{"to":"01","payload":\#(sample)}"# + "\n")
    try await feed.waitForOutput(lines: number)
    let line = try #require(feed.output.split(separator: UInt8(ascii: "\n")).last)
    return String(decoding: line, as: UTF8.self).contains(#""device_token":"01""#)
  }

  private var warnings: Int {
    feed.errors.components(separatedBy: "sealpush: warning: devices.jsonl").count - 1
  }

  @Test("a line that comes after a new file is sealed to its devices, and to no others")
  func replaced() async throws {
    let child = try launch()
    #expect(try await !isSealed(line: 1))
    try replace(by: device + "\n")
    #expect(try await isSealed(line: 2))
    try replace(by: "")
    #expect(try await !isSealed(line: 3))
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
    #expect(warnings == 0)
  }

  @Test("a broken file is said once, and the devices of before stay", arguments: ["", " --quiet"])
  func broken(option: String) async throws {
    try replace(by: device)
    let child = try launch("--recipients devices.jsonl\(option)")
    #expect(try await isSealed(line: 1))
    try replace(by: device + "\n{\n")
    for number in 2...4 { #expect(try await isSealed(line: number)) }
    #expect(
      feed.errors == "sealpush: warning: devices.jsonl, line 2: not strict JSON: unexpected-end at column 2: "
        + "lines go to the devices that were read before\n")
    #expect(unsafe unlink(tool.path("devices.jsonl")) == 0)
    #expect(try await isSealed(line: 5))
    #expect(warnings == 1 && feed.errors.contains("cannot read devices.jsonl: No such file or directory"))
    try replace(by: "")
    #expect(try await !isSealed(line: 6))
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
  }

  @Test("SIGHUP has the file read again, whether it has changed or not")
  func hangup() async throws {
    try replace(by: device)
    let child = try launch()
    #expect(try await isSealed(line: 1))
    try replace(by: "{")
    #expect(try await isSealed(line: 2))
    #expect(warnings == 1)
    child.send(SIGHUP)
    // A signal may come after a line that was written after it.
    var number = 2
    while warnings == 1 && number < 1000 {
      number += 1
      try #require(try await isSealed(line: number))
    }
    #expect(warnings == 2)
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
  }

  @Test("without recipients, SIGHUP ends the process")
  func hangupOfOthers() async throws {
    try tool.write(device, to: "devices.jsonl")
    let child = try launch("--to device.pub.jwks")
    feed.write(#"{"payload":\#(sample)}"# + "\n")
    try await feed.waitForOutput()
    child.send(SIGHUP)
    #expect(try await child.wait() == .killed(by: SIGHUP))
  }

  @Test("at a terminal, SIGHUP ends the process")
  func hangupOfATerminal() async throws {
    try replace(by: device)
    let terminal = try PseudoTerminal()
    var surroundings = feed.surroundings
    surroundings.input = terminal.path
    let child = try Child([Tool.binary] + words + ["--recipients", "devices.jsonl"], in: surroundings)
    terminal.type(#"{"to":"01","payload":\#(sample)}"# + "\n")
    try await feed.waitForOutput()
    child.send(SIGHUP)
    #expect(try await child.wait() == .killed(by: SIGHUP))
  }
}
