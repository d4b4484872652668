import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// Receipts and a device's other tokens are read, or refused for their reason.
@Suite struct StatementVectorTests {
  private let folder = VectorFolder()

  /// Which messages were shown is the store's business: [11.33].
  @Test func everyReceiptIsReadOrRefused() throws {
    let vectors = try folder.read("signed.json", "receipts")
    #expect(vectors.count >= 120)
    try expect(vectors, "receipt") { (text, topic, audience) throws(SignedSetError) in
      let receipt = try Receipt(parsing: text.span, for: topic, audience: audience)
      return (
        receipt.identity, receipt.encoded(), ["messages": .array(receipt.messages.map { .string($0.text) })]
      )
    }
  }

  /// Whose tokens they are, and who has them already, `TokenVectorTests` looks at: [11.37].
  @Test func allTokensAreReadOrRefused() throws {
    let vectors = try folder.read("signed.json", "tokens").filter { $0["rule"] != "11.37" }
    #expect(vectors.count >= 120)
    try expect(vectors, "tokens") { (text, topic, audience) throws(SignedSetError) in
      let tokens = try DeviceTokens(parsing: text.span, for: topic, audience: audience)
      return (tokens.identity, tokens.encoded(), ["serial": .number(JSONNumber(tokens.serial))])
    }
  }

  private func expect(
    _ vectors: [JSONObject], _ member: String,
    _ read: ([UInt8], Topic?, Audience) throws(SignedSetError) -> (PublicKey, [UInt8], JSONObject)
  ) throws {
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let spaces = [UInt8](repeating: 0x20, count: Int(vector["spaces"]?.number?.integer ?? 0))
      let text = Array(try #require(vector[member]?.string).utf8) + spaces
      let topic = try vector["topic"]?.string.map { try Topic($0) }
      let audience = try Audience(try #require(vector["audience"]?.string))
      do throws(SignedSetError) {
        let (identity, written, claims) = try read(text, topic, audience)
        #expect(["accepted", "unchanged"].contains(vector["expect"]?.string), "\(id)")
        #expect(identity.thumbprint.text == vector["identity"]?.string, "\(id)")
        let payload = try? folder.object(vector["payload"])
        for (name, value) in claims { #expect(payload?[name] == value, "\(id)") }
        let again = try? read(written, topic, audience)
        #expect(again?.0 == identity && again?.1 == written && again?.2 == claims, "\(id)")
      } catch {
        #expect(error.code == vector["expect"]?.string, "\(id)")
      }
    }
  }
}
