import Foundation
import Glibc
import TestSupport
import Testing

/// A stand-in for APNs that serves, in a folder that has the sender's keys and a team's.
struct StandInScene {
  let tool: Tool
  let port: Int
  let page: String
  /// The page's origin.
  private let origin: String
  /// The phone's device token.
  let token: String
  /// Its tokens of the other push types, by their names.
  let tokens: [String: String]
  private let child: Child

  /// What `apns --json` says.
  private struct Place: Decodable {
    struct Phone: Decodable {
      let token: String
      let tokens: [String: String]
    }
    let port: Int
    let page: String
    let origin: String
    let phones: [Phone]
  }

  /// What the page says of a push.
  struct Push: Decodable {
    let number: Int
    let id: String
    let person: String
  }

  init(
    _ tool: Tool, _ options: String = "", phoneKeys: String = "--keys device.jwks --senders sender.pub.jwks"
  ) async throws {
    self.tool = tool
    let isNew = !FileManager.default.fileExists(atPath: "\(tool.folder)/sender.jwks")
    if isNew { try await tool.makeSendersKeys() }
    let words =
      "apns --json --port 0 --page 0 --topic com.example.app \(phoneKeys) \(options)"
    let surroundings = try tool.surroundings()
    let child = try Child(
      [Tool.daemon] + words.split(separator: " ").map(String.init), in: surroundings)
    self.child = child
    let output = URL(fileURLWithPath: surroundings.output)
    try await HangGuard.wait(for: "the stand-in") {
      try #require(child.check() == nil)
      return try Data(contentsOf: output).last == UInt8(ascii: "\n")
    }
    let place = try JSONDecoder().decode(Place.self, from: Data(contentsOf: output))
    (port, page, origin, token) = (place.port, place.page, place.origin, place.phones[0].token)
    tokens = place.phones[0].tokens
  }

  /// Whether the page shows that a person sees a text.
  func shows(_ text: String) async throws -> Bool {
    let words = ["/bin/sh", "-c", "curl -sSN \(page)events | grep -F -m 1 -- '\(text)'"]
    return try await tool.execute(words).text.contains(text)
  }

  /// All pushes that the page lists so far, once it lists `count` or more; at most 200.
  func pushes(_ count: Int) async throws -> [Push] {
    var pushes: [Push] = []
    try await HangGuard.wait(for: "\(count) pushes") {
      // The first event with pushes has all that came before.
      let words = ["/bin/sh", "-c", #"curl -sSN -m 2 \#(page)events | grep -m 1 '^data: \[{"number"'"#]
      let line = try await tool.execute(words).text.dropFirst(6)
      pushes = (try? JSONDecoder().decode([Push].self, from: Data(line.utf8))) ?? []
      return pushes.count >= count
    }
    return pushes
  }

  /// The payload of a push, as it came.
  func payload(of push: Push) async throws -> String {
    struct Details: Decodable { let payload: String }
    let run = try await tool.execute(["curl", "-sS", "\(page)pushes/\(push.number)"])
    return try JSONDecoder().decode(Details.self, from: Data(run.output)).payload
  }

  /// Does what a button of the page does.
  func press(_ command: String) async throws {
    let answer = try await answer(to: command)
    try #require(answer == "{}", "\(answer)")
  }

  /// What the page answers to a command.
  func answer(to command: String) async throws -> String {
    try await tool.execute([
      "curl", "-sS", "-H", "Origin: \(origin)", "-H", "Content-Type: application/json", "-d", command,
      "\(page)do",
    ]).text
  }

  func end() async throws {
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }
}

extension Tool {
  /// The server's tool, which is built beside it.
  static let daemon = binary + "d"

  /// Runs a command of the server's tool, its words separated by spaces.
  func daemon(_ line: String, input: Input = .nothing) async throws -> Run {
    try await execute([Self.daemon] + line.split(separator: " ").map(String.init), input: input)
  }

  /// Makes a sender's keys, and those of a team.
  func makeSendersKeys() async throws {
    try await succeed("keys new --role sender --out sender.jwks")
    try await succeed("keys export --keys sender.jwks --out sender.pub.jwks")
    let words = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABCDE12345.p8"
    let made = try await execute(words.split(separator: " ").map(String.init))
    try #require(made.status == 0, "\(made.errors)")
    try setMode(0o600, of: "AuthKey_ABCDE12345.p8")
  }
}
