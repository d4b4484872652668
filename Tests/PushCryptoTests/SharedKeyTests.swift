import PushCrypto
import Testing

@Suite("A key that both sides know")
struct SharedKeyTests {
  /// Bytes that are the same each time.
  private struct Salt: RandomSource {
    let byte: UInt8

    func fill(_ bytes: inout MutableSpan<UInt8>) { for index in bytes.indices { bytes[index] = byte } }
  }

  private let key = [UInt8](1...32)
  private let other = [UInt8](2...33)
  private let info: [UInt8] = [7, 7]
  private let text = Array("Lunch at noon?".utf8)

  /// A sealed message made from any parts.
  private struct Parts {
    var encapsulatedKey: [UInt8]
    var ciphertext: [UInt8]
  }

  private func seal(with key: [UInt8], salt: UInt8 = 9, info: [UInt8] = [7, 7]) throws -> Parts {
    let message = try SharedKey.seal(text.span, with: key.span, info: info.span, random: Salt(byte: salt))
    return Parts(encapsulatedKey: message.encapsulatedKey, ciphertext: message.ciphertext)
  }

  private func open(
    _ message: Parts, with key: [UInt8], info: [UInt8] = [7, 7]
  ) throws(CryptoError) -> [UInt8] {
    let (enc, ciphertext) = (message.encapsulatedKey, message.ciphertext)
    let opened = try SharedKey.open(
      ciphertext.span, encapsulatedKey: enc.span, with: key.span, info: info.span)
    return [UInt8](copying: opened.exposedBytes)
  }

  private func message(_ encapsulatedKey: [UInt8], _ ciphertext: [UInt8]) -> Parts {
    Parts(encapsulatedKey: encapsulatedKey, ciphertext: ciphertext)
  }

  @Test func `what was sealed opens`() throws {
    #expect(try open(seal(with: key), with: key) == text)
  }

  @Test func `the parts are the specification's`() throws {
    let sealed = try seal(with: key)
    let salt = [UInt8](repeating: 9, count: 32)
    let prk = HKDFSHA256.extract(salt: salt.span) { $0.update(key.span) }
    let okm = HKDFSHA256.expand(prk.exposedBytes, count: 76) { $0.update(info.span) }
    let bytes = [UInt8](copying: okm.exposedBytes)
    let (commitment, aeadKey, nonce) = (Array(bytes[..<32]), Array(bytes[32..<64]), Array(bytes[64...]))
    #expect(sealed.encapsulatedKey == salt + commitment)
    let ciphertext = try AEAD.chaCha20Poly1305.seal(
      text.span, authenticating: Span(), key: aeadKey.span, nonce: nonce.span)
    #expect(sealed.ciphertext == ciphertext)
  }

  /// RFC 5869, A.1, with an output of 42 bytes.
  @Test func `the derivation is RFC 5869's`() {
    let (ikm, salt, info) = ([UInt8](repeating: 0x0b, count: 22), [UInt8](0x00...0x0c), [UInt8](0xf0...0xf9))
    let okm = SharedKey.derive(count: 42, from: ikm.span, salt: salt.span, info: info.span)
    let bytes = [UInt8](copying: okm.exposedBytes)
    let expected: [UInt8] = [
      0x3c, 0xb2, 0x5f, 0x25, 0xfa, 0xac, 0xd5, 0x7a, 0x90, 0x43, 0x4f, 0x64, 0xd0, 0x36,
      0x2f, 0x2a, 0x2d, 0x2d, 0x0a, 0x90, 0xcf, 0x1a, 0x5a, 0x4c, 0x5d, 0xb0, 0x2d, 0x56,
      0xec, 0xc4, 0xc5, 0xbf, 0x34, 0x00, 0x72, 0x08, 0xd5, 0xb8, 0x87, 0x18, 0x58, 0x65,
    ]
    #expect(bytes == expected)
  }

  @Test func `each message has a salt of its own`() throws {
    let sealed = try (0..<20).map { _ in
      try SharedKey.seal(text.span, with: key.span, info: info.span, random: SystemRandom())
    }
    #expect(Set(sealed.map { Array($0.encapsulatedKey.prefix(32)) }).count == 20)
    #expect(Set(sealed.map(\.ciphertext)).count == 20)
    #expect(Set(sealed.map { Array($0.encapsulatedKey.suffix(32)) }).count == 20)
  }

  @Test func `each message of a batch has a salt of its own`() throws {
    let batch = SharedKeyBatch(count: 20, random: SystemRandom())
    let sealed = try (0..<20).map { _ in
      var message = text + [UInt8](repeating: 0, count: AEAD.tagSize)
      let enc = try batch.seal(&message, from: 0, with: key.span, info: info.span)
      #expect(try open(self.message(enc, message), with: key) == text)
      return Array(enc.prefix(32))
    }
    #expect(Set(sealed).count == 20)
  }

  @Test func `another key opens nothing`() throws {
    let sealed = try seal(with: key)
    #expect(throws: CryptoError.notAuthentic) { try open(sealed, with: other) }
  }

  @Test func `nor does another info`() throws {
    let sealed = try seal(with: key)
    #expect(throws: CryptoError.notAuthentic) { try open(sealed, with: key, info: [7, 8]) }
  }

  /// The ciphertext would open: only the check of the commitment refuses it.
  @Test(arguments: 0..<32) func `a commitment that is wrong in a byte is refused`(index: Int) throws {
    let sealed = try seal(with: key)
    var enc = sealed.encapsulatedKey
    enc[32 + index] ^= 1
    #expect(throws: CryptoError.notAuthentic) { try open(message(enc, sealed.ciphertext), with: key) }
  }

  @Test func `a commitment to another key is refused`() throws {
    let (mine, others) = (try seal(with: key), try seal(with: other))
    let enc = mine.encapsulatedKey.prefix(32) + others.encapsulatedKey.suffix(32)
    for ciphertext in [mine.ciphertext, others.ciphertext] {
      #expect(throws: CryptoError.notAuthentic) { try open(message(Array(enc), ciphertext), with: key) }
    }
  }

  @Test func `no change to any byte opens`() throws {
    let sealed = try seal(with: key)
    let bytes = sealed.encapsulatedKey + sealed.ciphertext
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        let spoiled = message(Array(changed.prefix(64)), Array(changed.dropFirst(64)))
        #expect(throws: CryptoError.notAuthentic, "bit \(bit) of \(index)") { try open(spoiled, with: key) }
      }
    }
  }

  @Test(arguments: [0, 31, 32, 63, 65, 96]) func `salt and commitment have 64 bytes`(count: Int) throws {
    let sealed = try seal(with: key)
    let enc = Array((sealed.encapsulatedKey + sealed.encapsulatedKey).prefix(count))
    #expect(throws: CryptoError.notAuthentic) { try open(message(enc, sealed.ciphertext), with: key) }
  }

  @Test(arguments: 0..<16) func `a ciphertext has a tag`(count: Int) throws {
    let sealed = try seal(with: key)
    let short = message(sealed.encapsulatedKey, Array(sealed.ciphertext.prefix(count)))
    #expect(throws: CryptoError.notAuthentic) { try open(short, with: key) }
  }

  @Test(
    arguments: [
      [UInt8](repeating: 0, count: 32), [], [UInt8](repeating: 1, count: 31),
      [UInt8](repeating: 1, count: 33),
    ] as [[UInt8]])
  func `a key has 32 bytes that are not all zero`(bad: [UInt8]) throws {
    let sealed = try seal(with: key)
    #expect(throws: CryptoError.invalidPrivateKey) { try seal(with: bad) }
    #expect(throws: CryptoError.invalidPrivateKey) { try open(sealed, with: bad) }
    #expect(throws: CryptoError.invalidPrivateKey) { try SharedKey.validate(bad.span) }
  }
}
