import BareSodium

/// ChaCha20-Poly1305 from libsodium, for a shared key.
final class BareSharedChaChaPoly: BareSuite {
  private let key = [UInt8](repeating: 0x42, count: 32)
  private let nonce = [UInt8](repeating: 0x24, count: 12)
  private var plaintext: [UInt8]
  private var ciphertext: [UInt8]

  init(plaintextSize: Int) {
    plaintext = [UInt8](repeating: 0, count: plaintextSize)
    ciphertext = [UInt8](repeating: 0, count: plaintextSize + 16)
    seal()
  }

  func seal() {
    crypto_aead_chacha20poly1305_ietf_encrypt(
      &ciphertext, nil, plaintext, UInt64(plaintext.count), nil, 0, nil, nonce, key)
    blackHole(ciphertext)
  }

  func open() throws {
    guard
      crypto_aead_chacha20poly1305_ietf_decrypt(
        &plaintext, nil, nil, ciphertext, UInt64(ciphertext.count), nil, 0, nonce, key) == 0
    else { throw BenchmarkError.primitiveFailed }
    blackHole(plaintext)
  }
}
