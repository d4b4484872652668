@testable import PushCrypto
import TestSupport
import Testing

/// HMAC with SHA-256 against Wycheproof, and SHA-256 itself.
struct HMACTests {
  @Test func `the file is complete`() throws {
    #expect(try HMACCase.load().count == 174)
    #expect(try HMACCase.load().count { $0.result == .invalid } == 108)
  }

  /// A tag shorter than 32 bytes is the code's beginning.
  @Test(arguments: try HMACCase.load()) func wycheproof(test: HMACCase) {
    for hmac in [HMACSHA256(), .quick()] {
      let code = code(hmac, test.msg.bytes, key: test.key.bytes)
      #expect((Array(code.prefix(test.tag.bytes.count)) == test.tag.bytes) == (test.result == .valid))
    }
  }

  /// The key is shorter than a block, as long, longer, and empty.
  @Test(arguments: [0, 1, 32, 63, 64, 65, 200]) func `both libraries have the same code`(keySize: Int) {
    let key = [UInt8](repeating: 0x0b, count: keySize)
    let message = [UInt8]("message".utf8)
    #expect(code(HMACSHA256(), message, key: key) == code(.quick(), message, key: key))
  }

  @Test func `one code after another`() {
    for hmac in [HMACSHA256(), .quick()] {
      let first = code(hmac, [1, 2, 3], key: [1])
      #expect(code(hmac, [1, 2, 3], key: [2]) != first)
      #expect(code(hmac, [], key: []) == code(HMACSHA256(), [], key: []))
      #expect(code(hmac, [1, 2, 3], key: [1]) == first)
    }
  }

  @Test func `a code that was begun leaves nothing in the next one`() {
    for hmac in [HMACSHA256(), .quick()] {
      hmac.start(key: [1].span)
      hmac.update("forgotten")
      #expect(code(hmac, [1, 2, 3], key: [1]) == code(HMACSHA256(), [1, 2, 3], key: [1]))
    }
  }

  @Test func `another code under the same key`() {
    for hmac in [HMACSHA256(), .quick()] {
      let first = code(hmac, [1, 2, 3], key: [1])
      hmac.restart()
      hmac.update("forgotten")
      hmac.restart()
      hmac.update([1, 2, 3].span)
      #expect(exposed(hmac.finish()) == first)
    }
  }

  /// A context that was used may serve again.
  @Test func `a new code has no key of an earlier one`() {
    let expected = code(HMACSHA256(), [1, 2, 3], key: [])
    for _ in 0..<3 {
      #expect(code(.quick(), [1, 2, 3], key: [1]) != expected)
      #expect(code(.quick(), [1, 2, 3], key: []) == expected)
    }
  }

  /// The context that one code leaves behind may be the next one of another thread.
  @Test(.hangGuard) func `several threads compute at once`() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in UInt8(1)...16 {
        group.addTask {
          let expected = code(HMACSHA256(), [1, 2, 3], key: [number])
          return (0..<500).allSatisfy { _ in code(.quick(), [1, 2, 3], key: [number]) == expected }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  #if !canImport(CryptoKit)  // which has one way alone
    @Test func `OpenSSL has the codes, for the side that seals`() {
      #expect(OpenSSLHMAC() != nil)
    }
  #endif

  @Test func `pieces make the same code as the whole`() {
    for hmac in [HMACSHA256(key: [1, 2, 3].span), started(.quick(), key: [1, 2, 3])] {
      expectSameCode(hmac)
    }
  }

  private func expectSameCode(_ hmac: HMACSHA256) {
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
