import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// What a device says that it has opened: FORMAT.md, [11.31] to [11.33].
@Suite("A receipt")
struct ReceiptTests {
  private let ada = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private let ids = (0..<3).map { _ in MessageID.random() }

  private func receipt(of ids: [MessageID]? = nil, audience: Audience = Signed.audience) throws -> Receipt {
    try #require(try ada.receipt(of: ids ?? self.ids, Signed.topic, for: audience, at: start))
  }

  private func parsed(_ json: String) throws -> Receipt {
    try Receipt(parsing: Array(json.utf8).span, audience: Signed.audience)
  }

  /// A receipt with other claims than the library writes.
  private func signed(
    _ changes: [String: String?] = [:], type: String = "sealed-push-receipt+jws"
  ) -> String {
    let x = PushKeysTests.text(ada.identity).member("x")
    let claims = Signed.object(
      [
        "v": "1", "topic": #""com.example.app""#, "iat": "1700000000",
        "audience": #""https://push.example.com""#,
        "messages": #"["\#(ids[0])"]"#,
      ], changing: changes)
    let header = #"{"alg":"EdDSA","typ":"\#(type)","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}}"#
    let jws = Signed.jws(header: header, payload: claims, by: ada.identity)
    return #"{"v":1,"receipt":"\#(jws)"}"#
  }

  @Test("is read as it was signed, and spends no serial")
  func signed() throws {
    let receipt = try receipt()
    #expect(receipt.messages == ids && receipt.issuedAt == start)
    #expect(receipt.identity.thumbprint == ada.identity.records[0].id)
    #expect(
      try Receipt(parsing: receipt.encoded().span, for: Signed.topic, audience: Signed.audience) == receipt)
    let store = InMemoryKeyStore(ada)
    #expect(try store.receipt(of: ids, Signed.topic, for: Signed.audience, at: start) == receipt)
    let next = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(next.serial == start.seconds)
  }

  @Test("has each message once, and no more than 500, which fit into it with the longest names")
  func most() throws {
    let many = (0..<600).map { _ in MessageID.random() }
    let longest = try Audience(String(repeating: #"""#, count: 255))
    let topic = try Topic(String(repeating: "a", count: 255))
    let receipt = try #require(try ada.receipt(of: ids + many + many, topic, for: longest, at: start))
    #expect(receipt.messages == Array((ids + many).prefix(500)))
    #expect(receipt.encoded().count < Receipt.maximumSize)
    #expect(try Receipt(parsing: receipt.encoded().span, audience: longest) == receipt)
  }

  @Test("is there for messages and with keys alone")
  func nothing() throws {
    #expect(try ada.receipt(of: [], Signed.topic, for: Signed.audience, at: start) == nil)
    let store = InMemoryKeyStore()
    #expect(try store.receipt(of: ids, Signed.topic, for: Signed.audience, at: start) == nil)
  }

  @Test("for another backend, or of another app, is refused")
  func others() throws {
    let other = try receipt(audience: Audience("https://other.example.com"))
    #expect(throws: SignedSetError.otherAudience) {
      try Receipt(parsing: other.encoded().span, audience: Signed.audience)
    }
    let own = try receipt()
    #expect(throws: SignedSetError.otherTopic) {
      try Receipt(parsing: own.encoded().span, for: Signed.otherTopic, audience: Signed.audience)
    }
  }

  @Test("that somebody changed is refused")
  func changed() throws {
    let parts = zip([try receipt(), try receipt(of: [.random()]), try receipt()], 0...).map { receipt, part in
      receipt.signed.split(separator: ".")[part]
    }
    #expect(throws: SignedSetError.badSignature) {
      try parsed(#"{"v":1,"receipt":"\#(parts.joined(separator: "."))"}"#)
    }
  }

  @Test("with other claims, or without one, is refused")
  func claims() throws {
    #expect(try parsed(signed()).messages == [ids[0]])
    // Members that it does not know are ignored, as in every signed set.
    #expect(try parsed(signed(["more": "1"])).messages == [ids[0]])
    let many = (0..<501).map { _ in "\"\(MessageID.random())\"" }.joined(separator: ",")
    let malformed: [[String: String?]] = [
      ["topic": nil], ["iat": nil], ["audience": nil], ["messages": nil], ["messages": "[]"],
      ["messages": "{}"],
      ["messages": "[1]"], ["messages": #"["\#(ids[0])","\#(ids[0])"]"#],
      ["messages": #"["0B54A2C5-3F5B-4F0E-9D7C-3A3C1A4E8F10"]"#], ["messages": "[\(many)]"],
      ["iat": #""1""#],
    ]
    for changes in malformed {
      #expect(throws: SignedSetError.malformedClaims, "\(changes.keys)") { try parsed(signed(changes)) }
    }
    #expect(throws: SignedSetError.unsupportedVersion) { try parsed(signed(["v": "2"])) }
  }

  @Test("in an object that is not as it must be is refused")
  func object() throws {
    let jws = try receipt().signed
    for json in ["[]", #"{"v":1}"#, #"{"v":1,"receipt":1}"#, #"{"v":1,"receipt":"\#(jws)","more":1}"#] {
      #expect(throws: SignedSetError.malformedReceipt, "\(json)") { try parsed(json) }
    }
    #expect(throws: SignedSetError.unsupportedVersion) { try parsed(#"{"v":2,"receipt":"\#(jws)"}"#) }
    let padding = String(repeating: " ", count: Receipt.maximumSize)
    #expect(throws: SignedSetError.tooLarge) { try parsed(#"{"v":1,"receipt":"\#(jws)"}\#(padding)"#) }
  }

  @Test("is no leave, and no set, and neither is a receipt")
  func types() throws {
    var ada = ada
    let leave = try ada.leave(Signed.topic, for: Signed.audience, at: start)
    let set = try ada.enrol(address: Signed.address, for: Signed.audience, at: start)
    for signed in [leave.signed, set.signedKeys] {
      #expect(throws: SignedSetError.wrongType) { try parsed(#"{"v":1,"receipt":"\#(signed)"}"#) }
    }
    let receipt = try receipt().signed
    let asLeave = Array(#"{"v":1,"leave":"\#(receipt)"}"#.utf8)
    #expect(throws: SignedSetError.wrongType) { try Leave(parsing: asLeave.span, audience: Signed.audience) }
    let asSet = Array(
      String(decoding: set.encoded(), as: UTF8.self).replacing(set.signedKeys, with: receipt).utf8)
    #expect(throws: SignedSetError.wrongType) {
      try Enrolment(parsing: asSet.span, audience: Signed.audience)
    }
  }

  @Test("shows neither its text nor its messages in a log")
  func log() throws {
    let receipt = try receipt()
    #expect("\(receipt)" == "receipt of identity \(receipt.identity.thumbprint), 3 messages")
    var dumped = ""
    dump(receipt, to: &dumped)
    #expect(!dumped.contains(receipt.signed) && !dumped.contains(ids[0].text))
  }
}
