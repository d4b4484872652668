import PushEnrolment
import Foundation
import Testing

/// A device enrols, and a backend knows it again.
@Suite("Enrolment", .serialized)
struct EnrolTests {
  private let tool: Tool
  private let enrol = "keys enrol --keys device.jwks --topic com.example.app --token 00ff \(Tool.audience)"
  private let backend = "keys accept --registrations registrations \(Tool.backend)"
  private var accept: String { "\(backend) --registration phone --new" }

  init() async throws {
    tool = try Tool()
    try await tool.makeSender()
    try await tool.succeed("keys new --role device --out device.jwks --now \(start)")
  }

  private struct Accepted: Decodable {
    let change: String
    let registration: String
    let identity: String
    let serial: Int
    let keys: [String]
  }

  /// What a backend says of an enrolment, when the device has proven what it is asked to.
  private func accepted(_ enrolment: Run, at now: Int = start) async throws -> Accepted {
    try await tool.register(enrolment.output, accept: accept, enrol: enrol, at: now).json()
  }

  /// What a backend says of an enrolment that is pending.
  private func pending(_ enrolment: Run, _ options: String = "") async throws -> Accepted {
    let run = try await tool.run("\(accept) \(options)", input: .bytes(enrolment.output))
    #expect(run.status == 75 && run.errors.hasPrefix("sealpush: pending: "), "\(run.errors)")
    let accepted: Accepted = try run.json()
    #expect(accepted.change == "pending")
    return accepted
  }

  @Test func theFirst() async throws {
    let enrolment = try await tool.succeed("\(enrol) --now \(start)")
    #expect(enrolment.errors.contains("made identity.jwks"))
    #expect(try tool.mode(of: "identity.jwks") == 0o600)
    let taken = try await accepted(enrolment)
    #expect(taken.change == "registered" && taken.registration == "phone" && taken.serial == start + 1)
    #expect(taken.keys == [try await tool.keys("device.jwks")[0].kid])
    #expect(taken.identity == (try await tool.keys("identity.jwks")[0].kid))
    let again = try await tool.succeed("\(enrol) --now \(start)")
    #expect(try await accepted(again).change == "updated")
    #expect(try await accepted(again).change == "unchanged")
  }

  @Test func aRotationThatTheBackendLearnsOfLate() async throws {
    _ = try await accepted(try await tool.succeed("\(enrol) --now \(start)"))
    let old = try await tool.keys("device.jwks")[0].kid
    try await tool.succeed("keys rotate --keys device.jwks --unconfirmed --now \(start + day)")
    // Months go by, and nothing ends the key that the backend still seals to.
    try await tool.succeed("keys prune --keys device.jwks --now \(start + 100 * day)")
    #expect(try await tool.keys("device.jwks").map(\.status) == ["accepted", "active"])
    #expect(try await tool.keys("device.jwks")[0].exp == nil)
    let second = try await tool.succeed("\(enrol) --now \(start + 100 * day)")
    #expect(try await accepted(second, at: start + 100 * day).change == "updated")
    try tool.write(second.output, to: "second.json")
    let confirm =
      "keys confirm --keys device.jwks --enrolment second.json --grace 30d --now \(start + 101 * day)"
    #expect(try await tool.succeed("\(confirm) --dry-run").lines == [old])
    #expect(try await tool.keys("device.jwks")[0].exp == nil)
    #expect(try await tool.succeed(confirm).lines == [old])
    #expect(try await tool.keys("device.jwks")[0].exp == start + 131 * day)
    #expect(try await tool.succeed(confirm).lines.isEmpty)
    try await tool.refuse(
      "keys rotate --keys device.jwks --unconfirmed --grace 31d", 64, "give it to keys confirm")
  }

  @Test func anOlderOne() async throws {
    let first = try await tool.succeed("\(enrol) --now \(start)")
    let second = try await tool.succeed("\(enrol) --now \(start)")
    #expect(try await accepted(second).serial == start + 2)
    let before = try tool.contents("registrations")
    try await tool.refuse(accept, 65, "older-serial", input: .bytes(first.output))
    #expect(try tool.contents("registrations") == before)
  }

  @Test func anotherPhone() async throws {
    _ = try await accepted(try await tool.succeed("\(enrol) --now \(start)"))
    let stranger = try await tool.succeed("\(enrol) --identity other.jwks --now \(start + day)")
    let refusal = try await tool.refuse(accept, 65, "other-identity", input: .bytes(stranger.output))
    #expect(refusal.hint?.contains("register a new or erased phone") == true)
    // As a new registration it cannot take what the first one has, until that is over.
    let other = "\(backend) --registration other --new"
    let token = try await tool.refuse(other, 65, "token-in-use", input: .bytes(stranger.output))
    #expect(token.hint?.hasSuffix("sealpush keys forget --registrations FILE --registration=phone") == true)
    // A lost phone does not come back by itself.
    try await tool.refuse(
      "\(backend) --registration third", 65, "not-registered", input: .bytes(stranger.output))
    try await tool.succeed("keys forget --registrations registrations --registration phone --dry-run")
    try await tool.refuse(other, 65, "token-in-use", input: .bytes(stranger.output))
    try await tool.succeed("keys forget --registrations registrations --registration phone")
    try await tool.refuse(
      "keys forget --registrations registrations --registration phone", 66, "no registration with that name")
    let again = try await tool.run(other, input: .bytes(stranger.output))
    #expect(again.status == 75 && again.text.contains(#""change":"pending""#))
    let identity = again.text.components(separatedBy: #""identity":""#)[1].prefix(43)
    try await tool.succeed("keys forget --registrations registrations --identity=\(identity)")
    try await tool.refuse(
      "keys forget --registrations registrations --identity=\(identity)", 66,
      "no registration with that identity")
  }

  @Test("a device leaves by what it has signed, and an enrolment that is newer than the leave keeps it")
  func leave() async throws {
    let sign = "keys leave --keys device.jwks --topic com.example.app \(Tool.audience) --now \(start)"
    try await tool.refuse(sign, 66, "there is no identity.jwks")
    _ = try await pending(try await tool.succeed("\(enrol) --now \(start)"))
    let dry = try await tool.succeed("\(sign) --dry-run")
    #expect(dry.output.isEmpty && dry.errors.contains("would sign with identity.jwks"))
    try await tool.succeed("\(sign) --out early.json")
    _ = try await pending(try await tool.succeed("\(enrol) --now \(start)"))
    let forget = "keys forget --registrations registrations \(Tool.audience)"
    try await tool.refuse("\(forget) --leave early.json", 65, "the leave is rejected: older-serial")
    try await tool.refuse(forget, 64, "--audience needs --leave FILE")
    let leave = try await tool.succeed(sign)
    let other = "keys forget --registrations registrations --audience https://other.example.com --leave -"
    try await tool.refuse(
      other, 65, "standard input is rejected: other-audience", input: .bytes(leave.output))
    let dryForget = try await tool.run("\(forget) --leave - --dry-run", input: .bytes(leave.output))
    #expect(dryForget.errors.contains("would remove phone"), "\(dryForget.errors)")
    let gone = try await tool.run("\(forget) --leave -", input: .bytes(leave.output))
    #expect(gone.status == 0 && gone.errors.contains("removed phone"), "\(gone.errors)")
    let again = try await tool.run("\(forget) --leave -", input: .bytes(leave.output))
    #expect(again.status == 0 && again.errors.contains("no registration with the leave's identity"))
  }

  @Test func withoutASignature() async throws {
    let keys = try await tool.succeed("keys export --keys device.jwks").text
    let plain =
      #"{"v":1,"topic":"com.example.app","environment":"production","token":"00ff","keys":\#(keys)}"#
    try await tool.refuse(accept, 65, "unsigned", input: .text(plain))
    #expect(try tool.names == ["device.jwks", "sender.jwks", "sender.pub.jwks"])
  }

  @Test func aChallenge() async throws {
    let answered = try await tool.succeed("\(enrol) --challenge 7Qx2 --now \(start)")
    try await tool.refuse(
      "\(accept) --challenge other", 65, "wrong-challenge", input: .bytes(answered.output))
    _ = try await pending(answered, "--challenge 7Qx2")
    #expect(try await accepted(answered).change == "registered")
    let none = try await tool.succeed("\(enrol) --now \(start)")
    try await tool.refuse("\(accept) --challenge 7Qx2", 65, "wrong-challenge", input: .bytes(none.output))
  }

  @Test func forAnotherApp() async throws {
    let enrolment = try await tool.succeed(enrol)
    try await tool.refuse(
      "\(accept) --topic com.example.other", 65, "other-topic", input: .bytes(enrolment.output))
    _ = try await pending(enrolment, "--topic com.example.app")
  }

  @Test func dryRuns() async throws {
    let said = try await tool.succeed("\(enrol) --dry-run")
    #expect(
      said.output.isEmpty && said.errors.contains("would sign 1 key") && said.errors.contains("would make"))
    #expect(try tool.names == ["device.jwks", "sender.jwks", "sender.pub.jwks"])
    let enrolment = try await tool.succeed(enrol)
    _ = try await pending(enrolment, "--dry-run")
    let rehearsal = try await tool.run("\(accept) --dry-run", input: .bytes(enrolment.output))
    #expect(!rehearsal.text.contains("request"))
    #expect(try !tool.names.contains("registrations"))
  }

  @Test func behindAPassphrase() async throws {
    try tool.write("secret\n", to: "word")
    try tool.setMode(0o600, of: "word")
    try await tool.succeed("keys passphrase --keys device.jwks --new-passphrase-file word")
    try await tool.refuse(enrol, 77, "device.jwks")
    let enrolment = try await tool.succeed("\(enrol) --passphrase-file word")
    _ = try await pending(enrolment)
    #expect(try String(decoding: tool.contents("identity.jwks"), as: UTF8.self).contains("argon2id"))
    try await tool.succeed("\(enrol) --passphrase-file word")
  }

  @Test func whatIsWrongWithTheWords() async throws {
    try await tool.refuse("\(enrol) --identity folder/identity.jwks", 64, "share a lock")
    let place = "--topic com.example.app \(Tool.audience)"
    try await tool.refuse("keys enrol --keys device.jwks \(place) --token 0", 64, "--token")
    try await tool.refuse(
      "keys enrol --keys device.jwks --topic com.example.app --token 00", 64, "--audience")
    try await tool.refuse("\(enrol) --senders sender.pub.jwks", 64, "--senders needs --answer FILE")
    try await tool.refuse("\(enrol) --answer request", 64, "--answer needs --senders FILE")
    try await tool.refuse("\(backend) --request", 64, "--request")
    let registrations = "keys accept --registrations registrations"
    try await tool.refuse("\(registrations) --from sender.jwks", 64, "--registrations needs --audience")
    try await tool.refuse("\(registrations) \(Tool.audience)", 64, "--registrations needs --from")
    try await tool.refuse("\(enrol) --environment staging", 64, "production or sandbox")
    try await tool.refuse(
      "keys enrol --keys none.jwks \(place) --token 00", 66, "there is no none.jwks")
    try await tool.refuse("keys accept", 64, "give either --registrations FILE or --senders FILE")
    try await tool.refuse(
      "keys enrol --keys sender.jwks \(place) --token 00", 65, "a sender's keys, but a device's are needed")
    #expect(try !tool.names.contains("identity.jwks"))
  }

  @Test func aLineThatSomebodyChanged() async throws {
    _ = try await accepted(try await tool.succeed("\(enrol) --now \(start)"))
    let text = String(decoding: try tool.contents("registrations"), as: UTF8.self)
    try tool.write(
      text.replacingOccurrences(of: #""token":"00ff""#, with: #""token":"00fe""#), to: "registrations")
    let enrolment = try await tool.succeed(enrol)
    try await tool.refuse(
      accept, 65, "registrations, line 1: mismatch: 'token'", input: .bytes(enrolment.output))
    let line = #"{"to":"phone","payload":\#(sample)}"#
    let seal = "seal --lines --recipients registrations --from sender.jwks \(Pair.topic)"
    try await tool.refuse(seal, 65, "registrations, line 1: mismatch", input: .text(line))
  }

  @Test func sealedToByName() async throws {
    _ = try await accepted(try await tool.succeed("\(enrol) --now \(start)"))
    let line = #"{"to":"phone","payload":\#(sample)}"#
    let seal = "seal --lines --recipients registrations --from sender.jwks \(Pair.topic)"
    let sealed = try await tool.succeed(seal, input: .text(line))
    #expect(sealed.text.contains(#""device_token":"00ff""#))
    let unknown = try await tool.run(seal, input: .text(line.replacingOccurrences(of: "phone", with: "fone")))
    #expect(unknown.status == 65 && unknown.output.isEmpty)
  }

  @Test func eightAtOnce() async throws {
    let enrolments = try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { try await tool.run("\(enrol) --now \(start)") } }
      return try await group.reduce(into: [Run]()) { $0.append($1) }
    }
    let done = enrolments.filter { $0.status == 0 }
    #expect(!done.isEmpty)
    var serials: Set<Int> = []
    for enrolment in done {
      let name = "keys accept --registrations r\(serials.count) --new \(Tool.backend)"
      let taken: Accepted = try await tool.run(name, input: .bytes(enrolment.output)).json()
      serials.insert(taken.serial)
    }
    #expect(serials.count == done.count)
    #expect(try await Set(tool.keys("identity.jwks").map(\.kid)).count == 1)
  }
}
