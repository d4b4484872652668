import PushCore
import Testing

struct MessageBindingTests {
  private func binding(
    topic: String = "com.example.app", suite: Suite = .x25519ChaChaPoly,
    recipient: Thumbprint = Sample.thumbprint
  ) throws -> MessageBinding {
    MessageBinding(topic: try Topic(topic), suite: suite, recipient: recipient)
  }

  @Test("info has the format's bytes")
  func workedExample() throws {
    let expected =
      "7365616c65642d70757368207631" + "00" + "000f" + "636f6d2e6578616d706c652e617070" + "01" + "01"
      + "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    #expect(hex(try binding().info) == expected)
  }

  @Test("the suite of P-256 is 2 in info")
  func suite() throws {
    let left = try binding().info
    let right = try binding(suite: .p256AESGCM).info
    #expect(right[left.count - 33] == 2)
    #expect(left.count == right.count)
  }

  @Test("a topic's length takes two bytes", arguments: [1, 255])
  func topicLength(count: Int) throws {
    let info = try binding(topic: String(repeating: "a", count: count)).info
    #expect(Array(info[15..<17]) == [0, UInt8(count)])
    #expect(info.count == 17 + count + 34)
  }

  @Test("every part of a binding changes info")
  func distinct() throws {
    let infos = [
      try binding().info, try binding(topic: "com.example.apq").info, try binding(suite: .p256AESGCM).info,
      try binding(recipient: Sample.signer).info,
    ]
    #expect(Set(infos).count == infos.count)
  }

  @Test("the signature's input has the format's bytes")
  func signatureInput() throws {
    let claims = Sample.claims(issuedAt: 0x0102_0304_0506, lifetime: 0x0001_0203)
    let content = SealedContent(type: .background, claims: claims, content: [0xca, 0xfe])
    let input = content.signatureInput(for: try binding(), signer: Sample.signer.keyID)
    let expected =
      "7365616c65642d70757368207631207369676e617475726500" + hex(try binding().info)
      + "21" + "101112131415161718191a1b1c1d1e1f" + "0000010203040506" + "00010203"
      + "a0a1a2a3a4a5a6a7" + "cafe"
    #expect(hex(input) == expected)
  }

  @Test("a thumbprint has 32 bytes", arguments: [0, 8, 31, 33])
  func thumbprintSize(count: Int) {
    #expect(Thumbprint([UInt8](repeating: 1, count: count)) == nil)
  }

  @Test("a key ID is the beginning of the thumbprint")
  func keyID() {
    #expect(Sample.thumbprint.keyID.bytes == Array(0...7))
    #expect(Sample.thumbprint.text == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    #expect(Sample.thumbprint.keyID.text == "AAECAwQFBgc")
  }
}
