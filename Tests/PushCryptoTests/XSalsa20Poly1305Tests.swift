import PushCrypto
import Testing

/// NaCl's secret box.
@Suite(.enabled(if: XSalsa20Poly1305.isAvailable, "CryptoKit has no XSalsa20"))
struct XSalsa20Poly1305Tests {
  private let key = [UInt8](0...31)
  private let nonce = [UInt8](0...23)

  @Test func `a box of PyNaCl's is the same and opens`() throws {
    // SecretBox(bytes(range(32))).encrypt(b"message", bytes(range(24))).ciphertext
    let box = bytes("c4bd227be9ea71e579687c06739324ef339a4b3ca6adc7")
    #expect(try seal([UInt8]("message".utf8)) == box)
    #expect(try open(box) == [UInt8]("message".utf8))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4096]) func `a plaintext makes a round trip`(count: Int) throws {
    let plaintext = [UInt8](repeating: 0x33, count: count)
    let box = try seal(plaintext)
    #expect(box.count == count + XSalsa20Poly1305.tagSize)
    #expect(try open(box) == plaintext)
  }

  @Test func `a box cut anywhere is not authentic`() throws {
    let box = try seal([UInt8]("message".utf8))
    for count in 0..<box.count {
      #expect(throws: CryptoError.notAuthentic) { try open(Array(box.prefix(count))) }
    }
    #expect(throws: CryptoError.notAuthentic) { try open(box + [0]) }
  }

  @Test func `any bit that flips is noticed, in the key and the nonce as well`() throws {
    let box = try seal([UInt8]("message".utf8))
    for bit in 0..<8 * box.count {
      #expect(throws: CryptoError.notAuthentic) { try open(flipping(bit, of: box)) }
    }
    for bit in 0..<8 * key.count {
      #expect(throws: CryptoError.notAuthentic) { try open(box, key: flipping(bit, of: key)) }
    }
    for bit in 0..<8 * nonce.count {
      #expect(throws: CryptoError.notAuthentic) { try open(box, nonce: flipping(bit, of: nonce)) }
    }
  }

  private func flipping(_ bit: Int, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << (bit % 8)
    return bytes
  }

  private func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
    try XSalsa20Poly1305.seal(plaintext.span, key: key.span, nonce: nonce.span)
  }

  private func open(_ box: [UInt8], key: [UInt8]? = nil, nonce: [UInt8]? = nil) throws -> [UInt8] {
    let (key, nonce) = (key ?? self.key, nonce ?? self.nonce)
    return exposed(try XSalsa20Poly1305.open(box.span, key: key.span, nonce: nonce.span))
  }
}
