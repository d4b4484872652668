import BareSodium

/// libsodium's `crypto_box_seal`, and nothing around it.
final class SealedBox {
  private let message: [UInt8]
  private var publicKey = [UInt8](repeating: 0, count: Int(crypto_box_publickeybytes()))
  private var box: [UInt8]

  init(messageSize: Int) throws {
    message = [UInt8](repeating: 0x61, count: messageSize)
    box = [UInt8](repeating: 0, count: messageSize + Int(crypto_box_sealbytes()))
    var privateKey = [UInt8](repeating: 0, count: Int(crypto_box_secretkeybytes()))
    guard sodium_init() >= 0, crypto_box_keypair(&publicKey, &privateKey) == 0 else {
      throw SealedBoxError.primitiveFailed
    }
  }

  func seal() throws {
    guard crypto_box_seal(&box, message, UInt64(message.count), publicKey) == 0 else {
      throw SealedBoxError.primitiveFailed
    }
  }
}

/// Why there is no sealed box.
enum SealedBoxError: Error {
  /// libsodium reports an error.
  case primitiveFailed
}
