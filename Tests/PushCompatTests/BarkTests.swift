import PushCompat
import PushCore
import Testing
import PushReceiver

/// Bark's payloads; the values are of pyca/cryptography, the first one stands in Bark's description, too.
struct BarkTests {
  private static let keyText = "12345678901234567890123456789012"
  private static let plaintext = #"{"body": "test", "sound": "birdsong"}"#

  @Test(arguments: [
    (16, "d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr"),
    (24, "MYeTSQIyQ5dVXgstlaAZB1eShZESJqTgIoLN68LmOiwcp2jtgTlxKy4/whrfA9bC"),
    (32, "DU5gAgiWJPRg5N5Kh3qC9hoVD/+ViihiEa+qiunNaU6nfZ11hVqHg9l6vSbrIlsa"),
  ])
  func `CBC opens, with the payload's vector or the kept one`(size: Int, ciphertext: String) throws {
    let vector = String(repeating: "1", count: 16)
    let format = try cbc(size)
    #expect(try text(format.open(bark(ciphertext, iv: vector))) == Self.plaintext)
    let kept = try cbc(size, vector: vector)
    #expect(try text(kept.open(bark(ciphertext))) == Self.plaintext)
    let other = try cbc(size, vector: String(repeating: "2", count: 16))
    #expect(try text(other.open(bark(ciphertext, iv: vector))) == Self.plaintext)
  }

  @Test(arguments: [
    (16, "ylMMx7zodjKH02/QJUV4aNZcC2sKrciqU4q3r1FM6655WhRlI5PKiuVZMv6NWrMAZf1N/2M="),
    (24, "6HNsBT6YqbCynV6ocuaaT8oJF0BQ0AAoBmMMOtOUeSvjrm+U8Ow9iNQ5In2o1ukThCxKCgM="),
    (32, "+9CfgWY449vFMEvhomFKcD6cZZsKnNlWM8Nq/4icwMIT3ccCV+Rg1TX3ITi9Lbb+iCpkXAw="),
  ])
  func `GCM opens, and not when altered`(size: Int, ciphertext: String) throws {
    let vector = "123456789012"
    #expect(try text(gcm(size).open(bark(ciphertext, iv: vector))) == Self.plaintext)
    #expect(try text(gcm(size, vector: vector).open(bark(ciphertext))) == Self.plaintext)
    let error = EnvelopeFormatError.notAuthentic
    #expect(throws: error) { try gcm(size).open(bark(ciphertext, iv: "123456789013")) }
    for start in stride(from: 0, to: 72, by: 8) {
      var altered = Array(ciphertext.utf8)
      altered[start] = altered[start] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(throws: error) { try gcm(size).open(bark(text(altered), iv: vector)) }
    }
    #expect(throws: error) { try gcm(size == 16 ? 24 : 16).open(bark(ciphertext, iv: vector)) }
  }

  @Test func `a wrong key does not open CBC`() throws {
    let ciphertext = "d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr"
    let vector = String(repeating: "1", count: 16)
    #expect(throws: EnvelopeFormatError.notAuthentic) { try cbc(32).open(bark(ciphertext, iv: vector)) }
  }

  @Test func `a wrong key does not open ECB, nor do parts of blocks`() throws {
    // `openssl enc -aes-256-ecb`, under the key text of these tests.
    let ciphertext = "UwhBNZS82HFEd9XS80XjZlvCHLgodB0PQx1MypTDkFH3wLoGbmXd/D7oLJDlhiDC"
    #expect(try text(ecb(32).open(bark(ciphertext))) == Self.plaintext)
    #expect(throws: EnvelopeFormatError.notAuthentic) { try ecb(16).open(bark(ciphertext)) }
    let malformed = EnvelopeFormatError.malformed(member: "ciphertext")
    for text in ["", "AAAA"] { #expect(throws: malformed) { try ecb(16).open(bark(text)) } }
    for count in [0, 15, 17, 31, 33] {
      let key = [UInt8](repeating: 1, count: count)
      #expect(Bark.unauthenticatedECB(key: key.span) == nil)
    }
  }

  @Test func `no ciphertext, or none that can be`() throws {
    let vector = String(repeating: "1", count: 16)
    #expect(throws: EnvelopeFormatError.absent) { try cbc(16).open(["iv": .string(vector)]) }
    let malformed = EnvelopeFormatError.malformed(member: "ciphertext")
    #expect(throws: malformed) { try cbc(16).open(["ciphertext": 7, "iv": .string(vector)]) }
    let block = "AAAAAAAAAAAAAAAAAAAAAA=="
    for text in ["", "AAAA", block.replacing("=", with: ""), block + "\n", "*" + block.dropFirst()] {
      #expect(throws: malformed) { try cbc(16).open(bark(text, iv: vector)) }
    }
    // A tag's length is enough for GCM, less is not.
    #expect(throws: EnvelopeFormatError.notAuthentic) { try gcm(16).open(bark(block, iv: "123456789012")) }
    #expect(throws: malformed) { try gcm(16).open(bark("AAAAAAAAAAAAAAAAAAAA", iv: "123456789012")) }
    let long = String(repeating: "A", count: 8196)
    #expect(throws: EnvelopeFormatError.tooLarge) { try cbc(16).open(bark(long, iv: vector)) }
  }

  @Test(arguments: [nil, "", "123456789012345", "12345678901234567", "123456789012345é"] as [String?])
  func `no vector, or one of another length`(vector: String?) throws {
    let malformed = EnvelopeFormatError.malformed(member: "iv")
    let block = "AAAAAAAAAAAAAAAAAAAAAA=="
    #expect(throws: malformed) { try cbc(16).open(bark(block, iv: vector)) }
    #expect(throws: malformed) { try gcm(16).open(bark(block, iv: vector)) }
  }

  @Test func `a vector that is no string is not replaced by the kept one`() throws {
    let format = try cbc(16, vector: String(repeating: "1", count: 16))
    #expect(throws: EnvelopeFormatError.malformed(member: "iv")) {
      try format.open(["ciphertext": "AAAAAAAAAAAAAAAAAAAAAA==", "iv": 7])
    }
  }

  @Test func `keys and kept vectors of other lengths`() {
    for count in [0, 15, 17, 31, 33, 64] {
      let key = [UInt8](repeating: 1, count: count)
      #expect(Bark.unauthenticatedCBC(key: key.span) == nil)
      #expect(Bark.gcm(key: key.span) == nil)
    }
    let key = [UInt8](repeating: 1, count: 16)
    #expect(Bark.unauthenticatedCBC(key: key.span, initializationVector: key.dropLast()) == nil)
    #expect(Bark.gcm(key: key.span, initializationVector: key) == nil)
  }

  @Test func `it is recognized by its members`() {
    #expect(Bark.isRecognized(bark("AAAA")))
    #expect(Bark.isRecognized(bark("AAAA", iv: "1")))
    #expect(!Bark.isRecognized(bark("")))
    #expect(!Bark.isRecognized(["ciphertext": "AAAA", "iv": 1]))
    #expect(!Bark.isRecognized(["ciphertext": 1]))
    #expect(!Bark.isRecognized(["ciphertext": "AAAA", "ephemeral": "AAAA", "mac": "AAAA"]))
    #expect(!Bark.isRecognized(payload(Sample.salted)))
    #expect(Bark.name == "bark")
  }

  private func bark(_ ciphertext: String, iv: String? = nil) -> JSONObject {
    var payload: JSONObject = ["aps": ["mutable-content": 1], "ciphertext": .string(ciphertext)]
    payload["iv"] = iv.map { .string($0) }
    return payload
  }

  private func cbc(_ size: Int, vector: String? = nil) throws -> Bark {
    let key = Array(Self.keyText.utf8.prefix(size))
    let format = Bark.unauthenticatedCBC(key: key.span, initializationVector: vector.map { Array($0.utf8) })
    return try #require(format)
  }

  private func ecb(_ size: Int) throws -> Bark {
    let key = Array(Self.keyText.utf8.prefix(size))
    let format = Bark.unauthenticatedECB(key: key.span)
    return try #require(format)
  }

  private func gcm(_ size: Int, vector: String? = nil) throws -> Bark {
    let key = Array(Self.keyText.utf8.prefix(size))
    let format = Bark.gcm(key: key.span, initializationVector: vector.map { Array($0.utf8) })
    return try #require(format)
  }
}
