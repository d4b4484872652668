import BareSodium

/// libsodium's `crypto_box_seal`: an anonymous message to an X25519 key, and nothing around it.
final class BareSealedBox {
  private let message: [UInt8]
  private var publicKey = [UInt8](repeating: 0, count: 32)
  private var privateKey = [UInt8](repeating: 0, count: 32)
  private var box: [UInt8]
  private var opened: [UInt8]

  init(messageSize: Int) throws {
    message = [UInt8](repeating: 0x61, count: messageSize)
    opened = message
    box = [UInt8](repeating: 0, count: messageSize + Int(crypto_box_sealbytes()))
    guard sodium_init() >= 0, crypto_box_keypair(&publicKey, &privateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    try seal()
  }

  func seal() throws {
    guard crypto_box_seal(&box, message, UInt64(message.count), publicKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    blackHole(box)
  }

  func open() throws {
    guard crypto_box_seal_open(&opened, box, UInt64(box.count), publicKey, privateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    blackHole(opened)
  }
}
