import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// Libsodium's sealed boxes.
struct SodiumSealedBoxTests {
  private let privateKey = [UInt8](1...32)
  private let box =
    "WGmv9FBUlzLLqu1eXfmzCm2jHLDldCutWtShp2jxpnuthlpGiz+LRbXtZdmwsXDMOfrqYvQyKVVS9rKEDuHmKTpB7xzQNnWgpNax00lX"
  private var format: SodiumSealedBox { SodiumSealedBox(privateKey: privateKey.span)! }

  @Test(.needsSealedBoxes) func `the example opens`() throws {
    #expect(SodiumSealedBox.isRecognized(["sealed_box": .string(box)]))
    #expect(text(try format.open(["sealed_box": .string(box)])) == #"{"title":"Hi","body":"Secret"}"#)
    let publicKey = bytes("07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c")
    #expect(format.recipient.publicKey == publicKey)
  }

  @Test(.needsSealedBoxes) func `the application names the member`() throws {
    let format = SodiumSealedBox(privateKey: privateKey.span, member: "box")!
    #expect(try format.open(["box": .string(box)]).count == 30)
    expect(.absent, from: format, opening: ["sealed_box": .string(box)])
    #expect(!SodiumSealedBox.isRecognized(["box": .string(box)]))
  }

  @Test(.needsSealedBoxes, arguments: [0, 1, 100, 6096]) func `what is sealed opens`(count: Int) throws {
    let plaintext = [UInt8](repeating: 9, count: count)
    let text = try SodiumSealedBox.seal(plaintext.span, to: format.recipient)
    #expect(text.utf8.count == (count + 48 + 2) / 3 * 4)
    #expect(try format.open(["sealed_box": .string(text)]) == plaintext)
  }

  @Test func `a plaintext that no payload holds is not sealed`() {
    let plaintext = [UInt8](repeating: 9, count: 6097)
    #expect(throws: EnvelopeFormatError.tooLarge) {
      try SodiumSealedBox.seal(plaintext.span, to: format.recipient)
    }
  }

  @Test func `two boxes of one plaintext differ`() throws {
    guard SealedBox.isAvailable else {
      // CryptoKit has none.
      #expect(throws: EnvelopeFormatError.unavailable) {
        try SodiumSealedBox.seal(Span(), to: format.recipient)
      }
      return
    }
    let first = try SodiumSealedBox.seal(Span(), to: format.recipient)
    #expect(try SodiumSealedBox.seal(Span(), to: format.recipient) != first)
  }

  @Test(.needsSealedBoxes) func `any character that changes is noticed`() {
    for offset in 0..<box.utf8.count {
      expect(
        .notAuthentic, from: format, opening: ["sealed_box": .string(changing(box, at: offset))])
    }
  }

  @Test(.needsSealedBoxes) func `another key opens nothing`() {
    let other = SodiumSealedBox(privateKey: [UInt8](2...33).span)!
    expect(.notAuthentic, from: other, opening: ["sealed_box": .string(box)])
  }

  @Test(arguments: [1, .null, "", "AAAA", "WGmv9FBUlzLL qu1e"] as [JSONValue])
  func `what is no box is malformed`(value: JSONValue) {
    expect(.malformed(member: "sealed_box"), from: format, opening: ["sealed_box": value])
    #expect(!SodiumSealedBox.isRecognized(["sealed_box": value]))
  }

  @Test(.needsSealedBoxes) func `a box has room for a key and a tag`() {
    let short = String(repeating: "A", count: 60) + "AAA="  // 47 bytes
    expect(.malformed(member: "sealed_box"), from: format, opening: ["sealed_box": .string(short)])
    // 48 zero bytes: a key of small order
    let zeros = String(repeating: "A", count: 64)
    expect(.notAuthentic, from: format, opening: ["sealed_box": .string(zeros)])
    let long = String(repeating: "A", count: 8193)
    expect(.tooLarge, from: format, opening: ["sealed_box": .string(long)])
  }

  @Test func `keys have 32 bytes, and no public key is of small order`() {
    #expect(SodiumSealedBox(privateKey: privateKey.span.extracting(0..<31)) == nil)
    #expect(SodiumRecipient(publicKey: privateKey.span.extracting(0..<31)) == nil)
    #expect(SodiumRecipient(publicKey: [UInt8](repeating: 0, count: 32).span) == nil)
  }
}
