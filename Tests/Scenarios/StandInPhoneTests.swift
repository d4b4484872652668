import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A phone of the stand-in, and what stays of it", .hangGuard)
struct StandInPhoneTests {
  private static let payload = #"{"aps":{"alert":{"title":"Ada","body":"Lunch?"}}}"#

  @Test("it enrols in a store by itself, answers the worker's proof request, and is reached")
  func enrolsByItself() async throws {
    let scene = try await WorkScene(
      phone: "--phone ada-lovelace --store push.sqlite \(Tool.audience) --identity phone.jwks")
    let worker = try await scene.start("\(Tool.audience) --topic com.example.app")
    try await HangGuard.wait(for: "the device") {
      try await scene.daemon("devices --state proven").text.contains("ada-lovelace")
    }
    try await scene.enqueue(["Lunch?"])
    try await HangGuard.wait(for: "the message") { try await scene.apns.shows("Lunch?") }
    worker.child.send(SIGTERM)
    #expect(try await worker.child.wait() == .exited(0))
    try await scene.end()
  }

  @Test("its tokens, the root and the page's address are kept in the file of --state")
  func state() async throws {
    let tool = try Tool()
    let first = try await StandInScene(tool, "--state state.json")
    let root = try tool.contents("apns-root.pem")
    try await first.end()
    let second = try await StandInScene(tool, "--state state.json")
    #expect(second.token == first.token)
    #expect(URL(string: second.page)?.path == URL(string: first.page)?.path)
    #expect(try tool.contents("apns-root.pem") == root)
    let sent = try await send(with: second, from: "sender.jwks")
    #expect(sent.status == 0, "\(sent.errors)")
    try await second.end()
    let third = try await StandInScene(tool)
    #expect(third.token != first.token && URL(string: third.page)?.path != URL(string: first.page)?.path)
    #expect(try tool.contents("apns-root.pem") != root)
    try await third.end()
  }

  @Test("a file of --state that others can read, or that is none, is refused, and stays")
  func wrongState() async throws {
    let tool = try Tool()
    let line = "apns --topic com.example.app --port 0 --page 0 --state state.json"
    for (text, mode, message) in [
      ("{}", mode_t(0o600), "state.json is not what a stand-in keeps"), ("{}", 0o644, "state.json"),
    ] {
      try tool.write(text, to: "state.json")
      try tool.setMode(mode, of: "state.json")
      let run = try await tool.daemon(line)
      #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
      #expect(try tool.contents("state.json") == Array(text.utf8))
    }
  }

  @Test("it trusts the senders that are in the file now")
  func senders() async throws {
    let scene = try await StandInScene(try Tool())
    try await scene.tool.succeed("keys new --role sender --out other.jwks")
    #expect(try await send(with: scene, from: "other.jwks").status == 0)
    #expect(try await scene.pushes(1)[0].person.contains("Lunch?") == false)
    try await scene.tool.succeed("keys export --keys other.jwks --out sender.pub.jwks --force")
    #expect(try await send(with: scene, from: "other.jwks").status == 0)
    try await HangGuard.wait(for: "the text") { try await scene.shows("Lunch?") }
    try await scene.end()
  }

  private func send(with scene: StandInScene, from sender: String) async throws -> Run {
    try await scene.tool.daemon(
      "send --to device.pub.jwks --token \(scene.token) --sandbox --from \(sender) --topic com.example.app "
        + "--key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 --team-id FGHIJ67890 "
        + "--endpoint localhost:\(scene.port) --trust apns-root.pem", input: .text(Self.payload))
  }
}
