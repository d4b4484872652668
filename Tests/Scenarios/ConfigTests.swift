import Foundation
import Glibc
import TestSupport
import Testing

/// Defaults from a file, for what decides whom the tool trusts.
@Suite("The configuration file", .serialized)
struct ConfigTests {
  private static let all =
    #"{"topic":"com.example.app","from":"keys/sender.jwks","senders":"keys/sender.pub.jwks"}"#
  private static let seal = "seal --to device.pub.jwks --in payload.json"
  private static let open = "open --keys device.jwks"

  private let pair: Pair
  private var tool: Tool { pair.tool }

  init() async throws {
    pair = try await Pair()
    try #require(unsafe mkdir(tool.path("keys"), 0o700) == 0)
    for name in ["sender.jwks", "sender.pub.jwks"] {
      try FileManager.default.moveItem(atPath: tool.path(name), toPath: tool.path("keys/\(name)"))
    }
  }

  /// What `config --json` writes.
  private struct Shown: Decodable {
    struct Default: Decodable {
      let value: String
      let source: String
    }
    let file: String?
    let found: String?
    let topic: Default?
    let from: Default?
    let senders: Default?
  }

  @Test func itProvidesWhatIsNotGiven() async throws {
    try await tool.refuse(Self.seal, 64, "--topic ID is missing")
    try tool.write(Self.all, to: "sealpush.json")
    let sealed = try await tool.succeed(Self.seal)
    for command in [Self.open, "simulate --keys device.jwks"] {
      let opened = try await tool.succeed(command, input: .bytes(sealed.output))
      #expect(opened.text.contains("Lunch at noon?") && !opened.errors.contains("sealpush.json"))
    }
    let lines = try await tool.succeed(
      "seal --lines --to device.pub.jwks", input: .text(#"{"payload":\#(sample)}"# + "\n"))
    #expect(lines.lines.count == 1)
    #expect(
      try await tool.succeed("inspect --keys device.jwks", input: .bytes(sealed.output)).text.contains(
        "padding"))
  }

  @Test func whatIsGivenWins() async throws {
    try tool.write(
      #"{"topic":"com.example.other","from":"nowhere","senders":"nowhere"}"#, to: "sealpush.json")
    let sealed = try await tool.succeed("\(Self.seal) \(Pair.topic) --from keys/sender.jwks")
    let open = "\(Self.open) \(Pair.topic)"
    let opened = try await tool.succeed(
      "\(open) --senders keys/sender.pub.jwks", input: .bytes(sealed.output))
    #expect(opened.text == sample + "\n" || opened.text == sample)
    // What the file has is not named if the command has not used it.
    try tool.write(#"{"topic":"com.example.other"}"#, to: "sealpush.json")
    let unsigned = try await tool.refuse("\(Self.seal) \(Pair.topic)", 64, "--from")
    #expect(!unsigned.errors.contains("sealpush.json"))
    // An anonymous message has no sender, and trusts none.
    let anonymous = try await tool.succeed("\(Self.seal) \(Pair.topic) --anonymous")
    try await tool.succeed("\(open) --anonymous", input: .bytes(anonymous.output))
    try await tool.refuse("\(Self.open) --anonymous", 65, "'topic'", input: .bytes(anonymous.output))
  }

  /// A command that works without the file does the same beside it, even if the file is broken.
  @Test func nothingElseDependsOnIt() async throws {
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience) --now \(start)"
    let enrolment = try await tool.succeed(enrol)
    try tool.write(#"{"topic":"com.example.other","senders":"keys/sender.pub.jwks"}"#, to: "sealpush.json")
    // It would reject an enrolment for another app, answer a request, or look into a copy.
    let accept = "keys accept --registrations registrations --new --audience https://push.example.com"
    let run = try await tool.run(
      "\(accept) --from keys/sender.jwks --now \(start)", input: .bytes(enrolment.output))
    #expect(run.status == 75, "\(run.errors)")
    try await tool.succeed(enrol)
    try await tool.succeed("keys doctor --keys device.jwks --now \(start)")
    try tool.write("{", to: "sealpush.json")
    // A policy is for each message, so seal looks for one, unless it is given.
    try await tool.refuse("\(Self.seal) \(Pair.topic) --anonymous", 65, "sealpush.json is not strict JSON")
    let policy = "--post-quantum preferred"
    try await tool.succeed("\(Self.seal) \(Pair.topic) --from keys/sender.jwks \(policy)")
    try await tool.succeed("\(Self.seal) \(Pair.topic) --anonymous \(policy)")
    for line in ["inspect --capacity", "inspect --capacity --keys device.jwks"] {
      try await tool.succeed(line)
    }
    try await tool.succeed("keys doctor --keys device.jwks --root device.pub.jwks --now \(start)")
    try tool.write("secret\n", to: "password")
    try await tool.succeed(
      "seal --format openssl-salted --secret password --unauthenticated --in payload.json")
    try await tool.refuse(Self.seal, 65, "sealpush.json is not strict JSON")
  }

  @Test func whereItIs() async throws {
    for name in ["option", "environment"] {
      try #require(unsafe mkdir(tool.path(name), 0o700) == 0)
      try tool.write(
        #"{"topic":"com.example.\#(name)","from":"a.jwks","senders":"/b.jwks"}"#, to: "\(name)/c.json")
    }
    let none: Shown = try await tool.succeed("config --json").json()
    #expect(none.file == nil && none.found == nil && none.topic == nil)
    #expect(try await tool.succeed("config").text.hasPrefix("no file: "))
    try tool.write(Self.all, to: "sealpush.json")
    let environment = ["SEALPUSH_CONFIG": "environment/c.json"]
    let lines: [(String, [String: String], file: String, found: String)] = [
      ("config --json", [:], "sealpush.json", "folder"),
      ("config --json", ["SEALPUSH_CONFIG": ""], "sealpush.json", "folder"),
      ("config --json", environment, "environment/c.json", "SEALPUSH_CONFIG"),
      ("config --json --config option/c.json", environment, "option/c.json", "--config"),
    ]
    for (line, environment, file, found) in lines {
      let shown: Shown = try await tool.run(line, environment: environment).json()
      #expect(shown.file == file && shown.found == found && shown.topic?.source == "\(file): topic")
      guard found != "folder" else { continue }
      let folder = file.prefix { $0 != "/" }
      #expect(shown.topic?.value == "com.example.\(folder)" && shown.from?.value == "\(folder)/a.jwks")
      #expect(shown.senders?.value == "/b.jwks" && shown.senders?.source == "\(file): senders")
    }
    let text = try await tool.succeed("config --config option/c.json").text
    #expect(text.hasPrefix("file: option/c.json, named by --config\n"))
    #expect(text.contains("--from          option/a.jwks       option/c.json: from\n"), "\(text)")
    try await tool.refuse(
      "\(Self.seal) --config option/c.json", 66, "there is no option/a.jwks (option/c.json: 'from')")
  }

  @Test func whatIsWrongWithIt() async throws {
    let faults = [
      ("[]", "is not strict JSON"),
      ("{\n  \"topic\": x", "is not strict JSON: unexpected-byte at line 2, column 12"),
      (#"{"topic":"a","topic":"b"}"#, "is not strict JSON"),
      (#"{"topik":"com.example.app"}"#, "'topik' is unknown"),
      (#"{"to":"device.pub.jwks"}"#, "'to' is unknown"),
      (#"{"topic":1}"#, "'topic' is not a string"), (#"{"topic":""}"#, "'topic' is not a string"),
      (#"{"topic":"a b"}"#, "'topic' must be a bundle ID"), (#"{"from":null}"#, "'from' is not a string"),
      (#"{"topic":"com.example.app.voip"}"#, "'topic' must be the bundle ID alone"),
      (#"{"passphrase":"correct horse"}"#, "has 'passphrase', but a configuration file is never for secrets"),
      (#"{"secret":"x"}"#, "never for secrets"), (#"{"keys":"device.jwks"}"#, "never for secrets"),
      (#"{"from":"{\"keys\":[]}"}"#, "'from' must be the path of a file, not what is in it"),
      (#"{"from":"-----BEGIN PRIVATE KEY-----"}"#, "not what is in it"),
      (#"{"senders":"-"}"#, "not what is in it"), (#"{"senders":"a\nb"}"#, "not what is in it"),
      (#"{"topic":"\#(String(repeating: "a", count: 1 << 16))"}"#, "is longer than 65536 bytes"),
    ]
    for (text, message) in faults {
      try tool.write(text, to: "sealpush.json")
      for line in ["config", Self.seal] {
        let run = try await tool.refuse(line, 65, message)
        #expect(run.error?.hasPrefix("sealpush.json") == true && !run.errors.contains("correct horse"))
      }
    }
    try await tool.refuse("config --config nowhere.json", 66, "there is no nowhere.json")
    try await tool.refuse("\(Self.seal) --config nowhere.json \(Pair.topic) --anonymous", 66, "nowhere.json")
    try await tool.refuse("config --config keys", 66, "keys")
    try await tool.refuse("config --config -", 64, "--config must be a file")
    try await tool.refuse("keys list --keys device.jwks --config x", 64, "there is no option '--config' here")
  }

  @Test func errorsNameWhatCameFromIt() async throws {
    try tool.write(
      #"{"topic":"com.example.app","from":"nowhere","senders":"device.pub.jwks"}"#, to: "sealpush.json")
    let missing = try await tool.refuse(Self.seal, 66)
    #expect(missing.error == "there is no nowhere (sealpush.json: 'from')")
    let sealed = try await tool.succeed("\(Self.seal) --anonymous").output
    let role = try await tool.refuse(Self.open, 65, input: .bytes(sealed))
    #expect(
      role.error == "device.pub.jwks has a device's keys, but senders' are needed (sealpush.json: 'senders')")
    // Where the error names neither, each may be its reason.
    try tool.write(#"{"topic":"com.example.other","senders":"keys/sender.pub.jwks"}"#, to: "sealpush.json")
    let run = try await tool.refuse(Self.open, 65, input: .bytes(sealed))
    #expect(run.error?.hasSuffix(" (sealpush.json: 'topic', 'senders')") == true, "\(run.errors)")
  }

  @Test func itIsNotWrittenOver() async throws {
    try tool.write(Self.all, to: "other.json")
    let line = "\(Self.seal) --config other.json --out"
    try await tool.refuse("\(line) other.json --force", 64, "--out and --config are the same file")
    try await tool.refuse("\(line) keys/sender.jwks --force", 64, "--out and --from are the same file")
  }

  @Test(arguments: [0o620, 0o602, 0o666] as [mode_t]) func othersCanChangeIt(mode: mode_t) async throws {
    try tool.write(Self.all, to: "sealpush.json")
    try tool.setMode(mode, of: "sealpush.json")
    for line in ["config", Self.seal, Self.open] {
      let run = try await tool.refuse(line, 77, "others can change sealpush.json, which has mode 0")
      #expect(run.hint == "chmod go-w sealpush.json")
    }
    // Others may know it.
    try tool.setMode(0o644, of: "sealpush.json")
    try await tool.succeed(Self.seal)
  }

  @Test func othersCanReplaceIt() async throws {
    try #require(unsafe mkdir(tool.path("shared"), 0o777) == 0)
    try tool.setMode(0o777, of: "shared")
    try tool.write(#"{"topic":"com.example.app","from":"../keys/sender.jwks"}"#, to: "shared/c.json")
    try await tool.refuse(
      "\(Self.seal) --config shared/c.json", 77, "others can replace shared/c.json: ")
    // There a name is its owner's alone to exchange, as in /tmp.
    try tool.setMode(0o1777, of: "shared")
    try await tool.succeed("\(Self.seal) --config shared/c.json")
    // A link that is ours leads to it as well.
    try #require(unsafe symlink("shared/c.json", tool.path("sealpush.json")) == 0)
    try tool.setMode(0o777, of: "shared")
    try await tool.refuse("config", 77, "others can replace sealpush.json: ")
  }

  @Test func itIsAnotherUsers() async throws {
    guard geteuid() == 0 else { return print("Not tested: only root can give files away.") }
    try tool.write(Self.all, to: "sealpush.json")
    try #require(unsafe chown(tool.path("sealpush.json"), 65534, 65534) == 0)
    for line in ["config", Self.seal] {
      try await tool.refuse(
        line, 77, "sealpush.json belongs to another user (65534), who could decide whom to trust")
    }
    let given = "\(Pair.topic) --from keys/sender.jwks"
    try await tool.refuse("\(Self.seal) \(given)", 77, "belongs to another user")
    try await tool.succeed("\(Self.seal) \(given) --post-quantum preferred")
  }

  @Test func defaultsOfEnrolmentsAndSignedSets() async throws {
    try tool.write(Self.all, to: "sealpush.json")
    try await tool.succeed("keys new --role root --out root.jwks --now \(start)")
    try await tool.succeed("keys export --keys root.jwks --out root.pub.jwks")
    // What a root signs is always given.
    let sign = "keys sign-senders --keys root.jwks --out set --now \(start)"
    try await tool.refuse(sign, 64, "--senders FILE is missing")
    let signed = try await tool.succeed("\(sign) --senders keys/sender.pub.jwks")
    #expect(signed.errors.contains("signed for com.example.app"))
    // What a device stores, too; only the topic is a default.
    try await tool.succeed("keys accept --senders stored --root root.pub.jwks --in set --now \(start)")
    try await tool.refuse("keys accept --root root.pub.jwks --in set", 64, "give either --registrations")
    try await tool.succeed(
      "keys doctor --keys root.jwks --senders stored --root root.pub.jwks --now \(start)")
    // An enrolment and its answer.
    let enrol = "keys enrol --keys device.jwks --token 00ff \(Tool.audience) --now \(start)"
    try await tool.succeed("\(enrol) --out enrolment")
    let accept =
      "keys accept --registrations registrations --registration ada --new \(Tool.audience) --now \(start)"
    let pending = try await tool.run("\(accept) --in enrolment --request request")
    #expect(pending.status == 75, "\(pending.errors)")
    try await tool.succeed("\(enrol) --answer request --out answer")
    #expect(try await tool.succeed("\(accept) --in answer").text.contains(#""change":"registered""#))
  }
}
