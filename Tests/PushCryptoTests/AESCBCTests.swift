import PushCrypto
import Testing

/// AES-CBC with padding; the values are pyca/cryptography's, under keys 00 01 … and the vector 10 11 … 1f.
struct AESCBCTests {
  struct Example: Sendable {
    let keySize: Int
    /// The ciphertexts of the plaintexts 00 01 … with 0, 1, 15, 16 and 17 bytes.
    let ciphertexts: [String]
  }

  private static let counts = [0, 1, 15, 16, 17]
  private static let examples = [
    Example(
      keySize: 16,
      ciphertexts: [
        "0a940bb5416ef045f1c39458c653ea5a", "dc1b1bd89aedb395a2cb067d33d3db73",
        "7a7fe6f0f55512fe4cea1a7a79566d54",
        "954f64f2e4e86e9eee82d20216684899db93e48ae2f22663e63cdf3870cd08a8",
        "954f64f2e4e86e9eee82d20216684899289bc018a0bc2dbb0618e9ef036c0fb8",
      ]),
    Example(
      keySize: 24,
      ciphertexts: [
        "0060bffe46834bb8da5cf9a61ff220ae", "c4fe5e55c6c4555a8eab8903bf8548f2",
        "c4adfd00c024bb38261caf10d5cc33ce",
        "3fe7286abde5f03943d5777020259626b0a2c9ccd700791ed9ffd9b272280b57",
        "3fe7286abde5f03943d577702025962643a15ef2b30f29124722a193fc2a2edd",
      ]),
    Example(
      keySize: 32,
      ciphertexts: [
        "5a6e045708fb7196f02e553d02c3a692", "85ff119ae04ab455fab08d92f9170760",
        "af628512202fac33977fa0e4daa7ebb0",
        "9f3b7504926f8bd36e3118e903a4cd4a09d6bd2bbb3aa9320dca1393b3354bc2",
        "9f3b7504926f8bd36e3118e903a4cd4a8768f8be9b3abd7197e69b13f1f5f2b4",
      ]),
  ]

  private let vector = [UInt8](0x10...0x1f)

  @Test(.enabled(if: AESCBC.isAvailable, "CryptoKit has no AES-CBC"), arguments: examples)
  func `each key length gives the ciphertexts of another library`(
    example: Example
  ) throws {
    let key = sequence(example.keySize)
    for (count, ciphertext) in zip(Self.counts, example.ciphertexts) {
      #expect(try encrypt(sequence(count), key) == bytes(ciphertext))
      #expect(try decrypt(bytes(ciphertext), key) == sequence(count))
    }
  }

  @Test(.enabled(if: AESCBC.isAvailable, "CryptoKit has no AES-CBC"), arguments: [0, 1, 15, 17, 31])
  func `what is not whole blocks does not open`(count: Int) {
    #expect(throws: CryptoError.notAuthentic) { try decrypt(sequence(count), sequence(16)) }
  }

  @Test(.enabled(if: AESCBC.isAvailable, "CryptoKit has no AES-CBC"), arguments: AESCBC.keySizes)
  func `padding that an altered block changed does not open`(
    size: Int
  ) throws {
    // The plaintext block is 16 bytes of 16, and a change of the vector changes it at the same place.
    let ciphertext = try encrypt([], sequence(size))
    for (index, change) in (0..<16).map({ ($0, UInt8(1)) }) + [(15, 16), (15, 0x80)] {
      var other = vector
      other[index] ^= change
      #expect(throws: CryptoError.notAuthentic) { try decrypt(ciphertext, sequence(size), other) }
    }
  }

  @Test(.enabled(if: AESCBC.isAvailable, "CryptoKit has no AES-CBC"))
  func `a plaintext that was altered opens`() throws {
    let ciphertext = try encrypt([0x41], sequence(32))
    var other = vector
    other[0] ^= 2
    #expect(try decrypt(ciphertext, sequence(32), other) == [0x43])
  }

  /// SP 800-38D's mode with the middle key length; the value is pyca/cryptography's.
  @Test func `AES-192-GCM gives the ciphertext of another library`() throws {
    let (key, nonce, data) = (sequence(24), sequence(12), [UInt8]("data".utf8))
    let plaintext = [UInt8]("plaintext".utf8)
    let ciphertext = bytes("969543f2f7cdac76a4786862af6b3e39dd3540f0db1f475ea7")
    let sealed = try AEAD.aes192GCM.seal(
      plaintext.span, authenticating: data.span, key: key.span, nonce: nonce.span)
    #expect(sealed == ciphertext)
    let opened = try AEAD.aes192GCM.open(
      ciphertext.span, authenticating: data.span, key: key.span, nonce: nonce.span)
    #expect(exposed(opened) == plaintext)
  }

  private func sequence(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }

  private func encrypt(_ plaintext: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
    try AESCBC.encrypt(plaintext.span, key: key.span, initializationVector: vector.span)
  }

  private func decrypt(_ ciphertext: [UInt8], _ key: [UInt8], _ vector: [UInt8]? = nil) throws -> [UInt8] {
    let vector = vector ?? self.vector
    return exposed(
      try AESCBC.decrypt(ciphertext.span, key: key.span, initializationVector: vector.span))
  }
}
