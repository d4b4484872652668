import PushCrypto
import Testing

/// The AEAD with long nonces.
@Suite(.enabled(if: XChaCha20Poly1305.isAvailable, "CryptoKit has no XChaCha20"))
struct XChaCha20Poly1305Tests {
  private let key = [UInt8](0x80...0x9f)
  private let nonce = [UInt8](0x40...0x57)
  private let data = bytes("50515253c0c1c2c3c4c5c6c7")

  /// draft-irtf-cfrg-xchacha-03, A.3.1.
  @Test func `the draft's example`() throws {
    let plaintext = [UInt8](
      """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would \
      be it.
      """.utf8)
    let ciphertext = bytes(
      """
      bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54\
      c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f6\
      15c68b13b52ec0875924c1c7987947deafd8780acf49
      """)
    #expect(try seal(plaintext) == ciphertext)
    #expect(try open(ciphertext) == plaintext)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4096]) func `a plaintext makes a round trip`(count: Int) throws {
    let plaintext = [UInt8](repeating: 0x33, count: count)
    let sealed = try seal(plaintext)
    #expect(sealed.count == count + AEAD.tagSize)
    #expect(try open(sealed) == plaintext)
  }

  @Test func `a message cut anywhere is not authentic`() throws {
    let sealed = try seal([UInt8]("message".utf8))
    for count in 0..<sealed.count {
      #expect(throws: CryptoError.notAuthentic) { try open(Array(sealed.prefix(count))) }
    }
    #expect(throws: CryptoError.notAuthentic) { try open(sealed + [0]) }
  }

  @Test func `any bit that flips is noticed`() throws {
    let sealed = try seal([UInt8]("message".utf8))
    for bit in 0..<8 * sealed.count {
      var flipped = sealed
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: CryptoError.notAuthentic) { try open(flipped) }
    }
  }

  @Test func `neither data nor key nor nonce may differ`() throws {
    let sealed = try seal([7])
    var (otherKey, otherNonce) = (key, nonce)
    otherKey[31] ^= 1
    #expect(throws: CryptoError.notAuthentic) { try open(sealed, key: otherKey) }
    for index in nonce.indices {
      otherNonce = nonce
      otherNonce[index] ^= 1
      #expect(throws: CryptoError.notAuthentic) { try open(sealed, nonce: otherNonce) }
    }
    for other in [[], data + [0], data.dropLast()] {
      #expect(throws: CryptoError.notAuthentic) { try open(sealed, data: Array(other)) }
    }
  }

  private func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
    try XChaCha20Poly1305.seal(plaintext.span, authenticating: data.span, key: key.span, nonce: nonce.span)
  }

  private func open(
    _ sealed: [UInt8], data: [UInt8]? = nil, key: [UInt8]? = nil, nonce: [UInt8]? = nil
  ) throws -> [UInt8] {
    let (data, key, nonce) = (data ?? self.data, key ?? self.key, nonce ?? self.nonce)
    return exposed(
      try XChaCha20Poly1305.open(
        sealed.span, authenticating: data.span, key: key.span, nonce: nonce.span))
  }
}
