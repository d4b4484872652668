import PushCompat
import PushCrypto
import PushCore
import TestSupport
import Testing
import PushReceiver

/// Both ways with the program `openssl`.
@Suite(.hangGuard) struct OpenSSLToolTests {
  struct Way: Sendable {
    let derivation: OpenSSLSalted.Derivation
    let options: [String]
  }

  private static let ways = [
    Way(derivation: .pbkdf2, options: ["-pbkdf2"]),
    Way(derivation: .pbkdf2(iterations: 12_345)!, options: ["-pbkdf2", "-iter", "12345"]),
    Way(derivation: .pbkdf2(iterations: 1, digest: .sha1)!, options: ["-iter", "1", "-md", "sha1"]),
    Way(derivation: .pbkdf2(iterations: 777, digest: .sha512)!, options: ["-iter", "777", "-md", "sha512"]),
    Way(derivation: .bytesToKey(digest: .sha256), options: []),
    Way(derivation: .bytesToKey(digest: .md5), options: ["-md", "md5"]),
    Way(derivation: .bytesToKey(digest: .sha1), options: ["-md", "sha1"]),
    Way(derivation: .bytesToKey(digest: .sha512), options: ["-md", "sha512"]),
  ]
  /// None where CommonCrypto, which has no PBKDF2 with MD5, is the library.
  private static let withMD5 = [OpenSSLSalted.Derivation.pbkdf2(iterations: 777, digest: .md5)]
    .compactMap(\.self).map { Way(derivation: $0, options: ["-iter", "777", "-md", "md5"]) }
  private static let counts = [0, 16, 300]

  @Test(arguments: ways + withMD5) func `it opens ours`(way: Way) async throws {
    for count in Self.counts {
      let plaintext = plaintext(count)
      let format = try salted(Sample.password, way.derivation)
      let text = [UInt8](try format.seal(plaintext.span).utf8)
      #expect(try await openssl(way, ["-d", "-a", "-A"], text) == plaintext)
      #expect(try await openssl(way, ["-d"], try format.sealedBytes(of: plaintext.span)) == plaintext)
    }
  }

  @Test(arguments: ways + withMD5) func `ours opens its lines, its one line and its bytes`(way: Way)
    async throws
  {
    let format = try salted(Sample.password, way.derivation)
    for count in Self.counts {
      let plaintext = plaintext(count)
      let lines = try await openssl(way, ["-a"], plaintext)
      #expect(count < 48 || lines.contains(0x0a))
      #expect(OpenSSLSalted.isRecognized(payload(text(lines))))
      #expect(try format.open(payload(text(lines))) == plaintext)
      let line = try await openssl(way, ["-a", "-A"], plaintext)
      #expect(try format.open(payload(text(line))) == plaintext)
      let bytes = try await openssl(way, [], plaintext)
      #expect(try format.open(bytes: bytes.span) == plaintext)
    }
  }

  /// With `-S` the program leaves out the start and the salt.
  @Test func `what it writes with a salt of the caller's is refused`() async throws {
    let bytes = try await openssl(Self.ways[0], ["-S", "0102030405060708"], plaintext(40))
    #expect(throws: EnvelopeFormatError.malformed(member: "ENCRYPTED_DATA")) {
      try salted().open(bytes: bytes.span)
    }
  }

  /// As Bark's description of its encryption does it.
  @Test(arguments: [16, 24, 32]) func `Bark opens what it encrypts with a key and a vector`(
    size: Int
  ) async throws {
    let key = [UInt8](repeating: 0x6b, count: size)
    let vector = "abcdefghijklmnop"
    let ciphertext = try await OpenSSLTool.run(
      [
        "enc", "-aes-\(8 * size)-cbc", "-a", "-A", "-K", String(repeating: "6b", count: size), "-iv",
        "6162636465666768696a6b6c6d6e6f70",
      ], plaintext(50))
    let bark = Bark.unauthenticatedCBC(key: key.span)
    let format = try #require(bark)
    let opened = try format.open(["ciphertext": .string(text(ciphertext)), "iv": .string(vector)])
    #expect(opened == plaintext(50))
  }

  @Test(arguments: [16, 24, 32]) func `Bark opens what it encrypts with a key alone`(
    size: Int
  ) async throws {
    let key = [UInt8](repeating: 0x6b, count: size)
    // Two equal blocks, and the empty text, among them.
    for plaintext in [[], plaintext(50), [UInt8](repeating: 7, count: 32)] {
      let ciphertext = try await OpenSSLTool.run(
        ["enc", "-aes-\(8 * size)-ecb", "-a", "-A", "-K", String(repeating: "6b", count: size)], plaintext)
      let bark = Bark.unauthenticatedECB(key: key.span)
      let format = try #require(bark)
      #expect(try format.open(["ciphertext": .string(text(ciphertext))]) == plaintext)
      // A vector, which this mode does not have, changes nothing.
      #expect(try format.open(["ciphertext": .string(text(ciphertext)), "iv": "1"]) == plaintext)
    }
  }

  private func plaintext(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0) } }

  private func openssl(_ way: Way, _ options: [String], _ input: [UInt8]) async throws -> [UInt8] {
    try await OpenSSLTool.run(
      ["enc", "-aes-256-cbc", "-salt", "-pass", "pass:" + Sample.password] + way.options + options, input)
  }
}
