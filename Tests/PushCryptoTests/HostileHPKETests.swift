import PushCrypto
import Testing

/// Messages and keys as an attacker could craft them, with the result that each must have.
struct HostileHPKETests {
  @Test func `the file is complete`() throws {
    let counts = Dictionary(grouping: try HostileCase.load(), by: \.expect).mapValues(\.count)
    #expect(
      counts == [
        .success: 4, .openFailure: 10, .malformed: 34, .invalidKeyAgreement: 14, .recipientRefused: 27,
      ])
  }

  @Test(arguments: try HostileCase.load().filter { $0.message != nil })
  func messages(test: HostileCase) throws {
    let message = try #require(test.message)
    switch test.expect {
    case .success: #expect(try open(message, test.suite) == message.pt.bytes)
    case .openFailure: expectRefusal(.notAuthentic, message, test.suite)
    case .invalidKeyAgreement: expectRefusal(.invalidPublicKey, message, test.suite)
    case .malformed:
      // Every malformed case has a ciphertext without a tag or an invalid key.
      let isTagless = message.ct.bytes.count < AEAD.tagSize
      expectRefusal(isTagless ? .notAuthentic : .invalidPublicKey, message, test.suite)
    case .recipientRefused: Issue.record("a message has no recipient key to refuse")
    }
  }

  /// The receiver's public key must be refused when it is registered and when it is sealed to.
  @Test(arguments: try HostileCase.load().filter { $0.pkR != nil })
  func recipients(test: HostileCase) throws {
    let pkR = try #require(test.pkR)
    #expect(test.expect == .recipientRefused)
    #expect(throws: CryptoError.invalidPublicKey) {
      try test.suite.hpke.kem.validate(publicKey: pkR.bytes.span)
    }
    #expect(throws: CryptoError.invalidPublicKey) {
      try HPKE.seal(
        [1].span, to: pkR.bytes.span, suite: test.suite.hpke, info: Span(), aad: Span(),
        random: SystemRandom())
    }
  }

  private func open(_ message: HostileCase.Message, _ suite: HostileCase.Suite) throws -> [UInt8] {
    let pkR = try suite.hpke.kem.publicKey(of: message.skR.bytes.span)
    let plaintext = try HPKE.open(
      message.ct.bytes.span, encapsulatedKey: message.enc.bytes.span, skR: message.skR.bytes.span,
      pkR: pkR.span, suite: suite.hpke, info: message.info.bytes.span, aad: message.aad.bytes.span)
    return exposed(plaintext)
  }

  private func expectRefusal(
    _ error: CryptoError, _ message: HostileCase.Message, _ suite: HostileCase.Suite
  ) {
    #expect(throws: error) { try open(message, suite) }
  }
}

/// A case of the file: either a message to open or a recipient to seal to.
struct HostileCase: Decodable, Sendable, CustomTestStringConvertible {
  let id: String
  let suite: Suite
  let expect: Expectation
  let message: Message?
  let pkR: Hex?

  struct Message: Decodable, Sendable {
    let skR, enc, ct, info, aad, pt: Hex
  }

  enum Suite: String, Decodable {
    case x25519 = "hpke-x25519-chacha"
    case p256 = "hpke-p256-aes256gcm"

    var hpke: HPKESuite {
      switch self {
      case .x25519: .x25519ChaChaPoly
      case .p256: .p256AESGCM
      }
    }
  }

  enum Expectation: String, Decodable {
    case success, malformed
    case openFailure = "open failure"
    case invalidKeyAgreement = "invalid key agreement"
    case recipientRefused = "sealer refuses recipient key"
  }

  private enum CodingKeys: CodingKey { case id, suite, expect, pkR }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    suite = try container.decode(Suite.self, forKey: .suite)
    expect = try container.decode(Expectation.self, forKey: .expect)
    pkR = try container.decodeIfPresent(Hex.self, forKey: .pkR)
    message = pkR == nil ? try Message(from: decoder) : nil
  }

  var testDescription: String { id }

  static func load() throws -> [HostileCase] {
    struct File: Decodable {
      let vectors: [HostileCase]
    }
    let file: File = try VectorFile.load("hpke-hostile")
    return file.vectors
  }
}
