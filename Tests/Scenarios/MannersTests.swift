import Foundation
import Glibc
import TestSupport
import Testing

@testable import PushCommands

@Suite("The tool's manners", .serialized)
struct MannersTests {
  @Test func noCommandIsAnError() async throws {
    let tool = try Tool()
    let help = try await tool.succeed("--help").text
    let run = try await tool.run(words: [])
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors == "sealpush: error: no command is given\n\n" + help)
  }

  @Test func argumentsThatTheToolCannotSee() async throws {
    let tool = try Tool()
    let hide = "mount -t tmpfs none /proc && exec '\(Tool.binary)' keys list --keys device.jwks"
    let run = try await tool.execute(["unshare", "-m", "/bin/sh", "-c", hide])
    guard !run.errors.contains("unshare"), !run.errors.contains("mount:") else {
      return print("Not tested: nothing can be mounted here.")
    }
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.error == "no command is given")
    #expect(run.hint == "arguments are read from /proc/self/cmdline: mount /proc")
  }

  @Test(arguments: ["keys", "attach", "vectors", "keys -q"]) func aGroupIsNoCommand(line: String) async throws
  {
    let tool = try Tool()
    let group = line.split(separator: " ")[0]
    let run = try await tool.run(line)
    #expect(run.status == 64 && run.output.isEmpty)
    let page = try await tool.succeed("\(group) --help").text
    #expect(run.errors == "sealpush: error: '\(group)' has several commands: choose one\n\n" + page)
  }

  @Test(arguments: [
    ("Seal", "seal"), ("seal2 --in -", "seal"), ("sael --in -", "seal"),
    ("keys roate --keys device.jwks", "keys rotate"),
    ("key rotate", "keys rotate"), ("rotate --keys device.jwks", "keys rotate"),
    ("attach opne", "attach open"),
    ("help simluate", "simulate"),
  ])
  func aCommandThatWasMeant(line: String, meant: String) async throws {
    let run = try await Tool().refuse(line, 64, "there is no command '")
    #expect(run.hint == "did you mean \(meant)? sealpush --help lists the commands")
  }

  @Test(arguments: [
    ("seal --tpoic a.b", "--topic"), ("seal --recipient FILE", "--recipients"),
    ("open --sender FILE", "--senders"),
    ("keys list --kesy device.jwks", "--keys"), ("keys rotate --dryrun", "--dry-run"),
    ("demo --queit", "--quiet"),
  ])
  func anOptionThatWasMeant(line: String, meant: String) async throws {
    let run = try await Tool().refuse(line, 64, "there is no option '--")
    #expect(run.hint?.hasPrefix("did you mean \(meant)? sealpush ") == true, "\(run.errors)")
  }

  @Test func nothingIsMeantByWhatIsFarFromAll() async throws {
    for (line, page) in [
      ("seal --frobnicate", "seal"), ("keys list -j", "keys list"), ("keys list --", "keys list"),
    ] {
      #expect(try await Tool().refuse(line, 64, "there is no option '").hint == "sealpush \(page) --help")
    }
  }

  @Test func howFarWordsAreApart() {
    let pairs = [
      ("seal", "seal", 0), ("sael", "seal", 1), ("sel", "seal", 1), ("seall", "seal", 1), ("", "ab", 2),
      ("open", "opne", 1), ("abcd", "badc", 2), ("kitten", "sitting", 3),
    ]
    for (one, other, distance) in pairs {
      #expect(Suggestion.distance(from: one, to: other) == distance)
      #expect(Suggestion.distance(from: other, to: one) == distance)
    }
  }

  @Test(.timeLimit(.minutes(1))) func aWordThatIsLong() async throws {
    let word = String(repeating: "-", count: 100_000)
    try await Tool().run(words: ["keys", "k" + word]).expectRefusal("a long word", 64)
    try await Tool().run(words: ["keys", "list", word]).expectRefusal("a long option", 64)
  }

  @Test func aPublicSetWhereAPrivateOneIsNeeded() async throws {
    let pair = try await Pair()
    try pair.tool.setMode(0o644, of: "sender.pub.jwks")
    let seal = "seal --to device.pub.jwks --from sender.pub.jwks \(Pair.topic) --in payload.json"
    let others = ["list", "doctor", "rotate", "export"].map { "keys \($0) --keys sender.pub.jwks" }
    for line in [seal] + others {
      let run = try await pair.tool.refuse(
        line, 65, "sender.pub.jwks: key 0 is public, but a private key is needed")
      #expect(run.hint == "use the file that keys new made, not the output of keys export")
    }
    // Where others can replace it, too; but private keys there are told about their place.
    try pair.tool.setMode(0o777, of: ".")
    try await pair.tool.refuse(seal, 65, "key 0 is public")
    try await pair.tool.refuse("keys list --keys sender.jwks", 77, "others can replace sender.jwks: ")
    try pair.tool.setMode(0o700, of: ".")
    try pair.tool.setMode(0o644, of: "sender.jwks")
    let run = try await pair.tool.refuse(
      "keys list --keys sender.jwks", 77, "can be read or written by others")
    #expect(run.hint == "chmod 600 sender.jwks")
  }

  @Test func tooLargeNamesWhatHelps() async throws {
    let pair = try await Pair()
    let body = String(repeating: "a", count: 5000)
    let payload = #"{"aps":{"alert":{"body":"\#(body)"}}}"#
    let advice = "; --fit truncate shortens the body"
    let run = try await pair.tool.refuse(pair.seal, 65, advice, input: .text(payload))
    #expect(run.hint == "sealpush inspect --capacity shows what fits")
    try await pair.tool.succeed("\(pair.seal) --fit truncate", input: .text(payload))
    let line = #"{"payload":\#(payload)}"# + "\n"
    let lines = try await pair.tool.run("\(pair.seal) --lines", input: .text(line))
    #expect(lines.status == 65 && lines.errors.contains(advice), "\(lines.errors)")
    // A title that is too long is not what it shortens.
    let title = #"{"aps":{"alert":{"title":"\#(body)","body":"a"}}}"#
    let long = try await pair.tool.refuse("\(pair.seal) --fit truncate", 65, "too large", input: .text(title))
    #expect(long.error?.contains("--fit") == false)
  }
}
