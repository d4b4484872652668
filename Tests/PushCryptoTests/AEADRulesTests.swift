import PushCrypto
import Testing

/// The rules that hold for every AEAD.
struct AEADRulesTests {
  private static let aeads: [AEAD] = [.chaCha20Poly1305, .aes128GCM, .aes256GCM]
  private let nonce = [UInt8](repeating: 0x22, count: AEAD.nonceSize)

  @Test(arguments: aeads, [[], [UInt8]("data".utf8)])
  func `an empty plaintext makes a round trip`(aead: AEAD, data: [UInt8]) throws {
    let sealed = try aead.seal(Span(), authenticating: data.span, key: key(aead).span, nonce: nonce.span)
    #expect(sealed.count == AEAD.tagSize)
    let opened = try aead.open(sealed.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
    #expect(exposed(opened) == [])
  }

  @Test(arguments: aeads, [[], [UInt8]("data".utf8)])
  func `a plaintext makes a round trip`(aead: AEAD, data: [UInt8]) throws {
    for count in [1, 15, 16, 17, 4096] {
      let plaintext = [UInt8](repeating: 0x33, count: count)
      let sealed = try aead.seal(
        plaintext.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
      #expect(sealed.count == count + AEAD.tagSize)
      let opened = try aead.open(
        sealed.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
      #expect(exposed(opened) == plaintext)
    }
  }

  @Test(arguments: aeads, 0..<AEAD.tagSize)
  func `less than a tag is not authentic`(aead: AEAD, count: Int) throws {
    let sealed = try aead.seal(Span(), authenticating: Span(), key: key(aead).span, nonce: nonce.span)
    expectRefusal(aead, Array(sealed.prefix(count)), data: [])
  }

  @Test(arguments: aeads) func `a message cut anywhere is not authentic`(aead: AEAD) throws {
    let sealed = try aead.seal(
      [UInt8]("message".utf8).span, authenticating: Span(), key: key(aead).span, nonce: nonce.span)
    for count in 0..<sealed.count { expectRefusal(aead, Array(sealed.prefix(count)), data: []) }
    expectRefusal(aead, sealed + [0], data: [])
  }

  @Test(arguments: aeads) func `any bit that flips is noticed`(aead: AEAD) throws {
    let data: [UInt8] = [1, 2, 3]
    let sealed = try aead.seal(
      [UInt8]("message".utf8).span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
    for bit in 0..<8 * sealed.count {
      var flipped = sealed
      flipped[bit / 8] ^= 1 << (bit % 8)
      expectRefusal(aead, flipped, data: data)
    }
  }

  @Test(arguments: aeads) func `other data is not authentic`(aead: AEAD) throws {
    let sealed = try aead.seal(
      [UInt8]("message".utf8).span, authenticating: [1].span, key: key(aead).span, nonce: nonce.span)
    for data: [UInt8] in [[], [0], [1, 0], [2]] { expectRefusal(aead, sealed, data: data) }
  }

  @Test(arguments: aeads) func `neither key nor nonce may differ`(aead: AEAD) throws {
    let sealed = try aead.seal([7].span, authenticating: Span(), key: key(aead).span, nonce: nonce.span)
    var otherKey = key(aead)
    otherKey[aead.keySize - 1] ^= 1
    var otherNonce = nonce
    otherNonce[11] ^= 1
    #expect(throws: CryptoError.notAuthentic) {
      _ = try aead.open(sealed.span, authenticating: Span(), key: otherKey.span, nonce: nonce.span)
    }
    #expect(throws: CryptoError.notAuthentic) {
      _ = try aead.open(sealed.span, authenticating: Span(), key: key(aead).span, nonce: otherNonce.span)
    }
  }

  @Test(arguments: aeads) func `memory of the caller's takes the same bytes`(aead: AEAD) throws {
    let (plaintext, data): ([UInt8], [UInt8]) = ([UInt8]("message".utf8), [1, 2, 3])
    let expected = try aead.seal(
      plaintext.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
    var sealed = [UInt8](repeating: 0xff, count: expected.count)
    var sealedSpan = sealed.mutableSpan
    try aead.seal(
      plaintext.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span, into: &sealedSpan)
    #expect(sealed == expected)
    var opened = [UInt8](repeating: 0xff, count: plaintext.count)
    var openedSpan = opened.mutableSpan
    try aead.open(
      sealed.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span, into: &openedSpan)
    #expect(opened == plaintext)
  }

  @Test(arguments: aeads) func `what is not authentic leaves zeros`(aead: AEAD) throws {
    var sealed = try aead.seal(
      [UInt8]("message".utf8).span, authenticating: Span(), key: key(aead).span, nonce: nonce.span)
    sealed[0] ^= 1
    var opened = [UInt8](repeating: 0xff, count: 7)
    #expect(throws: CryptoError.notAuthentic) {
      var span = opened.mutableSpan
      try aead.open(
        sealed.span, authenticating: Span(), key: key(aead).span, nonce: nonce.span, into: &span)
    }
    #expect(opened == [UInt8](repeating: 0, count: 7))
  }

  private func key(_ aead: AEAD) -> [UInt8] { [UInt8](repeating: 0x11, count: aead.keySize) }

  private func expectRefusal(_ aead: AEAD, _ sealed: [UInt8], data: [UInt8]) {
    #expect(throws: CryptoError.notAuthentic) {
      _ = try aead.open(sealed.span, authenticating: data.span, key: key(aead).span, nonce: nonce.span)
    }
  }
}
