import PushCrypto
import Testing

/// A key from a passphrase.
struct Argon2idTests {
  /// Values with one lane, which RFC 9106's vectors lack: OpenSSL's Argon2id (Python's `cryptography`) gives them too.
  @Test(
    .enabled(if: Argon2id.isAvailable, "CryptoKit has no Argon2id"),
    arguments: [
      (
        "correct horse", "000102030405060708090a0b0c0d0e0f", 3, 64,
        "a1dc6a57c61d5fb470584e24085ea3216fd369c61bcd5f845745f9cb0ed02fca"
      ),
      (
        "correct horse", "000102030405060708090a0b0c0d0e0f", 1, 8,
        "3bfa796a86260b73457e1290b51695931a17e266f601d0fb45563e282fb6865b"
      ),
      ("", "00000000000000000000000000000000", 16, 256, "c90dc204a045598757279486109f4a28"),
      (
        "p\u{e4}sswort", "0f0e0d0c0b0a09080706050403020100", 2, 1024,
        "c24b81cc0eeed2dbf4fd0ae88a01029435c3573da8f054f804f46c974c44b791"
      ),
    ])
  func `another implementation's keys`(
    passphrase: String, salt: String, passes: Int, kibibytes: Int, key: String
  ) throws {
    let parameters = try #require(Argon2id.Parameters(passes: passes, memory: kibibytes << 10))
    let derived = try Argon2id.key(
      of: [UInt8](passphrase.utf8).span, salt: bytes(salt).span, parameters: parameters, count: key.count / 2)
    #expect(exposed(derived) == bytes(key))
  }

  @Test(arguments: [(1, 8 << 10), (16, 1 << 30), (3, 256 << 20)])
  func `parameters in range`(passes: Int, memory: Int) throws {
    let parameters = try #require(Argon2id.Parameters(passes: passes, memory: memory))
    #expect(parameters.passes == passes)
    #expect(parameters.memory == memory)
  }

  @Test(arguments: [
    (0, 8 << 10), (17, 8 << 10), (-1, 8 << 10), (1, (8 << 10) - 1024), (1, (8 << 10) + 1), (1, 0),
    (1, (1 << 30) + 1024), (1, 64 << 30), (1, -(8 << 10)), (Int.max, Int.max),
  ])
  func `parameters out of range`(passes: Int, memory: Int) {
    #expect(Argon2id.Parameters(passes: passes, memory: memory) == nil)
  }

  @Test func `what a new file costs`() {
    #expect(Argon2id.Parameters.moderate == Argon2id.Parameters(passes: 3, memory: 256 << 20))
  }
}
