import PushTesting
import PushCore
import Testing

struct EnvelopeTests {
  @Test("the parts are where FORMAT.md puts them", arguments: Suite.allCases)
  func layout(suite: Suite) throws {
    let envelope = try Sample.envelope(suite)
    let expected =
      [1, suite.rawValue] + Array(0x00...0x07) + Sample.encapsulatedKey(suite) + envelope.ciphertext
    #expect(envelope.encoded() == expected)
    #expect(envelope.text == base64URL(expected))
  }

  @Test("the numbers of the suites are the format's")
  func suites() {
    #expect(Suite.allCases.map(\.rawValue) == [0x01, 0x02, 0x03, 0x10])
    #expect(Suite.allCases.map(\.encapsulatedKeySize) == [32, 65, 1120, 64])
    #expect(
      Suite.allCases.map(\.name)
        == ["x25519-chachapoly", "p256-aesgcm", "xwing-aesgcm", "shared-chachapoly"])
    for suite in Suite.allCases { #expect(Suite(name: suite.name) == suite) }
    #expect(Suite(name: "X25519-ChaChaPoly") == nil)
  }

  @Test("a decoded envelope encodes to the same bytes", arguments: Suite.allCases)
  func identity(suite: Suite) throws {
    var generator = SeededGenerator(seed: UInt64(suite.rawValue))
    for size in 16...80 {
      var bytes = [1, suite.rawValue] + generator.bytes(count: 8 + suite.encapsulatedKeySize + size)
      if suite == .p256AESGCM { bytes[10] = 0x04 }
      let text = base64URL(bytes)
      let envelope = try Envelope(decoding: text)
      #expect(envelope.text == text)
      #expect(envelope.encoded() == bytes)
      #expect(envelope.suite == suite)
      #expect(envelope.keyID.bytes == Array(bytes[2..<10]))
      #expect(envelope.encapsulatedKey == Array(bytes[10..<10 + suite.encapsulatedKeySize]))
      #expect(envelope.ciphertext == Array(bytes.suffix(size)))
    }
  }

  @Test("a prefix is an envelope only if it has a whole tag", arguments: Suite.allCases)
  func prefixes(suite: Suite) throws {
    let bytes = try Sample.envelope(suite).encoded()
    let shortest = 10 + suite.encapsulatedKeySize + 16
    for count in 0..<shortest {
      #expect(throws: EnvelopeError.truncated, "\(count) bytes") {
        try Envelope(decoding: base64URL(Array(bytes.prefix(count))))
      }
    }
    for count in shortest...bytes.count {
      let envelope = try Envelope(decoding: base64URL(Array(bytes.prefix(count))))
      #expect(envelope.ciphertext.count == 16 + count - shortest)
    }
  }

  @Test("only version 1 is read, whatever follows", arguments: [0, 2, 3, 0x7f, 0x81, 255] as [UInt8])
  func versions(version: UInt8) throws {
    let rest = try Sample.envelope(.x25519ChaChaPoly).encoded().dropFirst()
    for bytes in [[version] + rest, [version]] {
      #expect(throws: EnvelopeError.unsupportedVersion(version)) { try Envelope(decoding: base64URL(bytes)) }
    }
  }

  @Test("only the suites of the table are read", arguments: [0, 4, 0x0f, 0x11, 0x90, 255] as [UInt8])
  func unknownSuites(suite: UInt8) throws {
    let rest = try Sample.envelope(.x25519ChaChaPoly).encoded().dropFirst(2)
    for bytes in [[1, suite] + rest, [1, suite]] {
      #expect(throws: EnvelopeError.unsupportedSuite(suite)) { try Envelope(decoding: base64URL(bytes)) }
    }
  }

  @Test("a point of P-256 is uncompressed", arguments: (0...255).filter { $0 != 4 } as [UInt8])
  func pointForms(first: UInt8) throws {
    var bytes = try Sample.envelope(.p256AESGCM).encoded()
    bytes[10] = first
    #expect(throws: EnvelopeError.badEncapsulatedKey) { try Envelope(decoding: base64URL(bytes)) }
  }

  @Test("an X25519 key may begin with anything", arguments: [0, 2, 3, 4, 6, 7, 255] as [UInt8])
  func anyCoordinate(first: UInt8) throws {
    var bytes = try Sample.envelope(.x25519ChaChaPoly).encoded()
    bytes[10] = first
    #expect(try Envelope(decoding: base64URL(bytes)).encapsulatedKey.first == first)
  }

  @Test("an encapsulated key has its suite's length", arguments: Suite.allCases, [0, 31, 33, 63, 66])
  func encapsulatedKeySize(suite: Suite, count: Int) {
    #expect(throws: EnvelopeError.badEncapsulatedKey) {
      try Envelope(
        suite: suite, keyID: Sample.thumbprint.keyID,
        encapsulatedKey: Array(Sample.encapsulatedKey(.p256AESGCM) + [1]).prefix(count) + [],
        ciphertext: [UInt8](repeating: 0, count: 16))
    }
  }

  @Test("a ciphertext has at least its tag", arguments: Suite.allCases, 0...15)
  func shortCiphertext(suite: Suite, count: Int) {
    #expect(throws: EnvelopeError.truncated) { try Sample.envelope(suite, ciphertextSize: count) }
  }

  @Test("8192 characters are read, and a longer text is refused unread")
  func maximumTextSize() throws {
    let longest = try Sample.envelope(.x25519ChaChaPoly, ciphertextSize: 6144 - 42).text
    #expect(longest.utf8.count == 8192)
    #expect(try Envelope(decoding: longest).text == longest)
    for text in [longest + "A", longest + "AA", String(repeating: " ", count: 8193)] {
      #expect(throws: EnvelopeError.tooLarge) { try Envelope(decoding: text) }
    }
    // 8193 bytes, though fewer characters
    let wide = String(repeating: "é", count: 4096) + "A"
    #expect(throws: EnvelopeError.tooLarge) { try Envelope(decoding: wide) }
  }

  @Test(
    "a text that is not base64url is refused with the reason",
    arguments: [("AQ==", .padding, 2), ("AQ E", .whitespace, 2)] as [(String, Base64URLError.Reason, Int)])
  func notBase64URL(text: String, reason: Base64URLError.Reason, offset: Int) {
    let error = #expect(throws: EnvelopeError.self) { try Envelope(decoding: text) }
    guard case .notBase64URL(let cause)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(cause.reason == reason)
    #expect(cause.offset == offset)
  }

  @Test("two joined envelopes are read as one with a longer ciphertext", arguments: Suite.allCases)
  func concatenated(suite: Suite) throws {
    let bytes = try Sample.envelope(suite).encoded()
    let envelope = try Envelope(decoding: base64URL(bytes + bytes))
    #expect(envelope.encoded() == bytes + bytes)
    #expect(envelope.ciphertext.count == 40 + bytes.count)
  }

  @Test("the capacity is the longest plaintext whose envelope fits", arguments: Suite.allCases, 150...420)
  func capacity(suite: Suite, textSize: Int) throws {
    let capacity = Envelope.capacity(textSize: textSize, suite: suite)
    #expect(capacity == textSize * 3 / 4 - 10 - suite.encapsulatedKeySize - 16)
    guard capacity >= 0 else { return }
    #expect(try Sample.envelope(suite, ciphertextSize: capacity + 16).text.utf8.count <= textSize)
    #expect(try Sample.envelope(suite, ciphertextSize: capacity + 17).text.utf8.count > textSize)
  }

  @Test("a text size without room gives no capacity, and does not trap", arguments: [-5000, -1, 0, 1])
  func noCapacity(textSize: Int) {
    #expect(Envelope.capacity(textSize: textSize, suite: .x25519ChaChaPoly) <= 0)
  }
}
