@testable import PushCrypto
import TestSupport
import Testing

/// HMAC with SHA-256 against Wycheproof, and SHA-256 itself.
struct HMACTests {
  @Test func `the file is complete`() throws {
    #expect(try HMACCase.load().count == 174)
    #expect(try HMACCase.load().count { $0.result == .invalid } == 108)
  }

  /// A tag of less than 32 bytes is the beginning of the code.
  @Test(arguments: try HMACCase.load()) func wycheproof(test: HMACCase) {
    let code = code(HMACSHA256(), test.msg.bytes, key: test.key.bytes)
    #expect((Array(code.prefix(test.tag.bytes.count)) == test.tag.bytes) == (test.result == .valid))
  }

  /// RFC 2104, 2: a key is padded with zeros to a block of 64 bytes.
  @Test(arguments: [0, 1, 32, 63, 64]) func `a key goes on with zeros, up to a block`(keySize: Int) {
    let key = [UInt8](repeating: 0x0b, count: keySize)
    let block = key + [UInt8](repeating: 0, count: 64 - keySize)
    #expect(code(HMACSHA256(), [1, 2, 3], key: key) == code(HMACSHA256(), [1, 2, 3], key: block))
  }

  @Test(arguments: [65, 128, 200]) func `a key longer than a block is its digest`(keySize: Int) {
    let key = [UInt8](repeating: 0x0b, count: keySize)
    let digest = SHA256.digest(key.span)
    #expect(code(HMACSHA256(), [1, 2, 3], key: key) == code(HMACSHA256(), [1, 2, 3], key: digest))
  }

  @Test func `one code after another`() {
    let hmac = HMACSHA256()
    let first = code(hmac, [1, 2, 3], key: [1])
    #expect(code(hmac, [1, 2, 3], key: [2]) != first)
    #expect(code(hmac, [], key: []) == code(HMACSHA256(), [], key: []))
    #expect(code(hmac, [1, 2, 3], key: [1]) == first)
  }

  @Test func `a code that was begun leaves nothing in the next one`() {
    let hmac = HMACSHA256(key: [1].span)
    hmac.update("forgotten")
    #expect(code(hmac, [1, 2, 3], key: [1]) == code(HMACSHA256(), [1, 2, 3], key: [1]))
  }

  @Test func `another code under the same key`() {
    let hmac = HMACSHA256()
    let first = code(hmac, [1, 2, 3], key: [1])
    hmac.restart()
    hmac.update("forgotten")
    hmac.restart()
    hmac.update([1, 2, 3].span)
    #expect(exposed(hmac.finish()) == first)
  }

  @Test func `a code as the key of the next ones`() {
    let hmac = HMACSHA256(key: [1].span)
    hmac.update([1, 2, 3].span)
    hmac.finishAsKey()
    for _ in 0..<2 {
      hmac.restart()
      hmac.update([4, 5].span)
      let key = code(HMACSHA256(), [1, 2, 3], key: [1])
      #expect(exposed(hmac.finish()) == code(HMACSHA256(), [4, 5], key: key))
    }
  }

  @Test func `pieces make the same code as the whole`() {
    let hmac = HMACSHA256(key: [1, 2, 3].span)
    hmac.update("mes")
    hmac.update(Span())
    hmac.update(UInt8(ascii: "s"))
    hmac.update([UInt8]("age".utf8).span)
    let pieces = hmac.finish()
    #expect(exposed(pieces) == code(HMACSHA256(), [UInt8]("message".utf8), key: [1, 2, 3]))
  }

  /// FIPS 180-4's example, and the empty message.
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
  ]) func `SHA-256`(message: String, digest: String) {
    #expect(SHA256.digest([UInt8](message.utf8).span) == bytes(digest))
  }

  private func code(_ hmac: HMACSHA256, _ message: [UInt8], key: [UInt8]) -> [UInt8] {
    let hmac = started(hmac, key: key)
    hmac.update(message.span)
    return exposed(hmac.finish())
  }

  private func started(_ hmac: HMACSHA256, key: [UInt8]) -> HMACSHA256 {
    hmac.start(key: key.span)
    return hmac
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
