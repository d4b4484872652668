import PushEnrolment
import Foundation
import Testing

/// A backend has a new key and a new token proven before it seals to them.
@Suite("Possession", .serialized)
struct PossessionTests {
  private let tool: Tool
  private let backend = "keys accept --registrations registrations \(Tool.backend) --now \(start)"
  private let place = "--topic com.example.app \(Tool.audience) --now \(start)"

  init() async throws {
    tool = try Tool()
    try await tool.makeSender()
    for name in ["ada", "eve"] {
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(start)")
    }
  }

  private func enrol(_ keys: String, identity: String? = nil, token: String = "00ff") -> String {
    "keys enrol --keys \(keys).jwks --identity \(identity ?? keys).identity.jwks --token \(token) \(place)"
  }

  private struct Line: Decodable {
    struct Request: Decodable {
      let device_token: String?
      let environment: String?
      let headers: [String: String]?
      let is_proof_request: Bool?
      let payload: [String: Payload]
    }
    enum Payload: Decodable {
      case aps([String: Int]), envelope(String)
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
          self = .envelope(text)
        } else {
          self = .aps(try value.decode([String: Int].self))
        }
      }
    }
    let change: String
    let request: Request?
  }

  /// Has the backend take an enrolment, which is pending.
  private func pend(_ name: String, _ enrolment: Run, _ options: String = "") async throws -> Line {
    let run = try await tool.run(
      "\(backend) --registration \(name) --new \(options)", input: .bytes(enrolment.output))
    #expect(run.status == 75, "\(run.errors)")
    return try run.json()
  }

  private func seal(to name: String) async throws -> Run {
    try await tool.run(
      "seal --lines --recipients registrations --from sender.jwks \(Pair.topic) --now \(start)",
      input: .text(#"{"to":"\#(name)","payload":\#(sample)}"#))
  }

  /// Eve logs in, and enrols the public key of Ada's phone, and its token, under an identity of her own.
  @Test func nobodyEnrolsAnothersKeyAndToken() async throws {
    let forged = try await tool.succeed(enrol("ada", identity: "eve"))
    #expect(try await pend("eve", forged, "--request request.json").change == "pending")
    // Nothing is sealed to it, and the phone does not answer what it was pushed.
    let refused = try await seal(to: "eve")
    #expect(refused.status == 65)
    #expect(refused.errors.contains("the device has not proven its key and its token"), "\(refused.errors)")
    let answer = "--answer request.json --senders sender.pub.jwks"
    try await tool.succeed(enrol("ada"))
    let refusal = try await tool.refuse("\(enrol("ada")) \(answer)", 65, "other-identity")
    #expect(refusal.hint == "someone else has enrolled this device's key")
    // Ada's own enrolment is not refused, and takes both from Eve.
    let accept = "\(backend) --registration ada --new"
    let taken = try await tool.register(
      tool.succeed(enrol("ada")).output, accept: accept.replacingOccurrences(of: " --now \(start)", with: ""),
      enrol: enrol("ada").replacingOccurrences(of: " --now \(start)", with: ""))
    #expect(taken.text.contains(#""change":"registered""#))
    let sealed = try await seal(to: "ada")
    #expect(sealed.status == 0 && sealed.text.contains(#""device_token":"00ff""#))
    try await tool.refuse(
      "\(backend) --registration eve", 65, "key-in-use",
      input: .bytes(tool.succeed(enrol("ada", identity: "eve")).output))
  }

  @Test func theRequest() async throws {
    let line = try await pend("ada", tool.succeed(enrol("ada")), "--request request.json")
    let request = try #require(line.request)
    #expect(request.device_token == "00ff" && request.environment == "production")
    #expect(request.is_proof_request == true)
    #expect(request.headers?["apns-push-type"] == "background" && request.headers?["apns-priority"] == "5")
    guard case .aps(["content-available": 1])? = request.payload["aps"] else {
      Issue.record("no background push")
      return
    }
    let written = try JSONDecoder().decode(
      [String: Line.Payload].self, from: Data(tool.contents("request.json")))
    guard case .envelope(let text)? = written["ENCRYPTED_DATA"],
      case .envelope(text)? = request.payload["ENCRYPTED_DATA"]
    else {
      Issue.record("the file has another payload")
      return
    }
    // It is no data and no notification.
    let open = "--keys ada.jwks --senders sender.pub.jwks \(Pair.topic) --in request.json --now \(start)"
    for options in ["", "--data", "--push-type voip"] {
      try await tool.refuse("open \(open) \(options)", 65, "malformed-content")
    }
  }

  @Test func anAnswer() async throws {
    _ = try await pend("ada", tool.succeed(enrol("ada")), "--request request.json")
    let answer = "\(enrol("ada")) --answer request.json --senders"
    let first = try await tool.succeed("\(answer) sender.pub.jwks")
    // The same launch's enrolment arrives before the answer, which is too old then: the backend asks again.
    let plain = try await tool.succeed(enrol("ada"))
    _ = try await pend("ada", plain, "--request request.json --force")
    try await tool.refuse("\(backend) --registration ada", 65, "older-serial", input: .bytes(first.output))
    let second = try await tool.succeed("\(answer) sender.pub.jwks")
    let taken = try await tool.succeed("\(backend) --registration ada", input: .bytes(second.output))
    #expect(taken.text.contains(#""change":"registered""#) && !taken.text.contains("request"))
    // To another backend, of another sender, with another key: no answer.
    let before = try tool.contents("ada.identity.jwks")
    try await tool.refuse(
      "\(answer) sender.pub.jwks".replacingOccurrences(of: "push.example.com", with: "push.example.net"), 65,
      "other-audience")
    try await tool.succeed("keys new --role sender --out other.jwks")
    try await tool.succeed("keys export --keys other.jwks --out other.pub.jwks")
    try await tool.refuse("\(answer) other.pub.jwks", 65, "unknown-sender")
    try await tool.succeed("keys rotate --keys ada.jwks --unconfirmed --now \(start)")
    let refusal = try await tool.refuse("\(answer) sender.pub.jwks", 65, "inactive-key")
    #expect(refusal.hint == "enrol again without --answer")
    #expect(try tool.contents("ada.identity.jwks") == before)
  }

  @Test func aNewKeyIsNotUsedBeforeItIsProven() async throws {
    let (accept, enrol) = (
      "keys accept --registrations registrations \(Tool.backend) --registration ada --new",
      "keys enrol --keys ada.jwks --identity ada.identity.jwks --token 00ff --topic com.example.app "
        + Tool.audience
    )
    try await tool.register(tool.succeed("\(enrol) --now \(start)").output, accept: accept, enrol: enrol)
    let old = try await tool.keys("ada.jwks")[0].kid
    try await tool.succeed("keys rotate --keys ada.jwks --unconfirmed --now \(start)")
    _ = try await pend("ada", tool.succeed("\(enrol) --now \(start)"), "--request request.json")
    let sealed = try await seal(to: "ada")
    #expect(sealed.status == 0)
    struct Sealed: Decodable {
      struct Payload: Decodable { let ENCRYPTED_DATA: String }
      let payload: Payload
    }
    let envelope: Sealed = try sealed.json()
    // Bytes 2 to 10 are the key's id, which is where its name begins.
    let id = Array(try #require(base64url(envelope.payload.ENCRYPTED_DATA))[2..<10])
    #expect(id == Array(try #require(base64url(old)).prefix(8)))
  }

  private func base64url(_ text: String) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: standard + padding).map { [UInt8]($0) }
  }

  @Test func aKeyAlone() async throws {
    let line = try await pend("ada", tool.succeed(enrol("ada")), "--key-alone --request request.json")
    let request = try #require(line.request)
    #expect(request.device_token == nil && request.headers == nil && request.payload.count == 2)
    #expect(request.is_proof_request == nil)
    let answer = try await tool.succeed("\(enrol("ada")) --answer request.json --senders sender.pub.jwks")
    // The request was not pushed, so the token is not proven by its answer.
    let copy = try tool.contents("registrations")
    let pushed = try await tool.run("\(backend) --registration ada", input: .bytes(answer.output))
    #expect(pushed.status == 75)
    try tool.write(copy, to: "registrations")
    let taken = try await tool.succeed(
      "\(backend) --registration ada --key-alone", input: .bytes(answer.output))
    #expect(taken.text.contains(#""change":"registered""#))
  }

  @Test func nothingIsStoredThatCannotBeAsked() async throws {
    let enrolment = try await tool.succeed(enrol("ada"))
    let accept = "\(backend) --registration ada --new"
    try tool.write("x", to: "request.json")
    try await tool.refuse(
      "\(accept) --request request.json", 73, "request.json", input: .bytes(enrolment.output))
    for (from, status) in [("none.jwks", 66), ("ada.jwks", 65)] as [(String, Int32)] {
      try await tool.refuse(
        accept.replacingOccurrences(of: "--from sender.jwks", with: "--from \(from)"), status, from,
        input: .bytes(enrolment.output))
    }
    try await tool.refuse(
      accept.replacingOccurrences(of: "push.example.com", with: "push.example.net"), 65, "other-audience",
      input: .bytes(enrolment.output))
    #expect(try !tool.names.contains("registrations"))
  }
}
