import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Sending through the stand-in for APNs", .hangGuard)
struct SendTests {
  private static let payload = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#

  private static let common =
    "--from sender.jwks --topic com.example.app --key-file AuthKey_ABCDE12345.p8 --team-id FGHIJ67890 "

  private func send(
    _ scene: StandInScene, _ words: String, trust: String = "--trust apns-root.pem",
    input: Tool.Input = .text(payload)
  ) async throws -> Run {
    let line =
      "send \(Self.common) --key-id ABCDE12345 --endpoint 127.0.0.1:\(scene.port) \(trust) \(words)"
    return try await scene.tool.daemon(line, input: input)
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
    let scene = try await StandInScene(try Tool())
    let run = try await send(scene, "--to device.pub.jwks --token \(scene.token) --sandbox")
    #expect(run.status == 0 && run.text.hasPrefix("accepted by APNs: "), "\(run.errors)")
    #expect(try await scene.shows("Lunch at noon?"))
    try (scene.token + "\n").write(toFile: scene.tool.folder + "/token", atomically: true, encoding: .utf8)
    let other = try await send(scene, "--to device.pub.jwks --token-file token --sandbox")
    #expect(other.status == 0 && other.text.hasPrefix("accepted by APNs: "), "\(other.errors)")
    try await scene.end()
  }

  @Test("a device of the recipients file has its token, its environment and its keys there")
  func recipients() async throws {
    let scene = try await StandInScene(try Tool())
    let keys = try String(contentsOfFile: scene.tool.folder + "/device.pub.jwks", encoding: .utf8)
    let line =
      #"{"v":1,"topic":"com.example.app","environment":"sandbox","token":"\#(scene.token)","keys":\#(keys)}"#
    try line.replacing("\n", with: "").appending("\n").write(
      toFile: scene.tool.folder + "/devices", atomically: true, encoding: .utf8)
    let run = try await send(scene, "--recipients devices --device \(scene.token)")
    #expect(run.status == 0 && run.text.hasPrefix("accepted by APNs: "), "\(run.errors)")

    // Another kind of push goes to another token of the same device.
    let voip = try await send(
      scene,
      "--recipients devices --device \(scene.token) --push-type voip --token \(try #require(scene.tokens["voip"]))"
    )
    #expect(voip.status == 0 && voip.text.hasPrefix("accepted by APNs: "), "\(voip.errors)")

    let jobs = """
      {"id":"a","to":"\(scene.token)","payload":{"aps":{"alert":"Tea at four?"}}}
      {"id":"b","to":"nobody","payload":{"aps":{"alert":"Tea"}}}
      {"id":"c","to":["\(scene.token)"],"payload":{"aps":{"alert":"Supper at six?"}}}
      """
    let sent = try await send(scene, "--lines --recipients devices", input: .text(jobs))
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
    let scene = try await StandInScene(try Tool())
    let other = try await send(scene, "--to device.pub.jwks --token 00ff --sandbox")
    #expect(other.status == 65 && other.output.isEmpty)
    #expect(
      other.errors.contains("APNs refused the push: 400 BadDeviceToken: the token belongs to the other"))
    try await scene.press(
      #"{"do":"fault","kind":"refusal","status":400,"reason":"BadPriority","occasion":"next","count":1}"#)
    let useless = try await send(scene, "--to device.pub.jwks --token \(scene.token) --sandbox")
    #expect(useless.status == 65 && useless.errors.contains("400 BadPriority: trying again would not help"))
    #expect(!useless.errors.contains("hint"))
    let jobs = #"{"payload":\#(Self.payload)}"#
    let line = try await send(
      scene, "--lines --to device.pub.jwks --token 00ff --sandbox", input: .text(jobs))
    let answers = try lines(line)
    #expect(line.status == 65 && answers.count == 1 && answers[0].reason == "BadDeviceToken")
    #expect(answers[0].verdict == "quarantine-device")
    // Nobody gets what is sealed to another's key.
    let keys = try String(contentsOfFile: scene.tool.folder + "/device.pub.jwks", encoding: .utf8)
    let stranger = try await send(
      scene, "--lines --to device.pub.jwks --token 00ff --sandbox",
      input: .text(#"{"to":\#(keys.replacing("\n", with: "")),"payload":\#(Self.payload)}"#))
    #expect(try lines(stranger).map(\.error) == ["no-token"], "\(stranger.text)")
    let untrusted = try await send(
      scene, "--to device.pub.jwks --token \(scene.token) --sandbox --timeout 1s", trust: "")
    #expect(
      untrusted.errors.contains("hint: to try it again, and have the phone show only one: --message-id "))
    let unsent = try await send(
      scene, "--lines --to device.pub.jwks --token \(scene.token) --sandbox --timeout 1s", trust: "",
      input: .text(jobs))
    #expect(unsent.status == 75, "\(unsent.errors)")
    #expect(untrusted.status == 75 && untrusted.errors.contains("the server's certificate was refused"))
    try await scene.end()
  }

  @Test("a push that APNs would take later can be sent again under its ID")
  func later() async throws {
    let scene = try await StandInScene(try Tool())
    try await scene.press(
      #"{"do":"fault","kind":"refusal","status":503,"reason":"ServiceUnavailable","occasion":"all"}"#)
    let refused = try await send(scene, "--to device.pub.jwks --token \(scene.token) --sandbox --timeout 1s")
    #expect(
      refused.status == 75 && refused.errors.contains("503 ServiceUnavailable: APNs may accept it later"))
    let waits = "sealpushd: APNs answered 503 ServiceUnavailable; trying again until --timeout is over\n"
    #expect(refused.errors.hasPrefix(waits) && refused.errors.ranges(of: waits).count == 1)
    let id = try #require(refused.errors.firstMatch(of: /--message-id ([0-9a-f-]{36})/)).1
    try await scene.press(#"{"do":"clear-faults"}"#)
    let sent = try await send(
      scene, "--to device.pub.jwks --token \(scene.token) --sandbox --message-id \(id)")
    #expect(sent.status == 0 && sent.text.contains(id), "\(sent.errors)")
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
      ("--key-id ABCDE12345 --endpoint localhost", 64, "--endpoint must be a host and a port"),
      ("--key-id ABCDE12345 --endpoint :2197", 64, "--endpoint: '' is neither a name nor an IP address"),
      (
        "--key-id ABCDE12345 --endpoint a/b:2197", 64, "--endpoint: 'a/b' is neither a name nor an IP address"
      ),
      ("--key-id ABCDE12345 --lines --endpoint .a:2197", 64, "--endpoint: '.a' is neither a name"),
      // The system needs no network to say so.
      ("--key-id ABCDE12345 --endpoint a..b:2197", 64, "--endpoint: there is no host 'a..b'"),
      ("--key-id ABCDE12345 --to a --token 00 --token-file b", 64, "--token and --token-file exclude"),
      ("--key-id ABCDE12345 --lines --device b", 64, "--lines and --device exclude each other"),
      ("--key-id ABCDE12345 --to a --token-file -", 64, "--token-file and --in are both standard input"),
      ("--key-id ABCDE12345 --to a --token-file sender.pub.jwks", 65, "sender.pub.jwks: "),
      (
        "--key-id ABCDE12345 --endpoint localhost:2197 --trust sender.pub.jwks", 65,
        "sender.pub.jwks is not a certificate in PEM"
      ),
      ("--key-id ABCDE12345 --trust sender.pub.jwks", 64, "--trust is for a server that plays APNs"),
      (
        "--key-id ABCDE12345 --endpoint api.push.apple.com:2197 --trust sender.pub.jwks", 64,
        "--trust is for a server that plays APNs"
      ),
      (
        "--key-id ABCDE12345 --endpoint api.push.apple.com:444", 64,
        "--endpoint: Apple's servers have the ports"
      ),
      ("--key-id ABCDE12345 --endpoint localhost:2197 --trust none.pem", 66, "there is no none.pem"),
      ("--key-id ABCDE12345 --endpoint localhost:2197 --trust open.pem", 77, "others can change open.pem"),
      ("--key-id ABCDE12345 --lines --message-id x", 64, "--message-id and --lines exclude each other"),
      ("", 64, "--key-id ID is missing"),
    ])
  func refused(_ words: String, _ status: Int32, _ message: String) async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    try tool.write("", to: "open.pem")
    _ = unsafe chmod(tool.path("open.pem"), 0o666)
    let line = "send " + Self.common + words
    let run = try await tool.daemon(line, input: .text(Self.payload))
    #expect(run.status == status && run.output.isEmpty, "\(run.errors)")
    #expect(run.errors.hasPrefix("sealpushd: error: \(message)"), "\(run.errors)")
  }

  @Test(
    "the team's key is its owner's alone, and a P-256 key",
    arguments: [("0644", 77), ("none", 66), ("text", 65)])
  func teamKey(_ kind: String, _ status: Int32) async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    let path = tool.folder + "/AuthKey_ABCDE12345.p8"
    switch kind {
    case "0644": _ = unsafe chmod(path, 0o644)
    case "none": try FileManager.default.removeItem(atPath: path)
    default: try Data("no key".utf8).write(to: URL(fileURLWithPath: path))
    }
    let line = "send " + Self.common + "--key-id ABCDE12345 --to sender.pub.jwks --token 00ff"
    let run = try await tool.daemon(line)
    #expect(run.status == status && run.errors.contains("AuthKey_ABCDE12345.p8"), "\(run.errors)")
  }
}
