import Foundation
import Glibc
import TestSupport
import Testing

/// A phone of the stand-in with an app, which registers it at the running service: what a person does with a phone, from the
/// command line.
@Suite("A phone of the stand-in with an app", .hangGuard)
struct AppPhoneTests {
  private static let app = "--service unix:serve.sock --secret-file proxy.secret --roots root.pub.jwks"

  /// The service, a worker, and the stand-in with Ada's phone.
  private final class Scene {
    let apns: StandInScene
    let tool: Tool
    private let children: [Child]

    init(_ options: String = "") async throws {
      tool = try Tool()
      try await tool.makeSendersKeys()
      for line in [
        "keys new --role root --out root.jwks", "keys export --keys root.jwks --out root.pub.jwks",
        "keys sign-senders --keys root.jwks --senders sender.pub.jwks --topic com.example.app "
          + "--out senders.jws",
      ] { try await tool.succeed(line) }
      try tool.write("\(ServeScene.secret)\n", to: "proxy.secret")
      let serve = try await Self.start(
        "serve --store push.sqlite --listen unix:serve.sock --secret-file proxy.secret "
          + "--senders senders.jws \(Tool.audience)", in: tool)
      apns = try await StandInScene(
        tool, "--phone ada \(AppPhoneTests.app) \(Tool.audience) \(options)", phoneKeys: "")
      let worker = try await Self.start(
        "work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
          + "--team-id FGHIJ67890 --endpoint 127.0.0.1:\(apns.port) --trust apns-root.pem "
          + "\(Tool.audience) --topic com.example.app", in: tool)
      children = [serve, worker]
    }

    private static func start(_ line: String, in tool: Tool) async throws -> Child {
      let surroundings = try tool.surroundings()
      let child = try Child([Tool.daemon] + line.split(separator: " ").map(String.init), in: surroundings)
      try await HangGuard.wait(for: line) {
        try #require(child.check() == nil)
        return try String(contentsOfFile: surroundings.errors, encoding: .utf8).contains(#""started""#)
      }
      return child
    }

    /// Presses a button, and waits until the app's state is this one.
    func press(_ command: String, _ state: String) async throws {
      try await apns.press(command)
      try await HangGuard.wait(for: state) { try await self.apns.shows(state) }
    }

    /// The registrations in the store, with their persons.
    func devices() async throws -> [String: String] {
      struct Device: Decodable { let registration, person: String }
      let lines = try await tool.daemon("devices --store push.sqlite --json --state proven").lines
      let devices = try lines.map { try JSONDecoder().decode(Device.self, from: Data($0.utf8)) }
      return Dictionary(uniqueKeysWithValues: devices.map { ($0.registration, $0.person) })
    }

    /// Sends a text to a person, and waits until somebody sees it.
    func send(_ text: String, to person: String, members: String = "") async throws {
      let line = #"{"person":"\#(person)","payload":{"aps":{"alert":"\#(text)"}}\#(members)}"#
      let run = try await tool.daemon("enqueue --store push.sqlite --lines", input: .text("\(line)\n"))
      #expect(run.status == 0, "\(run.errors)")
      try await HangGuard.wait(for: text) { try await self.apns.shows(text) }
    }

    func end() async throws {
      for child in children {
        child.send(SIGTERM)
        #expect(try await child.wait() == .exited(0))
      }
      try await apns.end()
    }
  }

  private static func state(_ text: String, of person: String...) -> String {
    let persons = person.map { "\"\($0)\"" }.joined(separator: ",")
    return #""app":{"state":"\#(text)","persons":[\#(persons)]}"#
  }

  private let logIn = #"{"do":"log-in","phone":"ada","person":"ada"}"#

  @Test("a login, a restart of the app and another account")
  func accounts() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    try await scene.send("Lunch?", to: "ada")
    try await scene.press(#"{"do":"open","phone":"ada"}"#, Self.state("registered", of: "ada"))
    let first = try await scene.devices()
    #expect(Array(first.values) == ["ada"])
    try await scene.press(
      #"{"do":"log-in","phone":"ada","person":"bob"}"#, Self.state("registered", of: "bob"))
    let second = try await scene.devices()
    #expect(Array(second.values) == ["bob"] && second.keys != first.keys)
    try await scene.press(
      #"{"do":"log-in","phone":"ada","person":"cyd","joining":true}"#,
      Self.state("registered", of: "bob", "cyd"))
    try await scene.send("For Cyd", to: "cyd")
    try await scene.send("For Bob", to: "bob")
    try await scene.end()
  }

  @Test("the app hands in the phone's tokens, and a call reaches the phone at its own")
  func call() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    let line = #"{"person":"ada","push_type":"voip","payload":{"aps":{},"call":7}}"#
    // The tokens are handed in a moment after the registration.
    try await HangGuard.wait(for: "the call") {
      let run = try await scene.tool.daemon("enqueue --store push.sqlite --lines", input: .text("\(line)\n"))
      #expect(run.status == 0, "\(run.errors)")
      for push in try await scene.apns.pushes(1) {
        let details = try await scene.tool.execute(["curl", "-sS", "\(scene.apns.page)pushes/\(push.number)"])
        if details.text.contains("com.example.app.voip") { return true }
      }
      return false
    }
    try await scene.end()
  }

  @Test("a backup on a new phone, and an app that is installed again")
  func restored() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    let old = try await scene.devices()
    let restore = #"{"do":"restore","phone":"ada","onto":"new"}"#
    try await scene.apns.press(restore)
    try await HangGuard.wait(for: "both phones") { try await scene.devices().count == 2 }
    #expect(try await scene.devices()[try #require(old.keys.first)] == "ada")
    try await scene.send("Lunch?", to: "ada")
    try await HangGuard.wait(for: "the text on both") {
      try await scene.apns.pushes(1).filter { $0.person.contains("Lunch?") }.count == 2
    }
    try await scene.apns.press(#"{"do":"reinstall","phone":"ada"}"#)
    // For a moment the phone has no token. It is there nevertheless.
    for _ in 1...50 {
      #expect(try await scene.apns.answer(to: #"{"do":"unlock","phone":"ada"}"#) == "{}")
    }
    try await HangGuard.wait(for: "the app") { try await scene.apns.shows(Self.state("nobody is signed in")) }
    #expect(try await scene.devices().keys.contains(try #require(old.keys.first)) == false)
    try await scene.end()
  }

  @Test(
    "a person's name that would be more than a header's value is refused, and so is a phone that is there")
  func names() async throws {
    let scene = try await Scene()
    for command in [
      #"{"do":"log-in","phone":"ada","person":"a\r\nSealedPush-Person: bob"}"#,
      #"{"do":"log-in","phone":"ada"}"#, #"{"do":"restore","phone":"ada","onto":"ada"}"#,
      #"{"do":"delete","phone":"ada"}"#,
    ] {
      #expect(try await scene.apns.answer(to: command) != "{}", "\(command)")
    }
    try await scene.end()
  }

  @Test("a message that is replaced, and then cancelled and taken back")
  func cancelled() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    for score in ["1:0", "1:1"] {
      try scene.tool.write(#"{"aps":{"alert":{"title":"Final","body":"\#(score)"}}}"#, to: "score.json")
      let run = try await scene.tool.daemon(
        "enqueue --store push.sqlite --person ada --job-key match --on-key replace --in score.json")
      #expect(run.status == 0, "\(run.errors)")
      try await HangGuard.wait(for: score) { try await scene.apns.shows(#""screen":["Final: \#(score)"]"#) }
      try await HangGuard.wait(for: "the empty queue") {
        try await scene.tool.daemon("queue --store push.sqlite --json").text.contains(#""leased":0"#)
      }
    }
    let cancel = try await scene.tool.daemon("cancel --store push.sqlite --job-key match --take-back --json")
    #expect(cancel.status == 0 && cancel.text == "{\"cancelled\":0}\n", "\(cancel.errors)")
    try await HangGuard.wait(for: "the empty screen") { try await scene.apns.shows(#""screen":[]"#) }
    try await scene.end()
  }

  /// What the store knows of a message, once APNs has accepted it.
  private func outcome(of message: String, in scene: Scene) async throws -> [String: Any] {
    var text = ""
    try await HangGuard.wait(for: "the outcome") {
      text = try await scene.tool.daemon("queue outcome \(message) --store push.sqlite --json").text
      return !text.isEmpty
    }
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("a message is shown, and the backend knows when the app is opened")
  func receipt() async throws {
    let scene = try await Scene("--receipts")
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    let message = "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10"
    try await scene.send(
      "Lunch?", to: "ada", members: #","message_id":"\#(message)","outcome":true"#)
    let before = try await outcome(of: message, in: scene)
    #expect(before["outcome"] as? String == "accepted" && before["shown_at"] == nil)
    try await scene.apns.press(#"{"do":"open","phone":"ada"}"#)
    try await HangGuard.wait(for: "the receipt") {
      try await outcome(of: message, in: scene)["shown_at"] is Int
    }
    // What APNs said is there as before.
    #expect(try await outcome(of: message, in: scene)["outcome"] as? String == "accepted")
    let told = try await scene.tool.daemon("queue outcome \(message) --store push.sqlite")
    #expect(
      told.lines.count == 2 && told.lines[1].split(separator: " ").dropFirst().starts(with: ["ada", "shown"]))
    try await scene.end()
  }

  @Test("an app that wants no receipts tells the backend nothing")
  func noReceipt() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    let message = "0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10"
    try await scene.send(
      "Lunch?", to: "ada", members: #","message_id":"\#(message)","outcome":true"#)
    try await scene.press(#"{"do":"open","phone":"ada"}"#, Self.state("registered", of: "ada"))
    let known = try await outcome(of: message, in: scene)
    #expect(known["outcome"] as? String == "accepted" && known["shown_at"] == nil)
    try await scene.end()
  }

  @Test("a sign-out without a connection is told when the phone is on again")
  func offline() async throws {
    let scene = try await Scene()
    try await scene.press(logIn, Self.state("registered", of: "ada"))
    try await scene.apns.press(#"{"do":"switch-off","phone":"ada"}"#)
    try await scene.press(
      #"{"do":"sign-out","phone":"ada"}"#,
      Self.state("nobody is signed in; sign-outs that the backend has not heard of: 1"))
    #expect(try await scene.devices().count == 1)
    try await scene.apns.press(#"{"do":"switch-on","phone":"ada"}"#)
    try await scene.press(#"{"do":"open","phone":"ada"}"#, Self.state("nobody is signed in"))
    #expect(try await scene.devices().isEmpty)
    try await scene.end()
  }

  @Test(
    "options that do not belong together",
    arguments: [
      ("--roots root.pub.jwks", "--roots belongs to --service"),
      ("--receipts", "--receipts belongs to --service"),
      ("--service unix:serve.sock", "--service needs --audience, --secret-file and --roots"),
      ("--service 10.0.0.1:80 --secret-file proxy.secret", "--service must be 127.0.0.1:PORT or unix:PATH"),
      ("\(app) --store push.sqlite", "--service and --store exclude each other"),
      ("\(app) --identity identity.jwks", "--service and --identity exclude each other"),
    ])
  func usage(options: String, error: String) async throws {
    let run = try await Tool().daemon("apns --topic com.example.app --port 0 --page 0 \(options)")
    #expect(run.status == 64 && run.errors.contains(error), "\(run.errors)")
  }

  @Test("keys of another role are no roots")
  func wrongRoots() async throws {
    let tool = try Tool()
    try await tool.makeSendersKeys()
    try tool.write("\(ServeScene.secret)\n", to: "proxy.secret")
    let run = try await tool.daemon(
      "apns --topic com.example.app --port 0 --page 0 \(Tool.audience) --service unix:serve.sock "
        + "--secret-file proxy.secret --roots sender.pub.jwks")
    #expect(run.status == 65 && run.errors.contains("the keys of a sender, not of a root"), "\(run.errors)")
  }
}
