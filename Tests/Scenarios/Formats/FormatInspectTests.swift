import Foundation
import Testing

@Suite("Taking other systems' payloads apart", .serialized)
struct FormatInspectTests {
  private struct Report: Decodable {
    let format: String
    let members: [String]
    let salt: String?
    let keyID: Int?
    let recordSize: Int?
    let webhookID: String?
    let iv: String?
    let sizes: [String: Int?]
    let lacks: [String]
  }

  @Test(arguments: ForeignSample.all) func eachIsRecognized(sample: ForeignSample) async throws {
    let run = try await Tool().run("inspect", input: .text(sample.payload))
    #expect(run.status == 0 && run.errors.isEmpty)
    var said: [String: String] = [:]
    for line in run.lines {
      said[line.prefix(20).trimmingCharacters(in: .whitespaces)] = String(line.dropFirst(20))
    }
    #expect(said["format"] == sample.format)
    for (name, value) in sample.inspection { #expect(said[name] == value, "\(run.text)") }
    let size = sample.payload.utf8.count
    #expect(said["payload"] == "\(size) bytes, \(4096 - size) free of 4096")
    #expect(said["lacks"]?.contains("a sender, protection from replay, an expiry") == true)
    let isUnauthenticated = ["bark", "openssl-salted"].contains(sample.format)
    #expect(said["lacks"]?.contains("authentication") == isUnauthenticated)
    #expect(said["lacks"]?.contains("a key ID") == (sample.format != "zulip"))
  }

  @Test(arguments: ForeignSample.all) func forMachines(sample: ForeignSample) async throws {
    let run = try await Tool().run("inspect --json", input: .text(sample.payload))
    let report = try run.json(Report.self)
    #expect(report.format == sample.format)
    #expect(
      sample.inspection["in"] ?? report.members.joined(separator: ", ")
        == report.members.joined(separator: ", "))
    #expect(report.sizes["payload"] == sample.payload.utf8.count && report.sizes["limit"] == 4096)
    #expect(report.sizes["ciphertext"]?.map { "\($0) bytes" } == sample.inspection["ciphertext"])
    #expect(report.salt == sample.inspection["salt"] && report.iv == sample.inspection["iv"])
    #expect(report.keyID.map(String.init) == sample.inspection["key id"])
    #expect(report.recordSize.map(String.init) == sample.inspection["record size"])
    #expect(report.webhookID == sample.inspection["webhook id"])
    #expect(
      report.lacks.contains("sender") && report.lacks.contains("replay") && report.lacks.contains("expiry"))
  }

  @Test func itsOwnEnvelopeComesFirst() async throws {
    let pair = try await Pair()
    let sealed = try await pair.sealed()
    let text = String(decoding: sealed, as: UTF8.self)
    let own = try await pair.tool.run("inspect", input: .text(text)).text
    for sample in ForeignSample.all where sample.member != "ENCRYPTED_DATA" {
      let both = "{\(sample.members),\(text.dropFirst())"
      let run = try await pair.tool.run("inspect", input: .text(both))
      #expect(run.lines.first == own.split(separator: "\n").first.map(String.init), "\(both) \(run.errors)")
    }
    // A damaged one is its own still.
    let box = #""sealed_box":"\#(String(repeating: "A", count: 64))""#
    try await pair.tool.refuse(
      "inspect", 65, "the envelope does not parse",
      input: .text(#"{"aps":{},"ENCRYPTED_DATA":"AQEAAA",\#(box)}"#))
  }

  @Test func whatNobodyRecognizes() async throws {
    let tool = try Tool()
    for payload in [
      #"{"aps":{}}"#, #"{"aps":{},"p":"short"}"#, #"{"aps":{},"encrypted_data":"AAAA"}"#,
      #"{"aps":{},"ciphertext":""}"#, #"{"aps":{},"ENCRYPTED_DATA":7}"#,
    ] {
      for options in ["", " --json"] {
        try await tool.refuse(
          "inspect\(options)", 65, "no-envelope: there is no string under ENCRYPTED_DATA",
          input: .text(payload))
      }
    }
    try await tool.refuse(
      "inspect", 65, "the envelope does not parse", input: .text(#"{"aps":{},"ENCRYPTED_DATA":"U2FsdGVk"}"#))
  }

  @Test func aCutOneIsSaidToBe() async throws {
    let run = try await Tool().run("inspect", input: .text(#"{"x":"U2FsdGVkX18BAgMEBQYHCP4gQNgG45I"}"#))
    #expect(run.status == 0)
    #expect(run.text.contains("the text is malformed"))
    let json = try await Tool().run(
      "inspect --json", input: .text(#"{"x":"U2FsdGVkX18BAgMEBQYHCP4gQNgG45I"}"#))
    #expect(json.text.contains(#""ciphertext":null"#))
  }

  @Test func asApplePrintsIt() async throws {
    // "Modifying content in newly delivered notifications", listing 2: bytes of `openssl enc`, printed as characters.
    let payload =
      #"{"aps":{"category":"SECRET","mutable-content":1,"alert":{"title":"Secret Message!","body":"(Encrypted)"}},"#
      + #""ENCRYPTED_DATA":"Salted__·öîQÊ$UDì_¶Ù∞èΩ^¬%gq∞NÿÒQùw"}"#
    let tool = try Tool()
    let run = try await tool.run("inspect", input: .text(payload))
    #expect(run.status == 0)
    #expect(
      run.lines.starts(with: ["format              openssl-salted", "in                  ENCRYPTED_DATA"]))
    #expect(run.text.contains("encoding            raw bytes, as in Apple's sample"))
    let json = try await tool.run("inspect --json", input: .text(payload))
    #expect(json.text.contains(#""encoding":"raw""#) && json.text.contains(#""ciphertext":null"#))
    try tool.write("correct horse\n", to: "secret")
    let open = try await tool.refuse(
      "open --format openssl-salted --unauthenticated --secret secret", 65, "malformed", input: .text(payload)
    )
    #expect(open.hint?.contains("send base64") == true)
  }

  @Test func keysAreForItsOwn() async throws {
    let pair = try await Pair()
    try await pair.tool.refuse(
      "inspect --keys device.jwks --topic com.example.app", 65,
      "these keys do not open the envelope, which is in the format zulip",
      input: .text(ForeignSample.boxes[1].payload))
  }

  @Test func whatAPayloadSaysDoesNotSteerTheTerminal() async throws {
    let payload = #"{"\u001b[31m\u202e":"U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lf0wr5WYUoCJoAOMHMfoMPZ"}"#
    let run = try await Tool().run("inspect", input: .text(payload))
    #expect(run.text.contains(#"\u{1b}[31m\u{202e}"#))
  }
}
