import PushCrypto
import Testing

/// Libsodium's sealed box.
@Suite(.enabled(if: SealedBox.isAvailable, "CryptoKit has no XSalsa20 and no BLAKE2b"))
struct SealedBoxTests {
  private let privateKey = [UInt8](1...32)
  private let publicKey = bytes("07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c")

  @Test func `a box of PyNaCl's opens`() throws {
    // SealedBox(PrivateKey(bytes(range(1, 33))).public_key).encrypt(b"message")
    let box = bytes(
      """
      3d30793f30953bf184960438d8e4534de5ccd79696df4f43b30e8c5efd3bca398fc7926cd06de4bfdae3c8eec1aaeefc9225\
      05889fd4dc
      """)
    #expect(try open(box) == [UInt8]("message".utf8))
  }

  @Test(arguments: [0, 1, 4096]) func `a plaintext makes a round trip`(count: Int) throws {
    let plaintext = [UInt8](repeating: 0x33, count: count)
    let box = try SealedBox.seal(plaintext.span, to: publicKey.span)
    #expect(box.count == count + SealedBox.overhead)
    #expect(try open(box) == plaintext)
  }

  @Test func `a box cut or changed anywhere is not authentic`() throws {
    let box = try SealedBox.seal([7].span, to: publicKey.span)
    for count in 0..<box.count {
      #expect(throws: CryptoError.notAuthentic) { try open(Array(box.prefix(count))) }
    }
    for bit in 0..<8 * box.count {
      var flipped = box
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: CryptoError.notAuthentic) { try open(flipped) }
    }
  }

  @Test func `keys of another length or of small order are refused`() throws {
    let box = try SealedBox.seal([7].span, to: publicKey.span)
    for key in [[], Array(publicKey.dropLast()), publicKey + [0], [UInt8](repeating: 0, count: 32)] {
      #expect(throws: CryptoError.invalidPublicKey) { try SealedBox.seal([7].span, to: key.span) }
    }
    for key in [[], Array(privateKey.dropLast()), privateKey + [0]] {
      #expect(throws: CryptoError.invalidPrivateKey) { try open(box, privateKey: key) }
    }
    let smallOrder = [UInt8](repeating: 0, count: 48)
    #expect(throws: CryptoError.notAuthentic) { try open(smallOrder) }
  }

  private func open(_ box: [UInt8], privateKey: [UInt8]? = nil) throws -> [UInt8] {
    let privateKey = privateKey ?? self.privateKey
    return exposed(
      try SealedBox.open(box.span, privateKey: privateKey.span, publicKey: publicKey.span))
  }
}
