import BareSodium

/// X25519 and ChaCha20-Poly1305, from libsodium but for the map between its curves.
final class BareX25519ChaChaPoly: BareSuite {
  private let curve: BareX25519
  private let privateKey = [UInt8](repeating: 0x42, count: 32)
  private let nonce = [UInt8](repeating: 0x24, count: 12)
  private let peerKey: [UInt8]
  private var ephemeralKey = [UInt8](repeating: 0, count: 32)
  private var secret = [UInt8](repeating: 0, count: 32)
  private var plaintext: [UInt8]
  private var ciphertext: [UInt8]

  init(plaintextSize: Int) throws {
    plaintext = [UInt8](repeating: 0, count: plaintextSize)
    ciphertext = [UInt8](repeating: 0, count: plaintextSize + 16)
    var peerKey = [UInt8](repeating: 0, count: 32)
    let peerPrivateKey = [UInt8](repeating: 0x17, count: 32)
    curve = try BareX25519()
    try curve.multiplyBasePoint(peerPrivateKey, into: &peerKey)
    self.peerKey = peerKey
    try seal()
  }

  func seal() throws {
    try curve.multiplyBasePoint(privateKey, into: &ephemeralKey)
    try curve.multiply(peerKey, by: privateKey, into: &secret)
    guard
      crypto_aead_chacha20poly1305_ietf_encrypt(
        &ciphertext, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, secret) == 0
    else { throw BenchmarkError.primitiveFailed }
    blackHole(ciphertext)
  }

  func open() throws {
    try curve.multiply(peerKey, by: privateKey, into: &secret)
    guard
      crypto_aead_chacha20poly1305_ietf_decrypt(
        &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), nil, 0, nonce, secret) == 0
    else { throw BenchmarkError.primitiveFailed }
    blackHole(plaintext)
  }
}
