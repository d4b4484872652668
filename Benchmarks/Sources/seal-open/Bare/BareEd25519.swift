import BareSodium

/// Ed25519 from libsodium, over one message.
final class BareEd25519 {
  private let message: [UInt8]
  private var publicKey = [UInt8](repeating: 0, count: 32)
  private var privateKey = [UInt8](repeating: 0, count: 64)
  private var signature = [UInt8](repeating: 0, count: 64)

  init(messageSize: Int) throws {
    message = [UInt8](repeating: 0x5a, count: messageSize)
    guard sodium_init() >= 0, crypto_sign_keypair(&publicKey, &privateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    sign()
  }

  func sign() {
    crypto_sign_detached(&signature, nil, message, UInt64(message.count), privateKey)
    blackHole(signature)
  }

  func verify() throws {
    guard crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
  }
}
