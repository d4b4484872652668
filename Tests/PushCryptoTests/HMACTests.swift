import PushCrypto
import Testing

/// HMAC with SHA-256 against Wycheproof, and SHA-256 itself.
struct HMACTests {
  @Test func `the file is complete`() throws {
    #expect(try HMACCase.load().count == 174)
    #expect(try HMACCase.load().count { $0.result == .invalid } == 108)
  }

  /// A tag shorter than 32 bytes is the code's beginning.
  @Test(arguments: try HMACCase.load()) func wycheproof(test: HMACCase) {
    let code = hmac(test.msg.bytes, key: test.key.bytes)
    #expect((Array(code.prefix(test.tag.bytes.count)) == test.tag.bytes) == (test.result == .valid))
  }

  @Test func `pieces make the same code as the whole`() {
    let hmac = HMACSHA256(key: [1, 2, 3].span)
    hmac.update("mes")
    hmac.update(Span())
    hmac.update(UInt8(ascii: "s"))
    hmac.update([UInt8]("age".utf8).span)
    let code = hmac.finish()
    #expect(exposed(code) == self.hmac([UInt8]("message".utf8), key: [1, 2, 3]))
  }

  /// FIPS 180-4's example, and the empty message.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ]) func `SHA-256`(message: String, digest: String) {
    #expect(SHA256.digest([UInt8](message.utf8).span) == bytes(digest))
  }

  private func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    let hmac = HMACSHA256(key: key.span)
    hmac.update(message.span)
    return exposed(hmac.finish())
  }
}

struct HMACCase: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let key, msg, tag: Hex
  let result: WycheproofResult

  var testDescription: String { "\(tcId) \(comment)" }

  static func load() throws -> [HMACCase] { try WycheproofFile<HMACCase>.load("hmac_sha256") }
}
