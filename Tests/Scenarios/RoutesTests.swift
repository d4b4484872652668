import Foundation
import Glibc
import TestSupport
import Testing

/// A file of routes: the keys of several apps.
@Suite("A file of routes", .hangGuard)
struct RoutesTests {
  private static let both =
    #"{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","topics":["com.example.app","com.example.two"]}"#
  private static let first =
    #"{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","topics":["com.example.app"]}"#

  /// The words of a worker with routes.
  private static func worker(_ scene: WorkScene, _ options: String = "") -> [String] {
    let line =
      "work \(scene.store) --routes routes.json --endpoint 127.0.0.1:\(scene.apns.port) --trust apns-root.pem "
      + options
    return [Tool.daemon] + line.split(separator: " ").map(String.init)
  }

  private static func write(_ routes: String..., to tool: Tool) throws {
    try tool.write(#"{"routes":[\#(routes.joined(separator: ","))]}"#, to: "routes.json")
  }

  /// Ada's phone in one app, and Eve's in another, whose token no phone of the stand-in has.
  private static func scene(_ options: String = "--any-token") async throws -> WorkScene {
    let scene = try await WorkScene(phone: options)
    try await scene.enrol()
    try await scene.tool.succeed("keys new --role device --out eve.jwks --now \(start)")
    let enrol =
      "keys enrol --keys eve.jwks --identity eve.identity.jwks --topic com.example.two --environment sandbox "
      + "--token 00ff \(Tool.audience)"
    try await scene.tool.register(
      scene.tool.succeed("\(enrol) --now \(start)").output,
      accept:
        "keys accept --registrations registrations --registration eve-1 --person eve \(Tool.backend) --new",
      enrol: enrol)
    _ = try await scene.daemon("devices import registrations")
    return scene
  }

  private static func enqueue(_ scene: WorkScene, _ people: String...) async throws {
    for person in people {
      _ = try await scene.daemon(
        "enqueue --person \(person)", input: .text(#"{"aps":{"alert":"Lunch at noon?"}}"#))
    }
  }

  @Test("two apps' messages go through one worker; an app without a key waits, and the other does not")
  func story() async throws {
    let scene = try await Self.scene()
    try Self.write(Self.first, to: scene.tool)
    try await Self.enqueue(scene, "eve", "ada-lovelace")
    let run = try await scene.tool.execute(Self.worker(scene, "--from sender.jwks --once"))
    #expect(run.errors.contains(#""topic":"com.example.two","environment":"sandbox""#), "\(run.errors)")
    #expect(run.errors.contains("there is no key for it"), "\(run.errors)")
    #expect(try await scene.apns.shows("Lunch at noon?"))
    #expect(try await scene.queue().dead == 0)
    try await scene.end()
  }

  @Test(
    "SIGHUP has the file read again: what comes then goes with its new keys; a broken file changes nothing")
  func hangup() async throws {
    let scene = try await Self.scene()
    try Self.write(Self.first, to: scene.tool)
    let surroundings = try scene.tool.surroundings()
    let child = try Child(Self.worker(scene, "--from sender.jwks"), in: surroundings)
    func wait(for text: String) async throws {
      try await HangGuard.wait(for: "the log to have \(text)") {
        try #require(child.check() == nil)
        return try String(contentsOfFile: surroundings.errors, encoding: .utf8).contains(text)
      }
    }
    try await wait(for: #""started""#)
    try scene.tool.write("{", to: "routes.json")
    child.send(SIGHUP)
    try await wait(for: #""event":"keys-kept","reason":"routes.json: not strict JSON"#)
    try Self.write(Self.both, to: scene.tool)
    child.send(SIGHUP)
    try await wait(for: #""event":"keys-read""#)
    try await Self.enqueue(scene, "eve")
    #expect(try await scene.apns.pushes(1).count == 1)
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
    try await scene.end()
  }

  @Test("a route's own sender signs for its apps, in place of --from")
  func sender() async throws {
    let scene = try await Self.scene()
    try await scene.tool.succeed("keys new --role sender --out other.jwks")
    let own = Self.first.replacingOccurrences(of: #""topics""#, with: #""sender":"sender.jwks","topics""#)
    let other =
      #"{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","sender":"other.jwks","topics":["com.example.two"]}"#
    try Self.write(own, other, to: scene.tool)
    try await Self.enqueue(scene, "eve", "ada-lovelace")
    let run = try await scene.tool.execute(Self.worker(scene, "--once"))
    #expect(run.status == 0, "\(run.errors)")
    // Ada's phone trusts the first sender alone.
    #expect(try await scene.apns.shows("Lunch at noon?"))
    #expect(try await scene.apns.pushes(2).count == 2)
    try await scene.end()
  }

  @Test("sealpushd check looks at each key, sender and app of the file")
  func check() async throws {
    let scene = try await Self.scene("")
    try Self.write(Self.both, to: scene.tool)
    let words = Self.worker(scene, "--from sender.jwks")
    let run = try await scene.tool.execute([words[0], "check"] + words.dropFirst(2))
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    for topic in ["com.example.app", "com.example.two"] {
      #expect(
        run.text.contains("ok       route     \(topic), production: APNs accepts the key"), "\(run.text)")
    }
    try await scene.end()
  }

  @Test("a service is for the apps of the file")
  func service() async throws {
    let scene = try await ServeScene("--routes routes.json") { try Self.write(Self.both, to: $0) }
    for (topic, status) in [("com.example.two", 404), ("com.example.three", 404)] {
      #expect(try await scene.get("/v1/senders/\(topic)").status == status)
    }
    let body = #"{"topic":"com.example.two","mode":"replace"}"#
    #expect(try await scene.post("/v1/challenges", body).status == 200)
    #expect(
      try await scene.post("/v1/challenges", body.replacingOccurrences(of: "two", with: "three")).status
        == 404)
    try await scene.end()
  }

  /// A file that is wrong, and what is said of it.
  private struct Fault: CustomTestStringConvertible {
    let text: String
    let error: String
    let status: Int32

    init(_ text: String, _ error: String, _ status: Int32 = 65) {
      (self.text, self.error, self.status) = (text, error, status)
    }

    var testDescription: String { error }
  }

  @Test(
    "what is wrong with a file is said with its place",
    arguments: [
      Fault("[]", "routes.json: not strict JSON: "),
      Fault("{}", "routes.json: routes must be an array of 1 to 256 objects"),
      Fault(#"{"routes":[]}"#, "routes.json: routes must be an array of 1 to 256 objects"),
      Fault(#"{"routes":[1]}"#, "routes.json: routes[0] must be an object"),
      Fault(#"{"routes":[{}],"key":1}"#, "routes.json: there is no member 'key'"),
      Fault(#"{"routes":[{"team":1}]}"#, "routes.json, routes[0]: there is no member 'team'"),
      Fault(#"{"routes":[{"key_file":"a"}]}"#, "routes.json, routes[0]: team_id must be given"),
      Fault(#"{"routes":[{"team_id":"A"}]}"#, "routes.json, routes[0]: key_file must be given"),
      Fault(
        #"{"routes":[{"team_id":"A","key_file":"AuthKey_ABCDE12345.p8"}]}"#,
        "routes.json, routes[0]: the team ID must have 10"),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"no.p8","key_id":"ABCDE12345"}]}"#,
        "there is no no.p8", 66),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"sender.jwks"}]}"#,
        "routes.json, routes[0]: key_id is missing"),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","topics":["a b"]}]}"#,
        "routes.json, routes[0]: topics must be an array of bundle IDs"),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","environments":["test"]}]}"#,
        "routes.json, routes[0]: environments must be an array of production and sandbox"),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","proxy":"http://a:b@c:1"}]}"#,
        "routes.json, routes[0]: proxy takes no user and no password"),
      Fault(
        #"{"routes":[{"team_id":"FGHIJ67890","key_file":"AuthKey_ABCDE12345.p8","proxy":"ftp://c"}]}"#,
        "routes.json, routes[0]: proxy: "),
      Fault(
        #"{"routes":[\#(first),\#(both)]}"#,
        "routes.json: keys[1].topics: must be without com.example.app, which another key has in "),
    ])
  private func faults(_ fault: Fault) async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    try tool.write(fault.text, to: "routes.json")
    let run = try await tool.daemon(
      "work --store push.sqlite --routes routes.json --from sender.jwks --once --endpoint 127.0.0.1:1")
    #expect(run.status == fault.status && run.errors.contains("error: \(fault.error)"), "\(run.errors)")
    #expect(!run.errors.contains("a:b"))
  }

  @Test("a file that others can change is refused")
  func exposed() async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    try Self.write(Self.both, to: tool)
    #expect(unsafe chmod(tool.path("routes.json"), 0o666) == 0)
    let run = try await tool.daemon("work --store push.sqlite --routes routes.json --from sender.jwks --once")
    #expect(run.status == 77 && run.errors.contains("others can change routes.json"), "\(run.errors)")
  }

  @Test(
    "the options of one key and a file of routes exclude each other, and one of both is needed",
    arguments: [
      (
        "--routes routes.json --key-id ABCDE12345", "--routes goes without --key-file, --key-id and --team-id"
      ),
      ("", "give --key-file FILE, --key-id ID and --team-id ID, or --routes FILE"),
      ("--key-id ABCDE12345", "--team-id ID is missing"),
    ])
  func options(words: String, error: String) async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    let run = try await tool.daemon("work --store push.sqlite --from sender.jwks --once \(words)")
    #expect(run.status == 64 && run.errors.contains("error: \(error)"), "\(run.errors)")
  }
}
