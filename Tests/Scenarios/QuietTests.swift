import Foundation
import TestSupport
import Testing

/// `--quiet`, for jobs whose output is mailed to somebody.
@Suite("Jobs that are quiet", .serialized)
struct QuietTests {
  /// What works, and says so.
  private static let news = [
    "keys doctor --keys device.jwks --public device.pub.jwks",
    "keys rotate --keys device.jwks --if-older-than 30d --out device.pub.jwks --force",
    "keys rotate --keys device.jwks --out device.pub.jwks --force",
    "keys rotate --keys sender.jwks --again --dry-run",
    "keys rotate --keys sender.jwks --again --out new.pub.jwks", "keys prune --keys device.jwks",
    "keys confirm --keys device.jwks --enrolment enrolment", "keys new --role device --out new.jwks",
    "keys passphrase --keys sender.jwks --new-passphrase-file passphrase",
    "keys import --keys new.jwks --role device --format raw --in raw",
    "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)",
    "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience) --dry-run",
    "keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic)",
    "keys forget --registrations registrations --registration ada",
  ]

  private func stage() async throws -> Pair {
    let pair = try await Pair()
    let tool = pair.tool
    try tool.write("correct horse\n", to: "passphrase")
    try tool.write(Array(repeating: 7, count: 32), to: "raw")
    try await tool.succeed("keys new --role root --out root.jwks --now \(start)")
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)"
    try await tool.succeed("\(enrol) --out enrolment --now \(start)")
    let run = try await tool.run(
      "keys accept --registrations registrations --registration ada --new \(Tool.backend) --in enrolment --now \(start)"
    )
    try #require(run.status == 75)
    return pair
  }

  @Test(arguments: news) func goodNewsIsNotTold(line: String) async throws {
    let line = line.contains("doctor") || line.contains("rotate") ? "\(line) --now \(start)" : line
    let told = try await stage().tool.succeed(line)
    #expect(!told.errors.isEmpty)
    for flag in ["--quiet", "-q"] {
      let run = try await stage().tool.succeed("\(line) \(flag)")
      #expect(run.errors.isEmpty, "\(line): \(run.errors)")
      #expect(run.output.isEmpty == told.output.isEmpty, "\(line): \(run.text)")
    }
  }

  @Test func aHealthyNightWritesNothing() async throws {
    let pair = try await stage()
    let line = #"{"payload":{"aps":{"alert":{"title":"Ada","body":"Lunch?"}}}}"# + "\n"
    try pair.tool.write(line, to: "jobs")
    let night = """
      set -e
      sealpush keys rotate --keys device.jwks --if-older-than 30d --out device.pub.jwks --force --quiet --now \(start)
      sealpush keys prune --keys device.jwks --quiet --now \(start)
      sealpush keys doctor --keys device.jwks --public device.pub.jwks --quiet --now \(start)
      sealpush keys rotate --keys sender.jwks --again --out sender.pub.jwks --force --quiet --now \(start)
      sealpush keys doctor --keys sender.jwks --senders sender.pub.jwks --quiet --now \(start)
      sealpush \(pair.seal) --lines --in jobs --out sealed --errors errors --quiet --now \(start)
      """
    let run = try await pair.tool.shell(night)
    #expect(run.status == 0 && run.errors.isEmpty && run.output.isEmpty, "\(run.errors) \(run.text)")
    #expect(try !pair.tool.contents("sealed").isEmpty && pair.tool.contents("errors").isEmpty)
  }

  @Test func problemsAreTold() async throws {
    let pair = try await stage()
    let tool = pair.tool
    try await tool.refuse("keys list --keys nowhere --quiet", 66, "there is no nowhere")
    // A warning, a finding, a cut, a loss, and a line that is not sealed.
    let warned = #"{"aps":{"alert":{"title":"Ada","body":"Lunch?"}},"chat":null}"#
    #expect(try await tool.succeed("\(pair.seal) -q", input: .text(warned)).errors.contains("null-dropped"))
    let late = "--keys device.jwks --now \(start + 100 * day)"
    #expect(try await tool.succeed("keys doctor \(late) -q").text.contains("old-active-key"))
    let long = #"{"aps":{"alert":{"body":"\#(String(repeating: "a", count: 5000))"}}}"#
    let cut = try await tool.succeed("\(pair.seal) --fit truncate -q", input: .text(long))
    #expect(cut.errors.hasPrefix("sealpush: note: "))
    let line = try await tool.run("\(pair.seal) --lines -q", input: .text("{}\n"))
    #expect(
      line.status == 65 && line.errors.contains("error: line 1: ") && line.errors.contains("1 of 1 lines"))
    let key = try #require(try await tool.keys("device.jwks").first).kid
    let revoked = try await tool.succeed("keys revoke --keys device.jwks --kid=\(key) -q --now \(start)")
    #expect(revoked.errors.hasPrefix("sealpush: lost: ") && !revoked.errors.contains("destroyed"))
    let export = "keys export --keys device.jwks --format raw --private --out raw --force -q"
    #expect(try await tool.succeed(export).errors.contains("contains the private key"))
  }

  @Test func resultsAreTold() async throws {
    let pair = try await stage()
    #expect(try await pair.tool.succeed("keys list --keys device.jwks -q").lines.count == 2)
    #expect(try await pair.tool.succeed("\(pair.seal) --in payload.json -q").text.contains("ENCRYPTED_DATA"))
    #expect(try await pair.tool.succeed("keys rotate --keys device.jwks -q").text.contains(#""kty""#))
    let accept =
      "keys accept --registrations registrations --registration ada \(Tool.backend) --in enrolment -q"
    let pending = try await pair.tool.run("\(accept) --now \(start)")
    #expect(pending.status == 75 && pending.errors.isEmpty && pending.text.contains(#""change":"pending""#))
  }
}
