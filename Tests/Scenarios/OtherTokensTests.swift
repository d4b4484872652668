import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Calls and Live Activities, on the command line", .hangGuard)
struct OtherTokensTests {
  private static let update =
    #"{"aps":{"event":"update","timestamp":1700000000,"content-state":{"minutes":7}}}"#

  /// Whether a push with this text in its headers is among those that the stand-in has got.
  private func hasPush(_ text: String, at apns: StandInScene) async throws -> Bool {
    for push in try await apns.pushes(1) {
      let details = try await apns.tool.execute(["curl", "-sS", "\(apns.page)pushes/\(push.number)"]).text
      if details.contains(text) { return true }
    }
    return false
  }

  @Test("a phone hands its tokens in, and a job goes to the one that it names")
  func story() async throws {
    let tool = try Tool()
    let audience = "--audience https://push.example.com"
    let apns = try await StandInScene(
      tool, "--phone ada --store push.sqlite \(audience) --activity order-7",
      phoneKeys: "--keys device.jwks --senders sender.pub.jwks")
    let surroundings = try tool.surroundings()
    let words =
      "work --store push.sqlite --from sender.jwks --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 "
      + "--team-id FGHIJ67890 --endpoint 127.0.0.1:\(apns.port) --trust apns-root.pem \(audience)"
    let worker = try Child([Tool.daemon] + words.split(separator: " ").map(String.init), in: surroundings)
    try await HangGuard.wait(for: "the phone's registration") {
      try #require(worker.check() == nil)
      return try await tool.daemon("devices --store push.sqlite --state proven").lines.count > 1
    }
    let enqueue = "enqueue --store push.sqlite --person ada"
    // Its tokens are handed in a moment after its registration.
    try await HangGuard.wait(for: "the update") {
      _ = try await tool.daemon(
        "\(enqueue) --push-type liveactivity --activity order-7", input: .text(Self.update))
      return try await hasPush("com.example.app.push-type.liveactivity", at: apns)
    }
    _ = try await tool.daemon("\(enqueue) --push-type voip", input: .text(#"{"aps":{},"call":7}"#))
    try await HangGuard.wait(for: "the call") { try await hasPush("com.example.app.voip", at: apns) }
    worker.send(SIGTERM)
    #expect(try await worker.wait() == .exited(0))
    let log = try String(contentsOfFile: surroundings.errors, encoding: .utf8)
    #expect(!log.contains("discarded"), "\(log)")
    try await apns.end()
  }

  @Test(
    "a job of a type that carries nothing sealed, or without the activity's name, is refused",
    arguments: [
      ("--push-type location", 64, "--push-type"), ("--push-type widgets", 64, "--push-type"),
      ("--push-type liveactivity", 65, "activity: must be the name of a Live Activity"),
      ("--activity order-7", 65, "activity: must be the name of a Live Activity"),
    ] as [(String, Int32, String)])
  func refused(options: String, status: Int32, error: String) async throws {
    let tool = try Tool()
    let run = try await tool.daemon(
      "enqueue --store push.sqlite --person ada \(options)",
      input: .text(options == "--activity order-7" ? #"{"aps":{"alert":"Lunch"}}"# : Self.update))
    #expect(run.status == status && run.errors.contains(error), "\(run.errors)")
  }
}
