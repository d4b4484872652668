import Foundation
import TestSupport
import Testing

@Suite("What an operator does about devices and dead letters, on the command line", .hangGuard)
struct FleetTests {
  @Test("a store is moved by what it exports, without a phone that enrols again")
  func moved() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.tool.succeed("keys new --role device --out other.jwks")
    let enrolment = try await scene.tool.succeed(
      "keys enrol --keys other.jwks --identity other.identity.jwks --topic com.example.app --environment sandbox"
        + " --token 00ff \(Tool.audience)")
    let pending = try await scene.daemon(
      "devices accept \(Tool.backend) --registration bob-1 --new", status: 75, input: .bytes(enrolment.output)
    )
    try #require(pending.text.contains(#""change":"pending""#))
    let exported = try await scene.daemon("devices export")
    #expect(exported.status == 0 && exported.lines.count == 2)
    #expect(exported.lines[0].contains(#""registration":"ada-1""#))
    #expect(exported.lines[1].contains(#""registration":"bob-1""#) && !exported.text.contains(#""pending""#))
    try scene.tool.write(exported.text, to: "registrations")
    let imported = try await scene.tool.daemon("devices import registrations --store moved.sqlite")
    #expect(imported.text == "2 added, 0 updated, 0 unchanged, 0 refused\n", "\(imported.errors)")
    let (old, new) = (
      try await scene.daemon("devices --json"),
      try await scene.tool.daemon("devices --store moved.sqlite --json")
    )
    let states = { (run: Run) in run.lines.map { $0.contains(#""state":"proven""#) } }
    #expect(states(old) == [true, false] && states(new) == [true, false])
    let sealed = try await scene.tool.run(
      "seal --recipients registrations --lines --from sender.jwks --topic com.example.app",
      input: .text(#"{"to":"ada-1","payload":{"aps":{"alert":"Lunch?"}}}"#))
    #expect(sealed.text.contains(#""device_token":"\#(scene.apns.token)""#), "\(sealed)")
    try await scene.end()
  }

  @Test("dead letters of one person are listed, sent again and deleted alone")
  func deadLettersOfAPerson() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    for person in ["ada-lovelace", "bob", "ada-lovelace", "ada"] {
      _ = try await scene.daemon(
        "enqueue --person \(person) --expires-at 1", input: .text(#"{"aps":{"alert":"Too late"}}"#))
    }
    try #require(try await scene.workOnce().status == 0)
    let list = try await scene.daemon("queue dead --json --person ada-lovelace")
    #expect(list.lines.count == 2 && list.lines.allSatisfy { $0.contains(#""person":"ada-lovelace""#) })
    #expect(try await scene.daemon("queue dead --person carol").text.isEmpty)
    #expect(try await scene.daemon("queue resend --person bob").text == "1 ready again\n")
    #expect(try await scene.daemon("queue delete --person ada-lovelace").text == "2 deleted\n")
    #expect(try await scene.daemon("queue delete --person ada-lovelace").text == "0 deleted\n")
    #expect(try await scene.queue() == WorkScene.Queue(ready: 1, dead: 1))
    try await scene.end()
  }

  @Test("an enrolment that another registration is in the way of says how to remove that one")
  func inTheWay() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.tool.succeed("keys new --role device --out other.jwks")
    let enrolment = try await scene.tool.succeed(
      "keys enrol --keys other.jwks --identity other.identity.jwks --topic com.example.app --environment sandbox"
        + " --token \(scene.apns.token) \(Tool.audience)")
    let accept =
      "devices accept \(scene.store) \(Tool.backend) --registration ada-2 --person ada-lovelace --new"
    let refused = try await scene.tool.daemon(accept, input: .bytes(enrolment.output))
    #expect(refused.status == 65 && refused.errors.contains("token-in-use"))
    #expect(refused.errors.contains("first run: sealpushd devices remove ada-1 --store PLACE"))
    _ = try await scene.daemon("devices remove ada-1")
    #expect(try await scene.tool.daemon(accept, input: .bytes(enrolment.output)).status == 75)
    try await scene.end()
  }

  @Test(
    "a device is removed by its name, its identity or its token, and no other with it",
    arguments: ["ada-2", "--identity=IDENTITY", "--token 00ff"])
  func remove(_ which: String) async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    try await scene.importSecond()
    let devices = try await scene.daemon("devices --json")
    let identity = devices.lines[1].components(separatedBy: #""identity":""#).last?.prefix(43) ?? ""
    let words = which.replacing("IDENTITY", with: identity)
    #expect(try await scene.daemon("devices remove \(words) --json").text == #"{"removed":["ada-2"]}"# + "\n")
    let again = try await scene.daemon("devices remove \(words)")
    #expect(again.text == "0 removed\n" && again.errors.contains("note: the store has no device "))
    #expect(!again.errors.contains("00ff"))
    let rest = try await scene.daemon("devices")
    #expect(rest.lines.count == 2 && rest.lines[1].hasPrefix("ada-1 "))
    try await scene.end()
  }

  @Test("a device is removed by the leave that it has signed, for this backend")
  func leave() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    let sign = "keys leave --keys device.jwks --topic com.example.app \(Tool.audience) --out leave.json"
    try await scene.tool.succeed(sign)
    let words = "devices remove --leave leave.json --audience"
    let other = try await scene.tool.daemon("\(words) https://other.example.com \(scene.store)")
    #expect(other.status == 65 && other.errors.contains("leave.json is rejected: other-audience"))
    #expect(try await scene.daemon("devices").lines.count == 2)
    #expect(
      try await scene.daemon("\(words) \(Tool.audience.split(separator: " ")[1])").text == "1 removed\n")
    let again = try await scene.daemon("\(words) \(Tool.audience.split(separator: " ")[1])")
    #expect(again.text == "0 removed\n" && again.errors.contains("no device with the leave's identity"))
    try await scene.end()
  }
}

extension WorkScene {
  /// Imports a second device of Ada's, whose token is 00ff.
  func importSecond() async throws {
    let now = Int(time(nil)) - 200
    let enrol =
      "keys enrol --keys other.jwks --identity other.identity.jwks --topic com.example.app --environment sandbox"
      + " --token 00ff \(Tool.audience)"
    let accept =
      "keys accept --registrations registrations \(Tool.backend) --new --registration ada-2"
      + " --person ada-lovelace"
    try await tool.succeed("keys new --role device --out other.jwks --now \(now)")
    try await tool.register(
      tool.succeed("\(enrol) --now \(now)").output, accept: accept, enrol: enrol, at: now)
    try #require(try await daemon("devices import registrations").text.hasPrefix("1 added"))
  }
}
