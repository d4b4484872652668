import PushCrypto
import Testing

/// All AEADs against Wycheproof, for nonces of 12 bytes.
struct AEADVectorTests {
  @Test func `the files are complete`() throws {
    #expect(try AEADCase.load("chacha20_poly1305").count == 316)
    #expect(try AEADCase.load("chacha20_poly1305").count { $0.result == .invalid } == 60)
    #expect(try AEADCase.load("aes_gcm_128").count == 67)
    #expect(try AEADCase.load("aes_gcm_128").count { $0.result == .invalid } == 27)
    #expect(try AEADCase.load("aes_gcm").count == 66)
    #expect(try AEADCase.load("aes_gcm").count { $0.result == .invalid } == 27)
  }

  @Test(arguments: try AEADCase.load("chacha20_poly1305")) func chaCha20Poly1305(test: AEADCase) throws {
    try check(.chaCha20Poly1305, test)
  }

  @Test(arguments: try AEADCase.load("aes_gcm_128")) func aes128GCM(test: AEADCase) throws {
    try check(.aes128GCM, test)
  }

  @Test(arguments: try AEADCase.load("aes_gcm")) func aes256GCM(test: AEADCase) throws {
    try check(.aes256GCM, test)
  }

  private func check(_ aead: AEAD, _ test: AEADCase) throws {
    let sealed = test.ct.bytes + test.tag.bytes
    let key = test.key.bytes
    let nonce = test.iv.bytes
    let computed = try aead.seal(
      test.msg.bytes.span, authenticating: test.aad.bytes.span, key: key.span, nonce: nonce.span)
    if test.result == .valid {
      #expect(computed == sealed)
      let opened = try aead.open(
        sealed.span, authenticating: test.aad.bytes.span, key: key.span, nonce: nonce.span)
      #expect(exposed(opened) == test.msg.bytes)
    } else {
      #expect(computed != sealed)
      #expect(throws: CryptoError.notAuthentic) {
        _ = try aead.open(
          sealed.span, authenticating: test.aad.bytes.span, key: key.span, nonce: nonce.span)
      }
    }
  }
}

struct AEADCase: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let key, iv, aad, msg, ct, tag: Hex
  let result: WycheproofResult

  var testDescription: String { "\(tcId) \(comment)" }

  static func load(_ file: String) throws -> [AEADCase] { try WycheproofFile<AEADCase>.load(file) }
}
