import Foundation
import Testing

/// Each step of an enrolment, and of taking one, made the last.
@Suite("Enrolments step by step", .serialized)
struct ContinuityStepsTests {
  private let tool: Tool
  private let enrol = "keys enrol --keys device.jwks --topic com.example.app --token 00ff \(Tool.audience)"
  private let taking = "keys accept --registrations registrations --registration phone --new \(Tool.backend)"
  private var accept: String { "\(taking) --now \(start) --in" }

  init() async throws {
    tool = try Tool()
    try await tool.makeSender()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
  }

  /// Runs a command as often as it has calls on files, each time killed at the next of them.
  private func killAtEachCall(
    _ line: String, before: () async throws -> Void, after: (TracedCall) async throws -> Void
  ) async throws {
    let strace = Strace(tool: tool, line: line)
    try await before()
    for call in try await strace.calls() {
      try await before()
      let fault = "inject=\(call.name):signal=SIGKILL:when=\(call.ordinal)"
      guard let run = try await strace.run(fault) else { return }
      #expect(run.ending == .killed(by: 9), "\(call): \(run.errors)")
      try await after(call)
    }
  }

  @Test func anIdentityThatSigns() async throws {
    try await tool.succeed("\(enrol) --now \(start) --out first.json")
    let identity = try await tool.keys("identity.jwks")
    try await killAtEachCall("\(enrol) --out next.json --force --now \(start)") {
    } after: { (call) async throws in
      #expect(try await tool.keys("identity.jwks") == identity, "\(call)")
      #expect(try await tool.keys("device.jwks").count == 1, "\(call)")
      #expect(try tool.mode(of: "identity.jwks") == 0o600, "\(call)")
    }
    // No serial was given twice, and the backend takes what comes now.
    try await tool.register(tool.contents("first.json"), accept: taking, enrol: enrol)
    try await tool.succeed("\(enrol) --out next.json --force --now \(start)")
    #expect(try await tool.succeed("\(accept) next.json").text.contains(#""change":"updated""#))
    #expect(
      try tool.names == [
        "device.jwks", "first.json", "identity.jwks", "next.json", "registrations", "sender.jwks",
        "sender.pub.jwks",
      ])
  }

  @Test func anIdentityThatIsMade() async throws {
    try await killAtEachCall("\(enrol) --now \(start)") {
      if try tool.names.contains("identity.jwks") {
        try FileManager.default.removeItem(atPath: tool.path("identity.jwks"))
      }
    } after: { (call) async throws in
      if try tool.names.contains("identity.jwks") {
        #expect(try await tool.keys("identity.jwks").count == 1, "\(call)")
      }
      let enrolment = try await tool.succeed(enrol)
      #expect(enrolment.text.hasPrefix(#"{"v":1,"topic":"com.example.app""#), "\(call)")
      #expect(
        try tool.names == ["device.jwks", "identity.jwks", "sender.jwks", "sender.pub.jwks"], "\(call)")
    }
  }

  @Test func registrations() async throws {
    try await tool.succeed("\(enrol) --now \(start) --out first.json")
    try await tool.register(tool.contents("first.json"), accept: taking, enrol: enrol)
    try await tool.succeed("\(enrol) --now \(start) --out second.json")
    let old = try tool.contents("registrations")
    try await killAtEachCall("\(accept) second.json") {
      try tool.write(old, to: "registrations")
    } after: { (call) async throws in
      let isOld = try tool.contents("registrations") == old
      let change = try await tool.succeed("\(accept) second.json").text
      #expect(change.contains(isOld ? #""change":"updated""# : #""change":"unchanged""#), "\(call)")
    }
    #expect(
      try tool.names == [
        "device.jwks", "first.json", "identity.jwks", "registrations", "second.json", "sender.jwks",
        "sender.pub.jwks",
      ])
  }

  @Test func whatTheDiskDoesNotConfirmIsNoKeyFile() async throws {
    try await tool.succeed("\(enrol) --now \(start) --out first.json")
    let run = try await Strace(tool: tool, line: "\(accept) first.json").run("inject=fsync:error=EIO:when=2")
    guard let run else { return }
    #expect(run.status == 1 && run.hint == nil)
    #expect(run.error == "registrations is changed, but the disk did not confirm it")
  }

  @Test func aDeviceThatTakesASet() async throws {
    try await tool.succeed("keys new --role root --out root.jwks")
    try await tool.succeed("keys export --keys root.jwks --out root.pub.jwks")
    let sign =
      "keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic) --now \(start) --out"
    try await tool.succeed("\(sign) first")
    let accept = "keys accept --senders senders --root root.pub.jwks \(Pair.topic) --in"
    try await killAtEachCall("\(sign) second --force") {
    } after: { (call) async throws in
      #expect(try await tool.keys("root.jwks").count == 1, "\(call)")
    }
    try await tool.succeed("\(sign) second --force")
    try await tool.succeed("\(accept) first")
    let old = try tool.contents("senders")
    try await killAtEachCall("\(accept) second") {
      try tool.write(old, to: "senders")
    } after: { (call) async throws in
      let isOld = try tool.contents("senders") == old
      let change = try await tool.succeed("\(accept) second").text
      #expect(change.contains(isOld ? #""change":"updated""# : #""change":"unchanged""#), "\(call)")
    }
    let names = try tool.names
    #expect(!names.contains { $0.hasSuffix(".tmp") })
  }
}
