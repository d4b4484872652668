import PushCore
import Testing

struct SealedContentTests {
  @Test("an anonymous plaintext has the format's bytes")
  func anonymousLayout() {
    let claims = Sample.claims(issuedAt: 0x0102_0304_0506, lifetime: 0x0001_0203)
    let plaintext = Sample.content([0xca, 0xfe], claims: claims, isSigned: false).encoded(paddedTo: 35)
    let head = "10" + "101112131415161718191a1b1c1d1e1f" + "0000010203040506" + "00010203"
    #expect(hex(plaintext) == head + "cafe" + "80" + "000000")
  }

  @Test("a signed plaintext has the format's bytes")
  func signedLayout() {
    let claims = Sample.claims(issuedAt: 0x0102_0304_0506, lifetime: 0x0001_0203)
    let content = Sample.content([0xca, 0xfe], type: .background, claims: claims, isSigned: true)
    let head = "21" + "101112131415161718191a1b1c1d1e1f" + "0000010203040506" + "00010203"
    let signature = "a0a1a2a3a4a5a6a7" + hex(Array(0x40...0x7f))
    #expect(hex(content.encoded(paddedTo: 106)) == head + signature + "cafe" + "80" + "0000")
  }

  @Test(
    "an encoded plaintext decodes to the same content",
    arguments: [true, false],
    [
      [], Array("{}".utf8), [0x80], [0x00], [0x80, 0x00, 0x00], [0x00, 0x80],
      [UInt8](repeating: 0, count: 40),
      [UInt8](repeating: 0x80, count: 3),
    ] as [[UInt8]])
  func identity(isSigned: Bool, bytes: [UInt8]) throws {
    for type in ContentType.allCases {
      let content = Sample.content(bytes, type: type, isSigned: isSigned)
      for extra in [0, 1, 2, 255] {
        let plaintext = content.encoded(paddedTo: content.minimumSize + extra)
        #expect(plaintext.count == content.minimumSize + extra)
        #expect(try decode(plaintext) == content)
      }
    }
  }

  @Test(
    "the largest times and lifetimes are kept",
    arguments: [0, 1, 4_102_444_800, 1 << 53 - 1] as [Int64], [0, 1, 2_592_000] as [Int64])
  func claims(issuedAt: Int64, lifetime: Int64) throws {
    let claims = Sample.claims(issuedAt: issuedAt, lifetime: lifetime)
    let content = Sample.content(claims: claims, isSigned: true)
    #expect(try decode(content.encoded(paddedTo: content.minimumSize)).claims == claims)
  }

  @Test("the overhead is 30 bytes, or 102 if signed")
  func overhead() {
    #expect(SealedContent.overhead(isSigned: false) == 30)
    #expect(SealedContent.overhead(isSigned: true) == 102)
    #expect(Sample.content([1, 2, 3], isSigned: false).minimumSize == 33)
    #expect(Sample.content([1, 2, 3], isSigned: true).minimumSize == 105)
  }

  @Test("a signature has 64 bytes", arguments: [0, 63, 65])
  func signatureSize(count: Int) {
    #expect(
      SealedContent.Signature(keyID: Sample.signer.keyID, bytes: Array(repeating: 0, count: count)) == nil)
  }

  @Test("signing adds the signature and changes nothing else")
  func signing() {
    let anonymous = Sample.content(isSigned: false)
    let signed = anonymous.signed(by: Sample.signature)
    #expect(anonymous.signature == nil)
    #expect(signed.signature == Sample.signature)
    #expect(signed.content == anonymous.content)
    #expect(signed.claims == anonymous.claims)
    #expect(signed.type == anonymous.type)
  }

  @Test("a size without room for the marker traps")
  func noRoom() async {
    await #expect(processExitsWith: .failure) {
      let content = Sample.content(isSigned: false)
      _ = content.encoded(paddedTo: content.minimumSize - 1)
    }
  }
}
