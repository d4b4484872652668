import Foundation
import Glibc
import TestSupport
import Testing

@Suite("What is checked before a worker or a service is started", .hangGuard)
struct CheckTests {
  /// The words of a worker, with which a scene's worker starts.
  private static let worker =
    "--store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
    + "--team-id FGHIJ67890"

  /// The options that lead to a scene's stand-in.
  private func endpoint(_ scene: WorkScene) -> String {
    "--endpoint 127.0.0.1:\(scene.apns.port) --trust apns-root.pem --topic com.example.app"
  }

  /// A fact, as a program reads it.
  private struct Fact: Decodable {
    let fact: String
    let name: String
    let result: String
    let text: String
    let to_do: String?
  }

  private func facts(_ run: Run) throws -> [Fact] {
    try run.lines.map { try JSONDecoder().decode(Fact.self, from: Data($0.utf8)) }
  }

  /// Checks, and expects one fact that is wrong, with this status.
  private func expectFault(
    _ line: String, in scene: WorkScene, status: Int32, fact: String, _ text: String, toDo: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await scene.tool.daemon("check --json \(line)")
    #expect(run.status == status, "\(run.text) \(run.errors)", sourceLocation: sourceLocation)
    let wrong = try facts(run).filter { $0.result == "wrong" }
    #expect(wrong.count == 1 && wrong.first?.fact == fact, "\(run.text)", sourceLocation: sourceLocation)
    #expect(wrong.first?.text.contains(text) == true, "\(run.text)", sourceLocation: sourceLocation)
    if let toDo {
      #expect(wrong.first?.to_do?.contains(toDo) == true, "\(run.text)", sourceLocation: sourceLocation)
    }
    #expect(run.errors.contains("error: one fact is wrong\n"), sourceLocation: sourceLocation)
  }

  @Test("all is well: a line a fact, and nothing secret; APNs is asked once for each environment")
  func well() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let run = try await scene.tool.daemon("check \(Self.worker) \(endpoint(scene))")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.text) \(run.errors)")
    let lines = run.lines
    #expect(lines.allSatisfy { $0.hasPrefix("ok       ") } && lines.count == 5, "\(run.text)")
    #expect(lines[0] == "ok       sender    sender.jwks: its active key signs")
    #expect(
      lines[3]
        == "ok       route     com.example.app, production: APNs accepts the key, and refuses only the token, "
        + "which no phone has")
    for word in ["ada", scene.apns.token, try await scene.tool.keys("sender.jwks")[0].kid] {
      #expect(!run.text.contains(word), "\(word)")
    }
    let pushes = try await scene.apns.pushes(2)
    #expect(pushes.count == 2 && pushes.allSatisfy { $0.person.isEmpty })
    // Nothing was enqueued, delivered or enrolled by it.
    #expect(try await scene.queue() == WorkScene.Queue())
    try await scene.end()
  }

  @Test("without --topic, the apps are those of the store's devices")
  func topics() async throws {
    let scene = try await WorkScene()
    let options =
      "\(Self.worker) --endpoint 127.0.0.1:\(scene.apns.port) --trust apns-root.pem --environment sandbox"
    let first = try facts(try await scene.tool.daemon("check --json \(options)"))
    #expect(first.last?.result == "skipped" && first.last?.text.contains("there is no app") == true)
    try await scene.enrol()
    let second = try await scene.tool.daemon("check --json \(options)")
    #expect(second.status == 0)
    #expect(try facts(second).last?.name == "com.example.app, sandbox")
    try await scene.end()
  }

  @Test(
    "each other answer of APNs is in words, with what to do and a status",
    arguments: [
      (403, "InvalidProviderToken", 77, "it does not accept the key", "--key-id"),
      (403, "BadEnvironmentKeyInToken", 77, "for the other environment only", "--environment"),
      (403, "ExpiredProviderToken", 77, "the token is too old", "clock"),
      (400, "TopicDisallowed", 65, "may not push to this app", "bundle ID"),
      (400, "BadPriority", 65, "for another reason", "Apple"),
      (429, "TooManyProviderTokenUpdates", 75, "too many tokens", "20 minutes"),
      (503, "ServiceUnavailable", 75, "accept the push later", "in a few minutes"),
    ] as [(Int, String, Int32, String, String)])
  func answers(status: Int, reason: String, exit: Int32, text: String, toDo: String) async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.apns.press(
      #"{"do":"fault","kind":"refusal","status":\#(status),"reason":"\#(reason)","occasion":"all"}"#)
    try await expectFault(
      "\(Self.worker) \(endpoint(scene)) --environment sandbox", in: scene, status: exit, fact: "route",
      "com.example.app, sandbox: APNs answers \(reason): ", toDo: toDo)
    try await scene.end()
  }

  @Test("a server that accepts any token is not Apple's")
  func acceptsAll() async throws {
    let scene = try await WorkScene(phone: "--any-token")
    try await scene.enrol()
    try await expectFault(
      "\(Self.worker) \(endpoint(scene)) --environment sandbox", in: scene, status: 65, fact: "route",
      "accepted a push to a token that no phone has", toDo: "--endpoint")
    try await scene.end()
  }

  @Test("where nobody answers, or somebody else does, it says so")
  func noConnection() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await expectFault(
      "\(Self.worker) --topic com.example.app --environment sandbox --endpoint 127.0.0.1:1 --trust apns-root.pem",
      in: scene, status: 75, fact: "route", "Connection refused", toDo: "port 443")
    try await expectFault(
      "\(Self.worker) --topic com.example.app --environment sandbox --endpoint 127.0.0.1:\(scene.apns.port)",
      in: scene, status: 75, fact: "route", "certificate")
    try await scene.end()
  }

  @Test("one fault in a worker's files is one wrong fact, with the status that the worker would end with")
  func files() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let offline = "--offline \(Self.worker)"
    try scene.tool.setMode(0o644, of: "sender.jwks")
    try await expectFault(
      offline, in: scene, status: 77, fact: "sender", "mode 0644", toDo: "chmod 600 sender.jwks")
    try scene.tool.setMode(0o600, of: "sender.jwks")
    try await expectFault(
      offline.replacing("sender.jwks", with: "device.jwks"), in: scene, status: 65, fact: "sender",
      "a sender's")
    try await expectFault(
      offline.replacing("sender.jwks", with: "none.jwks"), in: scene, status: 66, fact: "sender", "none.jwks")
    try scene.tool.setMode(0o640, of: "AuthKey_ABCDE12345.p8")
    try await expectFault(offline, in: scene, status: 77, fact: "apns-key", "mode 0640")
    try scene.tool.setMode(0o600, of: "AuthKey_ABCDE12345.p8")
    try await expectFault(
      offline.replacing("--key-id ABCDE12345", with: "--key-id ABC"), in: scene, status: 64, fact: "apns-key",
      "--key-id")
    try scene.tool.write("no key", to: "row.key")
    try scene.tool.setMode(0o600, of: "row.key")
    try await expectFault(
      "\(offline) --row-key row.key", in: scene, status: 65, fact: "row-key", "is not a row key",
      toDo: "store key")
    #expect(try await scene.tool.daemon("check \(offline)").status == 0)
    try await scene.end()
  }

  @Test("a store: none yet, no folder, another program's, and sealed with a key that is not given")
  func stores() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let offline = "--offline \(Self.worker)"
    let none = try await scene.tool.daemon("check \(offline.replacing("push.sqlite", with: "none.sqlite"))")
    #expect(none.status == 0 && none.text.contains("there is no store at none.sqlite yet"))
    #expect(try !scene.tool.names.contains("none.sqlite"))
    try await expectFault(
      offline.replacing("push.sqlite", with: "none/push.sqlite"), in: scene, status: 73, fact: "store",
      "no folder")
    try scene.tool.write(String(repeating: "no database ", count: 20), to: "text")
    try await expectFault(
      offline.replacing("push.sqlite", with: "text"), in: scene, status: 65, fact: "store", "not a database")
    #expect(try await scene.tool.daemon("store key --out row.key").status == 0)
    #expect(try await scene.daemon("store seal --row-key row.key").status == 0)
    try await expectFault(offline, in: scene, status: 77, fact: "store", "sealed", toDo: "--row-key")
    #expect(try await scene.tool.daemon("check \(offline) --row-key row.key").status == 0)
    let database = offline.replacing("push.sqlite", with: "postgresql://example.com/push")
    let skipped = try facts(try await scene.tool.daemon("check --json \(database)"))
    #expect(skipped.contains { $0.fact == "store" && $0.result == "skipped" })
    try await scene.end()
  }

  @Test("a database that does not answer is a wrong fact, and the others are looked at")
  func database() async throws {
    let scene = try await WorkScene()
    try await expectFault(
      "\(Self.worker.replacing("push.sqlite", with: "postgresql://push@127.0.0.1:1/push")) \(endpoint(scene))",
      in: scene, status: 75, fact: "store", "no connection")
    try await scene.end()
  }

  @Test(
    "a senders' set that has ended, or lacks the key that signs, is found before a phone shows the placeholder"
  )
  func sets() async throws {
    let scene = try await WorkScene()
    let tool = scene.tool
    try await tool.succeed("keys new --role root --out root.jwks")
    let sign = "keys sign-senders --keys root.jwks --topic com.example.app --senders"
    try await tool.succeed("\(sign) sender.pub.jwks --out senders.jws")
    let offline = "--offline \(Self.worker) --senders"
    let well = try await tool.daemon("check \(offline) senders.jws")
    #expect(well.status == 0 && well.text.contains("the set of com.example.app is number "), "\(well.text)")
    try await tool.succeed("keys new --role sender --out other.jwks")
    try await tool.succeed("keys export --keys other.jwks --out other.pub.jwks")
    try await tool.succeed("\(sign) other.pub.jwks --out other.jws")
    try await expectFault(
      "\(offline) other.jws", in: scene, status: 65, fact: "senders", "do not trust the active key",
      toDo: "sign-senders")
    try await tool.succeed("\(sign) sender.pub.jwks --out old.jws --now \(time(nil) - 172_800) --expires 1d")
    try await expectFault("\(offline) old.jws", in: scene, status: 65, fact: "senders", "has ended")
    try tool.write("no set", to: "text")
    try await expectFault("\(offline) text", in: scene, status: 65, fact: "senders", "text, line 1")
    try await scene.end()
  }

  @Test("a service: its secret, its socket's folder, its store and its apps")
  func service() async throws {
    let scene = try await WorkScene()
    let tool = scene.tool
    try tool.write(String(repeating: "secret", count: 6), to: "proxy.secret")
    try tool.setMode(0o600, of: "proxy.secret")
    try #require(unsafe mkdir(tool.path("run"), 0o750) == 0)
    let line =
      "--offline --store push.sqlite --listen unix:run/socket --secret-file proxy.secret --topic com.example.app"
    let well = try await tool.daemon("check \(line)")
    #expect(well.status == 0 && !well.text.contains("secretsecret"), "\(well.text) \(well.errors)")
    #expect(well.lines.map { $0.split(separator: " ")[1] } == ["secret", "socket", "store"])
    try tool.setMode(0o777, of: "run")
    try await expectFault(line, in: scene, status: 77, fact: "socket", "others can write", toDo: "chmod 0750")
    try tool.setMode(0o750, of: "run")
    try tool.setMode(0o644, of: "proxy.secret")
    try await expectFault(line, in: scene, status: 77, fact: "secret", "mode 0644")
    try tool.setMode(0o600, of: "proxy.secret")
    try await expectFault(
      line.replacing(" --topic com.example.app", with: ""), in: scene, status: 64, fact: "senders",
      "there is no app")
    try await scene.end()
  }

  @Test(
    "options that are neither a worker's nor a service's, or are wrong, are refused",
    arguments: [
      ("--store push.sqlite", "give the options of sealpushd work, or those of sealpushd serve"),
      ("\(worker) --secret-file proxy.secret", "give the options of sealpushd work, or those"),
      ("\(worker) --batch 0", "--batch must be a number"),
      ("\(worker) --listen localhost:9464", "--listen must be PORT, 127.0.0.1:PORT"),
      (
        "--store push.sqlite --secret-file s --listen 0.0.0.0:1",
        "--listen must be 127.0.0.1:PORT or unix:PATH"
      ),
      ("--store push.sqlite --secret-file s", "--listen is missing"),
    ])
  func refused(line: String, message: String) async throws {
    let run = try await Tool().daemon("check \(line)")
    #expect(
      run.status == 64 && run.output.isEmpty && run.errors.contains("error: \(message)"), "\(run.errors)")
  }
}
