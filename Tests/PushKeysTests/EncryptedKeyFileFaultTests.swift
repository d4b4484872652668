import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

@Suite("An encrypted key file that is not as it was written", .needsArgon2id, .hangGuard)
struct EncryptedKeyFileFaultTests {
  private let encrypted: EncryptedFile
  private let contents: String

  init() throws {
    encrypted = try EncryptedFile()
    contents = try encrypted.contents
  }

  @Test func opensAsItWasWritten() throws {
    #expect(try encrypted.fault(of: contents) == nil)
    #expect(try encrypted.fault(of: contents.withFittingDigest) == nil)
    #expect(contents.withFittingDigest == contents)
  }

  @Test(arguments: [
    ("memory", "68719476736"), ("memory", "1073742848"), ("memory", "7168"), ("memory", "8193"),
    ("memory", "0"),
    ("memory", "-8192"), ("memory", "1e30"), ("memory", "8192.5"), ("memory", "99999999999999999999"),
    ("passes", "0"), ("passes", "17"), ("passes", "-1"), ("passes", "4294967297"), ("passes", "1.0"),
    ("passes", "18446744073709551617"),
  ])
  func asksForTooMuch(member: String, value: String) throws {
    let changed = contents.setting(member, to: value)
    #expect(try encrypted.fault(of: changed) == .unreasonableParameters)
    #expect(try encrypted.fault(of: changed.withFittingDigest) == .unreasonableParameters)
    // The parameters are refused before a missing passphrase is.
    expectFault(.unreasonableParameters) { try encrypted.other(nil).load() }
  }

  @Test(arguments: [
    ("kdf", #""scrypt""#), ("kdf", "1"), ("kdf", nil), ("passes", "2"), ("passes", #""1""#), ("passes", nil),
    ("memory", "16384"), ("memory", "null"), ("memory", nil), ("salt", #""AAAAAAAAAAAAAAAAAAAAAA""#),
    ("salt", #""""#), ("salt", nil), ("cipher", #""aes""#), ("cipher", nil),
    ("nonce", #""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#), ("nonce", nil), ("ciphertext", #""AAAA""#),
    ("ciphertext", #""""#), ("ciphertext", #""=""#), ("ciphertext", nil), ("sha256", #""AAAA""#),
    ("sha256", nil), ("encrypted", "1"), ("v", "null"), ("v", nil),
  ])
  func isDamagedInAMember(member: String, value: String?) throws {
    #expect(try encrypted.fault(of: contents.setting(member, to: value)) == .damaged)
  }

  @Test(arguments: [
    #"{"v":1,"encrypted":{}}"#, #"{"v":1,"encrypted":[],"ciphertext":"","sha256":""}"#, #"{"encrypted":"#,
    #"{"v":1,"encrypted":{"encrypted":{}},"v":1}"#,
  ])
  func isDamagedAsAWhole(contents: String) throws {
    #expect(try encrypted.fault(of: contents) == .damaged)
  }

  @Test func hasNoOtherMembers() throws {
    let more = contents.replacing(#","sha256""#, with: #","more":1,"sha256""#)
    #expect(try encrypted.fault(of: more) == .damaged)
    let within = contents.replacing(#","nonce""#, with: #","more":1,"nonce""#)
    #expect(try encrypted.fault(of: within.withFittingDigest) == .damaged)
  }

  /// Changes by an attacker who also corrects the digest.
  @Test(arguments: [
    ("passes", "2", KeyFileFault.wrongPassphrase), ("memory", "16384", .wrongPassphrase),
    ("salt", #""AAAAAAAAAAAAAAAAAAAAAA""#, .wrongPassphrase),
    ("nonce", #""AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#, .wrongPassphrase),
    ("ciphertext", #""""#, .wrongPassphrase), ("ciphertext", #""AAAAAAAAAAAAAAAAAAAAAA""#, .wrongPassphrase),
    ("salt", #""AAAA""#, .damaged), ("nonce", #""AAAA""#, .damaged), ("nonce", "7", .damaged),
    ("kdf", #""scrypt""#, .keySet(.unsupportedVersion)), ("cipher", #""aes""#, .keySet(.unsupportedVersion)),
  ])
  func isForged(member: String, value: String, error: KeyFileFault) throws {
    #expect(try encrypted.fault(of: contents.setting(member, to: value).withFittingDigest) == error)
  }

  @Test func isFromALaterVersion() throws {
    #expect(try encrypted.fault(of: contents.setting("v", to: "2")) == .keySet(.unsupportedVersion))
  }

  @Test func isCutAnywhere() throws {
    // Only the line feed at the end may be missing.
    for count in 0..<contents.utf8.count - 1 {
      let fault = try encrypted.fault(of: String(contents.prefix(count)))
      switch fault {
      case .damaged, .keySet(.empty), .keySet(.json): continue
      default: Issue.record("\(count) bytes: \(String(describing: fault))")
      }
    }
  }

  @Test func hasOneBitThatFlipped() throws {
    let bytes = Array(contents.utf8)
    for index in bytes.indices {
      var flipped = bytes
      flipped[index] ^= [1, 4, 32][index % 3]
      let fault = try encrypted.fault(of: String(decoding: flipped, as: UTF8.self))
      #expect(fault != nil && fault != .wrongPassphrase, "byte \(index)")
    }
  }
}
