import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sending through the stand-in for APNs", .hangGuard)
struct SendTests {
  private static let daemon = Tool.binary + "d"

  private static let payload = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#

  private static let common =
    "--from sender.jwks --topic com.example.app --key-file AuthKey_ABCDE12345.p8 --team-id FGHIJ67890 "

  /// A stand-in that serves, in a folder that has the sender's keys and a team's.
  private struct Scene {
    let tool: Tool
    let child: Child
    let port: Int
    let page: String
    let token: String

    init(_ tool: Tool) async throws {
      self.tool = tool
      try await SendTests.makeKeys(tool)
      let words =
        "--json --port 0 --page 0 --topic com.example.app --keys device.jwks --senders sender.pub.jwks"
      let surroundings = try tool.surroundings()
      let child = try Child(
        [daemon, "apns"] + words.split(separator: " ").map(String.init), in: surroundings)
      self.child = child
      let output = URL(fileURLWithPath: surroundings.output)
      try await HangGuard.wait(for: "the stand-in") {
        try #require(child.check() == nil)
        return try Data(contentsOf: output).last == UInt8(ascii: "\n")
      }
      struct Place: Decodable {
        struct Phone: Decodable { let token: String }
        let port: Int
        let page: String
        let phones: [Phone]
      }
      let place = try JSONDecoder().decode(Place.self, from: Data(contentsOf: output))
      (port, page, token) = (place.port, place.page, place.phones[0].token)
    }

    func send(
      _ words: String, trust: String = "--trust apns-root.pem", input: Tool.Input = .text(payload)
    ) async throws -> Run {
      let line = common + "--key-id ABCDE12345 --endpoint 127.0.0.1:\(port) \(trust) \(words)"
      return try await tool.execute(
        [daemon, "send"] + line.split(separator: " ").map(String.init), input: input)
    }

    /// Whether the page shows that a person sees a text.
    func shows(_ text: String) async throws -> Bool {
      let words = ["/bin/sh", "-c", "curl -sSN \(page)events | grep -m 1 '\(text)'"]
      return try await tool.execute(words).text.contains(text)
    }

    func end() async throws {
      child.send(SIGTERM)
      #expect(try await child.wait() == .exited(0))
    }
  }

  private static func makeKeys(_ tool: Tool) async throws {
    try await tool.succeed("keys new --role sender --out sender.jwks")
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks")
    let words = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABCDE12345.p8"
    let made = try await tool.execute(words.split(separator: " ").map(String.init))
    try #require(made.status == 0, "\(made.errors)")
    let status = unsafe chmod(tool.folder + "/AuthKey_ABCDE12345.p8", 0o600)
    try #require(status == 0)
  }

  private struct Line: Decodable {
    let line: Int
    let id: String?
    let device: String?
    let status: Int?
    let verdict: String?
    let reason: String?
    let error: String?
  }

  private func lines(_ run: Run) throws -> [Line] {
    try run.text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      .sorted { $0.line < $1.line }
  }

  @Test("a payload is sealed and delivered, APNs' answer is printed, and the phone shows it")
  func story() async throws {
    let scene = try await Scene(try Tool())
    let run = try await scene.send("--to device.pub.jwks --token \(scene.token) --sandbox")
    #expect(run.status == 0 && run.text.hasPrefix("accepted by APNs: "), "\(run.errors)")
    #expect(try await scene.shows("Lunch at noon?"))
    try await scene.end()
  }

  @Test("a device of the recipients file has its token, its environment and its keys there")
  func recipients() async throws {
    let scene = try await Scene(try Tool())
    let keys = try String(contentsOfFile: scene.tool.folder + "/device.pub.jwks", encoding: .utf8)
    let line =
      #"{"v":1,"topic":"com.example.app","environment":"sandbox","token":"\#(scene.token)","keys":\#(keys)}"#
    try line.replacing("\n", with: "").appending("\n").write(
      toFile: scene.tool.folder + "/devices", atomically: true, encoding: .utf8)
    let run = try await scene.send("--recipients devices --device \(scene.token)")
    #expect(run.status == 0 && run.text.hasPrefix("accepted by APNs: "), "\(run.errors)")

    let jobs = """
      {"id":"a","to":"\(scene.token)","payload":{"aps":{"alert":"Tea at four?"}}}
      {"id":"b","to":"nobody","payload":{"aps":{"alert":"Tea"}}}
      {"id":"c","to":["\(scene.token)"],"payload":{"aps":{"alert":"Supper at six?"}}}
      """
    let sent = try await scene.send("--lines --recipients devices", input: .text(jobs))
    #expect(sent.status == 65 && sent.errors.contains("1 of 3 pushes were not accepted"), "\(sent.errors)")
    let answers = try lines(sent)
    #expect(answers.map(\.id) == ["a", "b", "c"] && answers.map(\.line) == [1, 2, 3])
    #expect(answers.map(\.status) == [200, nil, 200] && answers[1].error == "unknown-recipient")
    #expect(answers[2].device == scene.token && answers[2].verdict == "accepted")
    #expect(try await scene.shows("Supper at six?"))
    try await scene.end()
  }

  @Test("what APNs refuses, and a server that is not to be trusted, have their words and statuses")
  func refusedByAPNs() async throws {
    let scene = try await Scene(try Tool())
    let other = try await scene.send("--to device.pub.jwks --token 00ff --sandbox")
    #expect(other.status == 65 && other.output.isEmpty)
    #expect(other.errors.contains("APNs refused the push: 400 BadDeviceToken: the token is of the other"))
    let jobs = #"{"payload":\#(Self.payload)}"#
    let line = try await scene.send(
      "--lines --to device.pub.jwks --token 00ff --sandbox", input: .text(jobs))
    let answers = try lines(line)
    #expect(line.status == 65 && answers.count == 1 && answers[0].reason == "BadDeviceToken")
    #expect(answers[0].verdict == "quarantine-device")
    // Nobody gets what is sealed to another's key.
    let keys = try String(contentsOfFile: scene.tool.folder + "/device.pub.jwks", encoding: .utf8)
    let stranger = try await scene.send(
      "--lines --to device.pub.jwks --token 00ff --sandbox",
      input: .text(#"{"to":\#(keys.replacing("\n", with: "")),"payload":\#(Self.payload)}"#))
    #expect(try lines(stranger).map(\.error) == ["no-token"], "\(stranger.text)")
    let untrusted = try await scene.send(
      "--to device.pub.jwks --token \(scene.token) --sandbox --timeout 1s", trust: "")
    #expect(untrusted.errors.contains("hint: to try it again, and have the phone show one: --message-id "))
    let unsent = try await scene.send(
      "--lines --to device.pub.jwks --token \(scene.token) --sandbox --timeout 1s", trust: "",
      input: .text(jobs))
    #expect(unsent.status == 75, "\(unsent.errors)")
    #expect(untrusted.status == 75 && untrusted.errors.contains("the server's certificate was refused"))
    try await scene.end()
  }

  @Test(
    "what cannot be sent is refused with its status, before anything is",
    arguments: [
      ("--key-id ABCDE12345", 64, "give --to FILE and --token HEX"),
      ("--key-id ABCDE12345 --to sender.pub.jwks", 64, "give --to FILE and --token HEX"),
      ("--key-id ABCDE12345 --to a --device b", 64, "--to and --device exclude each other"),
      ("--key-id ABCDE12345 --device b", 64, "--device needs --recipients"),
      ("--key-id ABCDE12345 --token xyz", 64, "--token: "),
      ("--key-id abc", 64, "--key-id: the key ID must have"),
      ("--key-id ABCDE12345 --endpoint localhost", 64, "--endpoint is a host and a port"),
      ("--key-id ABCDE12345 --endpoint :2197", 64, "--endpoint: '' is no name and no IP address"),
      ("--key-id ABCDE12345 --endpoint a/b:2197", 64, "--endpoint: 'a/b' is no name and no IP address"),
      ("--key-id ABCDE12345 --lines --endpoint .a:2197", 64, "--endpoint: '.a' is no name"),
      ("--key-id ABCDE12345 --trust sender.pub.jwks", 65, "sender.pub.jwks is not a certificate in PEM"),
      ("--key-id ABCDE12345 --lines --message-id x", 64, "--message-id and --lines exclude each other"),
      ("", 64, "--key-id ID is missing"),
    ])
  func refused(_ words: String, _ status: Int32, _ message: String) async throws {
    let tool = try Tool()
    try await Self.makeKeys(tool)
    let line = "send " + Self.common + words
    let run = try await tool.execute(
      [Self.daemon] + line.split(separator: " ").map(String.init), input: .text(Self.payload))
    #expect(run.status == status && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.hasPrefix("sealpushd: error: \(message)"), "\(run.errors)")
  }

  @Test(
    "the team's key is its owner's alone, and a P-256 key",
    arguments: [("0644", 77), ("none", 66), ("text", 65)])
  func teamKey(_ kind: String, _ status: Int32) async throws {
    let tool = try Tool()
    try await Self.makeKeys(tool)
    let path = tool.folder + "/AuthKey_ABCDE12345.p8"
    switch kind {
    case "0644": _ = unsafe chmod(path, 0o644)
    case "none": try FileManager.default.removeItem(atPath: path)
    default: try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
    }
    let line = "send " + Self.common + "--key-id ABCDE12345 --to sender.pub.jwks --token 00ff"
    let run = try await tool.execute([Self.daemon] + line.split(separator: " ").map(String.init))
    #expect(run.status == status && run.errors.contains("AuthKey_ABCDE12345.p8"), "\(run.errors)")
  }
}
