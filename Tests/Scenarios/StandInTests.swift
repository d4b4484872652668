import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The stand-in for APNs", .hangGuard)
struct StandInTests {
  /// What `apns --json` says.
  private struct Place: Decodable {
    struct Phone: Decodable {
      let name: String
      let token: String
      let topic: String
      let environment: String
    }

    let port: Int
    let root: String
    let page: String
    let phones: [Phone]
  }

  private static let daemon = Tool.binary + "d"

  /// A provider token that is well-formed: the stand-in does not know the team's key.
  private func bearer() -> String {
    let parts = [
      #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
      #"{"iss":"TEAM123456","iat":\#(Int(Date().timeIntervalSince1970))}"#,
      String(repeating: "s", count: 64),
    ]
    let encoded = parts.map { Data($0.utf8).base64EncodedString() }
    return encoded.joined(separator: ".").replacing("=", with: "").replacing("+", with: "-").replacing(
      "/", with: "_")
  }

  private func start(_ words: String, in tool: Tool) async throws -> (child: Child, place: Place) {
    let surroundings = try tool.surroundings()
    let child = try Child(
      [Self.daemon, "apns", "--json", "--port", "0", "--page", "0"]
        + words.split(separator: " ").map(String.init),
      in: surroundings)
    let output = URL(fileURLWithPath: surroundings.output)
    try await HangGuard.wait(for: "the stand-in") {
      try #require(child.check() == nil)
      return try Data(contentsOf: output).last == UInt8(ascii: "\n")
    }
    return (child, try JSONDecoder().decode(Place.self, from: Data(contentsOf: output)))
  }

  @Test("a push that the tool seals goes over HTTP/2 to a phone, and the page shows what the person sees")
  func story() async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role sender --out sender.jwks")
    try await tool.succeed("keys export --keys sender.jwks --out sender.pub.jwks")
    let words = "--topic com.example.app --keys device.jwks --senders sender.pub.jwks --phone Ada --phone Bob"
    let (child, place) = try await start(words, in: tool)
    #expect(place.phones.map(\.name) == ["Ada", "Bob"] && place.phones[0].environment == "sandbox")
    let sealed = try await tool.succeed(
      "seal --to device.pub.jwks --from sender.jwks --topic com.example.app --out payload.json",
      input: .text(#"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#))
    #expect(sealed.status == 0)
    let answer = try await tool.execute([
      "curl", "-sS", "--http2", "--cacert", place.root, "-w", "%{http_code} %{http_version}", "-H",
      "authorization: bearer \(bearer())", "-H", "apns-topic: com.example.app", "-H", "apns-push-type: alert",
      "--data-binary", "@payload.json", "https://localhost:\(place.port)/3/device/\(place.phones[0].token)",
    ])
    #expect(answer.text == "200 2", "\(answer.errors)")
    let page = try await tool.execute([
      "/bin/sh", "-c", "curl -sSN \(place.page)events | grep -m 1 'person.*Lunch at noon'",
    ])
    #expect(page.text.contains(#""person":"Ada\nLunch at noon?""#), "\(page.text)")
    child.send(SIGTERM)
    #expect(try await child.wait() == .exited(0))
  }

  @Test("without keys, a phone shows what is not sealed, and an old token is kept")
  func plain() async throws {
    let tool = try Tool()
    let (child, place) = try await start("--topic com.example.app --token 00FF --production", in: tool)
    #expect(place.phones[0].token == "00ff" && place.phones[0].environment == "production")
    child.send(SIGINT)
    #expect(try await child.wait() == .exited(0))
  }

  @Test(
    "what cannot be is refused with its status, and nothing is started",
    arguments: [
      ("", 64, "no command is given"), ("listen", 64, "there is no command 'listen'"),
      ("apns", 64, "--topic ID is missing"),
      ("apns --topic", 64, "--topic needs a value: ID"),
      ("apns --topic a --topic b", 64, "--topic is given twice"),
      ("apns --tropic a", 64, "there is no option '--tropic' here"),
      ("apns --topic a_b", 64, "--topic "),
      ("apns --topic a --json=1", 64, "--json takes no value"),
      ("apns --topic a --token xyz", 64, "--token: "),
      ("apns --topic a --port 65536", 64, "--port must be a port"),
      ("apns --topic a --page -1", 64, "--page needs a value"),
      ("apns --topic a --log 0", 64, "--log must be a number from 1"),
      ("apns --topic a --phone A --phone A", 64, "two phones have the same name"),
      ("apns --topic a --keys k.jwks", 64, "--keys and --senders belong together"),
      ("apns --topic a --store s.sqlite", 64, "--store and --audience belong together"),
      ("apns --topic a --audience https://a.example", 64, "--store and --audience belong together"),
      (
        "apns --topic a --store s.sqlite --audience https://a.example", 64,
        "--store needs --keys and --senders"
      ),
      ("apns --topic a --keys k.jwks --senders s.jwks", 66, "there is no s.jwks"),
      ("apns --topic a --port 0 --page 0 --root none/root.pem", 73, "cannot write the root certificate"),
    ])
  func refused(_ line: String, _ status: Int32, _ message: String) async throws {
    let tool = try Tool()
    let run = try await tool.execute([Self.daemon] + line.split(separator: " ").map(String.init))
    #expect(run.status == status && run.output.isEmpty)
    #expect(run.errors.hasPrefix("sealpushd: error: \(message)"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder).isEmpty)
  }

  @Test("the help lists the commands, and each has a page with its options")
  func help() async throws {
    let tool = try Tool()
    for words in [["--help"], ["help"]] {
      let text = try await tool.execute([Self.daemon] + words).text
      #expect(text.split(separator: "\n").contains { $0.hasPrefix("  apns ") && $0.contains("play APNs") })
    }
    for words in [["help", "apns"], ["apns", "--help"], ["apns", "-h"]] {
      let page = try await tool.execute([Self.daemon] + words)
      #expect(
        page.status == 0 && page.text.contains("--topic ID") && page.text.contains("Usage: sealpushd apns"))
    }
  }
}
