import PushCompat
import PushCore
import Testing

/// What payloads show without a key.
struct ForeignEnvelopeTests {
  @Test func `what starts as OpenSSL's is OpenSSL's, in Bark's member too`() throws {
    let payload: JSONObject = ["ciphertext": .string(Sample.salted)]
    let envelope = try #require(ForeignEnvelope(in: payload))
    #expect(envelope.format == OpenSSLSalted.name && envelope.members == ["ciphertext"])
  }

  @Test func `the state of a Live Activity`() throws {
    let state: JSONObject = ["aps": ["content-state": ["x": .string(Sample.salted)]]]
    let envelope = try #require(ForeignEnvelope(in: state))
    #expect(envelope.members == ["x"] && envelope.ciphertextSize == 32)
    #expect(envelope.details == ["salt": "0102030405060708"])
  }

  @Test func `bytes printed as characters are named, and recognized by nobody who would open them`() throws {
    let payload: JSONObject = ["x": "Salted__·öîQÊ$UDì"]
    let envelope = try #require(ForeignEnvelope(in: payload))
    #expect(envelope.format == OpenSSLSalted.name && envelope.members == ["x"])
    #expect(envelope.ciphertextSize == nil && envelope.details == ["encoding": "raw"])
    #expect(!OpenSSLSalted.isRecognized(payload))
    #expect(ForeignEnvelope(in: ["x": "Salted_", "y": "salted__"]) == nil)
  }

  @Test func `what begins as the package's own under its key is the package's, good or not`() {
    let box = JSONValue.string(String(repeating: "A", count: 64))
    for own in ["AQ", "AQEAAA", "AQ" + String(repeating: "A", count: 62)] {
      let payload: JSONObject = ["ENCRYPTED_DATA": .string(own), "sealed_box": box]
      #expect(ForeignEnvelope(in: payload, besides: .default) == nil)
    }
    for other in ["", "AA", "!!AQ", 1, .null] as [JSONValue] {
      let payload: JSONObject = ["ENCRYPTED_DATA": other, "sealed_box": box]
      #expect(ForeignEnvelope(in: payload, besides: .default)?.format == SodiumSealedBox.name)
    }
    #expect(ForeignEnvelope(in: ["sealed_box": box], besides: .default)?.format == SodiumSealedBox.name)
    let salted = JSONValue.string(Sample.salted)
    let state: JSONObject = ["aps": ["content-state": ["ENCRYPTED_DATA": salted]]]
    #expect(ForeignEnvelope(in: state, besides: .default)?.members == ["ENCRYPTED_DATA"])
  }

  @Test func `what is too long or cut has no ciphertext that can open`() throws {
    for text in [
      Sample.salted + String(repeating: "A", count: 8192), String(Sample.salted.dropLast(4)), "U2FsdGVkX1",
    ] {
      let envelope = try #require(ForeignEnvelope(in: ["x": .string(text)]))
      #expect(envelope.format == OpenSSLSalted.name && envelope.ciphertextSize == nil)
    }
    let long = JSONValue.string(String(repeating: "A", count: 8196))
    #expect(ForeignEnvelope(in: ["ciphertext": long])?.ciphertextSize == nil)
    #expect(ForeignEnvelope(in: ["ciphertext": "AAAA"])?.ciphertextSize == 3)
  }
}
