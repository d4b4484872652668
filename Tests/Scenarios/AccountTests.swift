import Foundation
import Testing

/// Messages for one of several accounts on a device.
@Suite("Accounts", .serialized)
struct AccountTests {
  private let ada = "AQEBAQEBAQEBAQEBAQEBAQ"
  private let bob = "AgICAgICAgICAgICAgICAg"

  @Test(arguments: Sending.allCases) func aMessageForAnAccountOpensWhileItIsSignedIn(sending: Sending)
    async throws
  {
    let pair = try await Pair(sending)
    let sealed = String(decoding: try await pair.sealed("--account \(ada)"), as: UTF8.self)
    let open = "\(pair.open) --now \(start)"
    let content = sample.dropLast() + #","sealed-push":{"v":1,"account":"\#(ada)"}}"#
    for accounts in ["", "--account \(ada)", "--account \(bob) --account \(ada)"] {
      #expect(try await pair.tool.succeed("\(open) \(accounts)", input: .text(sealed)).text == content)
    }
    let refusal = try await pair.tool.refuse(
      "\(open) --account \(bob)", 65, "other-account", input: .text(sealed))
    #expect(refusal.output.isEmpty && refusal.hint?.contains("--account") == true)
  }

  @Test func nothingOfItIsShownToOthers() async throws {
    let pair = try await Pair()
    let sealed = String(decoding: try await pair.sealed("--account \(ada)"), as: UTF8.self)
    let simulate = "\(pair.simulate) --now \(start) --json"
    let other = try await pair.tool.succeed("\(simulate) --account \(bob)", input: .text(sealed)).text
    #expect(other.contains(#""reason":"other-account""#) && !other.contains("Lunch"))
    let own = try await pair.tool.succeed("\(simulate) --account \(ada)", input: .text(sealed)).text
    #expect(own.contains("Lunch at noon?") && !own.contains(ada) && !own.contains("sealed-push"))
  }

  @Test func aTagHas22Characters() async throws {
    let pair = try await Pair()
    for tag in [String(ada.dropLast()), ada + "A", ada.replacing("A", with: "+"), "ada"] {
      try await pair.tool.refuse(
        "\(pair.seal) --in payload.json --account \(tag)", 64, "--account must be a tag")
      try await pair.tool.refuse(
        "\(pair.open) --in payload.json --account \(tag)", 64, "--account must be a tag")
    }
    try await pair.tool.refuse(
      "\(pair.seal) --lines --account \(ada)", 64, "--account and --lines exclude each other")
  }

  @Test func aBackendPrintsTheTagOfThePersonWhoIsNamed() async throws {
    let tool = try Tool()
    try await tool.makeSender()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
    let enrol = "keys enrol --keys device.jwks --topic com.example.app --token 00ff \(Tool.audience)"
    let accept = "keys accept --registrations registrations --registration phone --new \(Tool.backend)"
    let enrolment = try await tool.succeed("\(enrol) --now \(start)").output
    struct Line: Decodable {
      let change: String
      let account: String?
    }
    let pending = try await tool.run("\(accept) --person ada --now \(start)", input: .bytes(enrolment))
    let first = try pending.json(Line.self)
    #expect(first.change == "pending" && first.account?.utf8.count == 22)
    let nobody = try await tool.run("\(accept) --now \(start)", input: .bytes(enrolment))
    #expect(try nobody.json(Line.self).account == nil)
    // A message to the registration has it.
    let proven = try await tool.register(enrolment, accept: "\(accept) --person ada", enrol: enrol)
    #expect(try proven.json(Line.self).account == first.account)
    let seal = "seal --lines --recipients registrations --from sender.jwks \(Pair.topic) --now \(start)"
    let line = try await tool.succeed(seal, input: .text(#"{"to":"phone","payload":\#(sample)}"#)).text
    struct Sealed: Decodable { let payload: Payload }
    struct Payload: Decodable { let ENCRYPTED_DATA: String }
    let text = try JSONDecoder().decode(Sealed.self, from: Data(line.utf8)).payload.ENCRYPTED_DATA
    let open = "open --keys device.jwks --senders sender.pub.jwks \(Pair.topic) --now \(start)"
    let payload = #"{"aps":{},"ENCRYPTED_DATA":"\#(text)"}"#
    let account = try #require(first.account)
    #expect(
      try await tool.succeed("\(open) --account=\(account)", input: .text(payload)).text
        == sample.dropLast() + #","sealed-push":{"v":1,"account":"\#(account)"}}"#)
    try await tool.refuse("\(open) --account \(bob)", 65, "other-account", input: .text(payload))
  }
}
