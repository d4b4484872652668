import BareSodium

/// X25519 and ChaCha20-Poly1305 from libsodium.
final class BareX25519ChaChaPoly: BareHPKE {
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
    guard sodium_init() >= 0, crypto_scalarmult_base(&peerKey, peerPrivateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    self.peerKey = peerKey
    try seal()
  }

  func seal() throws {
    guard crypto_scalarmult_base(&ephemeralKey, privateKey) == 0,
      crypto_scalarmult(&secret, privateKey, peerKey) == 0,
      crypto_aead_chacha20poly1305_ietf_encrypt(
        &ciphertext, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, secret) == 0
    else { throw BenchmarkError.primitiveFailed }
    blackHole(ciphertext)
  }

  func open() throws {
    guard crypto_scalarmult(&secret, privateKey, peerKey) == 0,
      crypto_aead_chacha20poly1305_ietf_decrypt(
        &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), nil, 0, nonce, secret) == 0
    else { throw BenchmarkError.primitiveFailed }
    blackHole(plaintext)
  }
}
