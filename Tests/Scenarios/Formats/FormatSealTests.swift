import Foundation
import Testing

@Suite("Writing other systems' envelopes", .serialized)
struct FormatSealTests {
  /// A format that is written, with the secrets of both sides.
  struct Way: CustomTestStringConvertible {
    let format: String
    var options = ""
    let write: String
    let read: String

    var testDescription: String { "\(format) \(options)" }
    var seal: String { "seal --format \(format) --secret write \(options)" }
    var open: String { "open --format \(format) --secret read \(options)" }
  }

  private static let ways = [
    Way(format: "openssl-salted", options: "--unauthenticated", write: "pass word", read: "pass word\n"),
    Way(
      format: "openssl-salted",
      options: "--unauthenticated --derivation bytes-to-key --digest sha512 --member envelope", write: "p",
      read: "p"),
    Way(
      format: "webpush-aes128gcm", write: ForeignSample.webPushSecret, read: ForeignSample.webPushSecret),
    Way(
      format: "webpush-aes128gcm", options: "--carriage base64url", write: ForeignSample.webPushSecret,
      read: ForeignSample.webPushSecret),
    Way(
      format: "sodium-sealed-box", write: "B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=",
      read: "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="),
    Way(
      format: "sodium-sealed-box", options: "--member box",
      write: "B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=",
      read: "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="),
    Way(format: "zulip", write: ForeignSample.zulipSecret, read: ForeignSample.zulipSecret),
  ]

  /// Files of the same secrets as others write them: with escapes, and with members that are nothing of the tool's.
  private static let otherWays = [
    Way(format: "zulip", write: slashed(#"\/"#), read: slashed("/")),
    Way(format: "zulip", write: slashed("/"), read: slashed(#"\u002F"#)),
    Way(
      format: "zulip", write: ForeignSample.zulipSecret,
      read: ForeignSample.zulipSecret.dropLast()
        + #","name":"Zo\u00eb","more":[{"push_key":"MQ"},null,1.5],"":{"push_key_id":8}}"#),
    Way(format: "webpush-aes128gcm", write: subscription(), read: ForeignSample.webPushSecret),
    Way(format: "webpush-aes128gcm", write: subscription(padding: "="), read: padded),
    Way(
      format: "webpush-aes128gcm", write: ForeignSample.webPushSecret.dropLast() + #","keys":"two"}"#,
      read: ForeignSample.webPushSecret),
  ]

  /// A key with slashes in its text, which some encoders escape.
  private static func slashed(_ slash: String) -> String {
    let text = "MQAB" + String(repeating: "////", count: 9) + "HR4f"
    return #"{"push_key_id":7,"push_key":"\#(text.replacing("/", with: slash))"}"#
  }

  /// What a browser's `JSON.stringify` makes of a subscription.
  private static func subscription(padding: String = "") -> String {
    #"""
    {"endpoint":"https:\/\/push.example.com\/v1","expirationTime":null,"keys":{
    "p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4\#(padding)",
    "auth":"BTBZMqHH6r4Tts7J_aSIgg\#(padding)\#(padding)"}}
    """#
  }

  private static let padded =
    #"{"private_key":"q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94=","auth":"BTBZMqHH6r4Tts7J_aSIgg=="}"#

  private static let plaintexts: [[UInt8]] = [
    [], [0x0a], Array("{\"body\":\"caf\u{e9}\"}\n".utf8), [UInt8](0...255),
    [UInt8](repeating: 0, count: 2700),
  ]

  private func tool(_ way: Way) throws -> Tool {
    let tool = try Tool()
    try tool.write(way.write, to: "write")
    try tool.write(way.read, to: "read")
    return tool
  }

  @Test(arguments: ways + otherWays) func whatIsWrittenOpensToTheByte(way: Way) async throws {
    let tool = try tool(way)
    for plaintext in Self.plaintexts {
      let sealed = try await tool.run(way.seal, input: .bytes(plaintext))
      #expect(sealed.status == 0 && sealed.errors.isEmpty, "\(sealed.errors)")
      let opened = try await tool.run(way.open, input: .bytes(sealed.output))
      #expect(opened.status == 0 && opened.output == plaintext, "\(opened.errors)")
    }
  }

  @Test(arguments: ways) func thePlaceholderIsTheSealersOwn(way: Way) async throws {
    let pair = try await Pair()
    for title in ["", " --title Post"] {
      let own = try await pair.tool.succeed("\(pair.seal)\(title) --in payload.json").text
      let tool = try tool(way)
      let sealed = try await tool.run("\(way.seal)\(title)", input: .text("{}")).text
      let skeleton = try #require(own.range(of: #","ENCRYPTED_DATA""#)?.lowerBound)
      #expect(sealed.hasPrefix(own[..<skeleton]), "\(sealed)")
      #expect(
        sealed.contains(
          #""alert":{"title":"\#(title.isEmpty ? "New notification" : "Post")","body":"(Encrypted)"}"#))
      #expect(!sealed.hasSuffix("\n"))
    }
  }

  @Test(arguments: ways) func nothingButItsMembersStandsBesideThePlaceholder(way: Way) async throws {
    struct Report: Decodable { let members: [String] }
    let tool = try tool(way)
    let sealed = try await tool.run(way.seal, input: .text("{}"))
    let payload = try JSONSerialization.jsonObject(with: Data(sealed.output)) as? [String: Any]
    let names = Set(payload?.keys.filter { $0 != "aps" } ?? [])
    #expect(names.count == (way.format == "zulip" ? 2 : 1))
    guard !way.options.contains("--member box") else { return }
    let report = try await tool.run("inspect --json", input: .bytes(sealed.output)).json(Report.self)
    #expect(Set(report.members) == names)
  }

  @Test(arguments: ways) func fourThousandAndNinetySixBytes(way: Way) async throws {
    let tool = try tool(way)
    // The longest plaintext that fits, by halves.
    var (fits, over) = (0, 4096)
    while over - fits > 1 {
      let count = (fits + over) / 2
      let run = try await tool.run(way.seal, input: .bytes([UInt8](repeating: 1, count: count)))
      if run.status == 0 { fits = count } else { over = count }
    }
    let longest = try await tool.run(way.seal, input: .bytes([UInt8](repeating: 1, count: fits)))
    // A step of the text: a block of AES, or three bytes of base64, or four of Z85.
    #expect((4096 - 22...4096).contains(longest.output.count), "\(longest.output.count)")
    let run = try await tool.refuse(
      way.seal, 65, "too-large: the payload would have ",
      input: .bytes([UInt8](repeating: 1, count: over)))
    let numbers = (run.error ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 3 && numbers[0] == 4096 + numbers[1] && numbers[1] > 0 && numbers[2] == 4096)
    try await tool.refuse(
      "\(way.seal) --out sealed.json", 65, "too-large: ", input: .bytes([UInt8](repeating: 1, count: 9000)))
    #expect(try !tool.names.contains("sealed.json"))
  }

  @Test func aFileIsNotWrittenOver() async throws {
    let way = Self.ways[0]
    let tool = try tool(way)
    try tool.write("{}", to: "plain")
    try await tool.succeed("\(way.seal) --in plain --out sealed.json")
    try await tool.refuse("\(way.seal) --in plain --out sealed.json", 73, "sealed.json exists")
    try await tool.refuse("\(way.seal) --in plain --out write --force", 64, "--out and --secret are the same")
    #expect(try tool.contents("write") == Array(way.write.utf8))
  }

  @Test(arguments: ["bark", "home-assistant", "webpush-aesgcm"]) func whatIsOnlyRead(format: String)
    async throws
  {
    let tool = try tool(Self.ways[0])
    let run = try await tool.refuse(
      "seal --format \(format) --secret write", 64, "\(format) can be opened, but not written",
      input: .text("{}")
    )
    #expect(run.hint == "--format must be openssl-salted, webpush-aes128gcm, sodium-sealed-box or zulip")
  }
}
