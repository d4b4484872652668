import Foundation
import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// OpenSSL's `Salted__`, read and written; the values are of pyca/cryptography and `hashlib`.
struct OpenSSLSaltedTests {
  struct Example: Sendable {
    let derivation: OpenSSLSalted.Derivation
    /// The sample's plaintext under its password and the salt 01 02 … 08.
    let envelope: String
  }

  private static let examples = [
    Example(derivation: .pbkdf2, envelope: Sample.salted),
    Example(
      derivation: .pbkdf2(iterations: 100_000)!,
      envelope: "U2FsdGVkX18BAgMEBQYHCIVQtVBxH8qrdk3YaOu3tXwhvjNZTfRtqag9C1xP3SIM"),
    Example(
      derivation: .pbkdf2(iterations: 1000, digest: .sha1)!,
      envelope: "U2FsdGVkX18BAgMEBQYHCOdcAAWgdogbiCA+GioLv9DWPZekxu/iBH1fES+52zsW"),
    Example(
      derivation: .pbkdf2(iterations: 1000, digest: .sha512)!,
      envelope: "U2FsdGVkX18BAgMEBQYHCA+SqE/FBvQmZIZwQDr6mwv0JU8Gu0xmPNWqf3uw7rOw"),
    Example(
      derivation: .bytesToKey(digest: .md5),
      envelope: "U2FsdGVkX18BAgMEBQYHCMooFcHg+PDSzH97AXOIGho1KB8jhK4gA6PKYBVtQQXx"),
    Example(
      derivation: .bytesToKey(digest: .sha1),
      envelope: "U2FsdGVkX18BAgMEBQYHCE5S4svFqUwatJBMfDrx1c213leKQcy30FTygzc1xPhX"),
    Example(
      derivation: .bytesToKey(digest: .sha256),
      envelope: "U2FsdGVkX18BAgMEBQYHCHjbpfa33kO9fNDHkjs00ckO+UXoYGgkUb/3zTzkrONR"),
    Example(
      derivation: .bytesToKey(digest: .sha512),
      envelope: "U2FsdGVkX18BAgMEBQYHCFKcfNRHHY4J23GI+aEJTD9vHG4CtX6h6P6MAKw7XNzu"),
  ]
  /// None where CommonCrypto, which has no PBKDF2 with MD5, is the library.
  private static let withMD5 = [OpenSSLSalted.Derivation.pbkdf2(iterations: 1000, digest: .md5)]
    .compactMap(\.self)
    .map {
      Example(derivation: $0, envelope: "U2FsdGVkX18BAgMEBQYHCJF0zIH0/HVR6UFIA2/4ORJTnqog4JfnvMkJMkNPMftD")
    }

  @Test(arguments: examples + withMD5) func `a worked envelope opens`(example: Example) throws {
    let format = try salted(Sample.password, example.derivation)
    #expect(try text(format.open(payload(example.envelope))) == Sample.plaintext)
  }

  @Test(arguments: examples + withMD5) func `a worked envelope is written byte for byte`(example: Example)
    throws
  {
    let format = try salted(Sample.password, example.derivation)
    let plaintext = [UInt8](Sample.plaintext.utf8)
    let sealed = try format.sealedBytes(of: plaintext.span, random: FixedRandom(value: [UInt8](1...8)))
    #expect(try text(format.open(bytes: sealed.span)) == Sample.plaintext)
    #expect(try format.open(text: example.envelope) == plaintext)
    #expect(sealed == decoded(example.envelope))
  }

  @Test(arguments: [0, 1, 2, 15, 16, 17, 3000]) func `a plaintext makes a round trip`(count: Int) throws {
    let format = try salted()
    let plaintext = [UInt8](repeating: 0x33, count: count)
    let envelope = try format.seal(plaintext.span)
    #expect(envelope.utf8.starts(with: "U2FsdGVkX1".utf8))
    #expect(try format.open(payload(envelope)) == plaintext)
  }

  @Test func `every envelope has a salt of its own`() throws {
    let plaintext: [UInt8] = [1]
    let first = try salted().sealedBytes(of: plaintext.span)
    #expect(try salted().sealedBytes(of: plaintext.span)[8..<16] != first[8..<16])
  }

  @Test(arguments: ["\n", "\r\n", " "]) func `lines of 64 open`(separator: String) throws {
    let wrapped = Sample.salted.prefix(32) + separator + Sample.salted.dropFirst(32) + separator
    #expect(try text(salted().open(payload(String(wrapped)))) == Sample.plaintext)
  }

  @Test func `another member carries it`() throws {
    let format = try salted(member: EnvelopeKey("secret"))
    #expect(try text(format.open(payload(Sample.salted, member: "secret"))) == Sample.plaintext)
    #expect(throws: EnvelopeFormatError.absent) { try format.open(payload(Sample.salted)) }
  }

  @Test func `it is recognized by its start, wherever it is`() {
    #expect(OpenSSLSalted.isRecognized(payload(Sample.salted)))
    #expect(OpenSSLSalted.isRecognized(payload(Sample.salted, member: "secret")))
    let state: JSONObject = ["aps": ["content-state": ["secret": .string(Sample.salted)]]]
    #expect(OpenSSLSalted.isRecognized(state))
    #expect(!OpenSSLSalted.isRecognized(payload("AQEAAQID")))
    #expect(!OpenSSLSalted.isRecognized(payload(" " + Sample.salted)))
    #expect(!OpenSSLSalted.isRecognized(["ENCRYPTED_DATA": 1, "aps": "U2FsdGVkX"]))
    #expect(!OpenSSLSalted.isRecognized([:]))
    #expect(OpenSSLSalted.name == "openssl-salted")
  }

  private func decoded(_ text: String) -> [UInt8] { [UInt8](Data(base64Encoded: text) ?? Data()) }
}
