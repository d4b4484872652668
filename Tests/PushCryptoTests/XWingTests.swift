import PushCrypto
import TestSupport
import Testing

/// The suite with X-Wing against other implementations' vectors, where this system's libraries have ML-KEM.
@Suite(.needsMLKEM) struct XWingTests {
  private let kem = XWing()

  /// A message that pyca's `cryptography` sealed.
  struct Message: Decodable, Sendable {
    let seed, publicKey, info, plaintext, enc, ciphertext: Hex

    static func all() throws -> [Message] {
      let file: WycheproofFile<Message> = try VectorFile.load("hpke-xwing-aesgcm")
      return file.tests
    }
  }

  /// A vector of the draft of HPKE's post-quantum KEMs.
  struct Group: Decodable, Sendable {
    let kdf_id: UInt16
    let info, ikmE, skRm, pkRm, enc, shared_secret, key, base_nonce: Hex
    let encryptions: [Encryption]

    struct Encryption: Decodable, Sendable {
      let aad, ct, pt: Hex
    }

    static func all() throws -> [Group] {
      let file: WycheproofFile<Group> = try VectorFile.load("hpke-pq-xwing")
      return file.tests
    }
  }

  @Test func `the files are complete`() throws {
    #expect(try Message.all().count == 12)
    #expect(try Group.all().map(\.encryptions.count) == [10, 0])
  }

  @Test(arguments: try Message.all()) func `what others seal opens`(message: Message) throws {
    let publicKey = try kem.publicKey(of: message.seed.bytes.span)
    #expect(publicKey == message.publicKey.bytes)
    let plaintext = try HPKE.open(
      message.ciphertext.bytes.span, encapsulatedKey: message.enc.bytes.span, skR: message.seed.bytes.span,
      pkR: publicKey.span, suite: .xwingAESGCM, info: message.info.bytes.span, aad: Span())
    #expect(exposed(plaintext) == message.plaintext.bytes)
  }

  @Test(arguments: try Group.all()) func `the draft's encapsulations`(group: Group) throws {
    #expect(try kem.publicKey(of: group.skRm.bytes.span) == group.pkRm.bytes)
    let sender = try kem.encapsulator(
      to: [group.pkRm.bytes], seeds: group.ikmE.bytes.span, by: HMACSHA256())
    let encapsulation = try sender.encapsulate()
    #expect(encapsulation.encapsulatedKey == group.enc.bytes)
    #expect(exposed(encapsulation.sharedSecret) == group.shared_secret.bytes)
    let secret = try kem.decapsulate(
      group.enc.bytes.span, skR: group.skRm.bytes.span, pkR: group.pkRm.bytes.span, by: HMACSHA256())
    #expect(exposed(secret) == group.shared_secret.bytes)
  }

  @Test func `the draft's contexts`() throws {
    let group = try #require(try Group.all().first { $0.kdf_id == 1 })
    let suite = HPKESuite(kem: kem, aead: .chaCha20Poly1305)
    var sender = try HPKE.setupSender(
      to: group.pkRm.bytes.span, suite: suite, info: group.info.bytes.span, ikmE: group.ikmE.bytes.span)
    #expect(exposed(sender.context.key) == group.key.bytes)
    #expect(exposed(sender.context.baseNonce) == group.base_nonce.bytes)
    for encryption in group.encryptions {
      let ciphertext = try sender.context.seal(
        encryption.pt.bytes.span, authenticating: encryption.aad.bytes.span)
      #expect(ciphertext == encryption.ct.bytes)
    }
  }

  @Test func `an unpredictable encapsulation is opened, and none is like another`() throws {
    let seed = [UInt8](repeating: 7, count: 32)
    let publicKey = try kem.publicKey(of: seed.span)
    let recipients = Array(repeating: publicKey, count: 3)
    let batch = try HPKEBatch(to: recipients, suite: .xwingAESGCM, random: SystemRandom())
    let text: [UInt8] = [1, 2, 3]
    var seen: Set<[UInt8]> = []
    for _ in 0..<3 {
      let message = try batch.seal(text.span, to: publicKey.span, info: Span(), aad: Span())
      // Neither part repeats.
      seen.insert(Array(message.encapsulatedKey.prefix(1088)))
      seen.insert(Array(message.encapsulatedKey.suffix(32)))
      let plaintext = try HPKE.open(
        message.ciphertext.span, encapsulatedKey: message.encapsulatedKey.span,
        skR: seed.span, pkR: publicKey.span, suite: .xwingAESGCM, info: Span(), aad: Span())
      #expect(exposed(plaintext) == text)
    }
    #expect(seen.count == 6)
  }

  @Test func `each message of a batch goes to its own recipient`() throws {
    let seeds = [7, 8].map { [UInt8](repeating: $0, count: 32) }
    let order = [0, 1, 1, 0]
    let publicKeys = try seeds.map { try kem.publicKey(of: $0.span) }
    let recipients = order.map { publicKeys[$0] }
    let batch = try HPKEBatch(to: recipients, suite: .xwingAESGCM, random: SystemRandom())
    let text: [UInt8] = [9]
    for position in order {
      let seed = seeds[position]
      let publicKey = try kem.publicKey(of: seed.span)
      let message = try batch.seal(text.span, to: publicKey.span, info: Span(), aad: Span())
      let plaintext = try HPKE.open(
        message.ciphertext.span, encapsulatedKey: message.encapsulatedKey.span, skR: seed.span,
        pkR: publicKey.span, suite: .xwingAESGCM, info: Span(), aad: Span())
      #expect(exposed(plaintext) == text)
    }
  }

  @Test func `a key opens again and again`() throws {
    let message = try #require(try Message.all().last)
    let key = kem.decapsulationKey(for: SharedSecret(Secret(copying: message.seed.bytes.span)))
    for _ in 0..<3 {
      let plaintext = try HPKE.open(
        message.ciphertext.bytes.span, encapsulatedKey: message.enc.bytes.span, skR: key,
        pkR: message.publicKey.bytes.span, suite: .xwingAESGCM, info: message.info.bytes.span, aad: Span())
      #expect(exposed(plaintext) == message.plaintext.bytes)
    }
  }
}

/// Encapsulated keys of X-Wing that were altered.
@Suite(.needsMLKEM) struct HostileXWingTests {
  private let message: XWingTests.Message

  init() throws { message = try #require(try XWingTests.Message.all().last) }

  private func open(_ enc: [UInt8]) throws(CryptoError) {
    _ = try HPKE.open(
      message.ciphertext.bytes.span, encapsulatedKey: enc.span, skR: message.seed.bytes.span,
      pkR: message.publicKey.bytes.span, suite: .xwingAESGCM, info: message.info.bytes.span, aad: Span())
  }

  /// ML-KEM rejects implicitly, by giving another secret.
  @Test func `no byte of it may differ`() throws {
    for position in message.enc.bytes.indices {
      var enc = message.enc.bytes
      enc[position] ^= 1
      #expect(throws: CryptoError.notAuthentic, "byte \(position)") { try open(enc) }
    }
  }

  @Test(arguments: [0, 1, 32, 1088, 1119, 1121, 2240]) func `another length is refused`(count: Int) {
    let enc = [UInt8](repeating: 1, count: count)
    #expect(throws: CryptoError.invalidPublicKey) { try open(enc) }
  }

  @Test(arguments: [0, 1] as [UInt8]) func `a point of small order is refused`(first: UInt8) {
    let point = [first] + [UInt8](repeating: 0, count: 31)
    #expect(throws: CryptoError.invalidPublicKey) { try open(message.enc.bytes.prefix(1088) + point) }
  }

  @Test(arguments: [0, 31, 33, 64]) func `a private key of another length is refused`(count: Int) {
    let seed = [UInt8](repeating: 1, count: count)
    #expect(throws: CryptoError.invalidPrivateKey) { try XWing().publicKey(of: seed.span) }
  }
}

/// X-Wing's public keys, which every system checks in the same way.
struct XWingPublicKeyTests {
  private let good: [UInt8]

  init() throws {
    good = try #require(try XWingTests.Message.all().first).publicKey.bytes
  }

  @Test func `a good one passes`() throws { try XWing().validate(publicKey: good.span) }

  @Test(arguments: [0, 32, 1184, 1215, 1217]) func `another length is refused`(count: Int) {
    let bytes = Array((good + good).prefix(count))
    #expect(throws: CryptoError.invalidPublicKey) { try XWing().validate(publicKey: bytes.span) }
  }

  /// The modulus is 3,329, 0xd01; a coefficient is stored low byte first.
  @Test(arguments: [0, 3, 1149]) func `a coefficient is below the modulus`(start: Int) throws {
    var even = good
    even[start] = 0x01
    even[start + 1] = even[start + 1] & 0xf0 | 0x0d
    #expect(throws: CryptoError.invalidPublicKey) { try XWing().validate(publicKey: even.span) }
    even[start] = 0x00
    try XWing().validate(publicKey: even.span)
    var odd = good
    odd[start + 1] = odd[start + 1] & 0x0f | 0x10
    odd[start + 2] = 0xd0
    #expect(throws: CryptoError.invalidPublicKey) { try XWing().validate(publicKey: odd.span) }
    odd[start + 1] &= 0x0f
    try XWing().validate(publicKey: odd.span)
  }

  @Test func `a point of small order or with a second encoding is refused`() {
    let zero = [UInt8](repeating: 0, count: 32)
    let prime = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    let aboveThePrime = [0xf6] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    for point in [zero, prime, aboveThePrime] {
      let key = good.prefix(1184) + point
      #expect(throws: CryptoError.invalidPublicKey) { try XWing().validate(publicKey: key.span) }
    }
  }
}

/// Without ML-KEM in the libraries, each use throws an error that says so.
@Suite(.enabled(if: !XWing().isAvailable, "these libraries have ML-KEM")) struct XWingUnavailableTests {
  private let message: XWingTests.Message

  init() throws { message = try #require(try XWingTests.Message.all().first) }

  @Test func `a public key`() {
    #expect(throws: CryptoError.unavailable) { try XWing().publicKey(of: message.seed.bytes.span) }
  }

  @Test func `sealing`() {
    let text: [UInt8] = [1]
    #expect(throws: CryptoError.unavailable) {
      try HPKE.seal(
        text.span, to: message.publicKey.bytes.span, suite: .xwingAESGCM, info: Span(), aad: Span(),
        random: SystemRandom())
    }
  }

  @Test func `opening`() {
    #expect(throws: CryptoError.unavailable) {
      _ = try HPKE.open(
        message.ciphertext.bytes.span, encapsulatedKey: message.enc.bytes.span, skR: message.seed.bytes.span,
        pkR: message.publicKey.bytes.span, suite: .xwingAESGCM, info: message.info.bytes.span, aad: Span())
    }
  }
}
