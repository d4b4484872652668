import BareSodium

/// X25519 from libsodium, its base point by way of Ed25519's table where that is quicker, as the product does.
final class BareX25519 {
  private var point = [UInt8](repeating: 0, count: 32)

  init() throws {
    guard sodium_init() >= 0 else { throw BenchmarkError.primitiveFailed }
  }

  func multiplyBasePoint(_ privateKey: [UInt8], into publicKey: inout [UInt8]) throws {
    guard sodium_runtime_has_avx() == 1, sodium_library_version_major() < 26 else {
      guard crypto_scalarmult_base(&publicKey, privateKey) == 0 else { throw BenchmarkError.primitiveFailed }
      return
    }
    guard crypto_scalarmult_ed25519_base(&point, privateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    BirationalMap.replaceByU(&point)
    swap(&point, &publicKey)
  }

  func multiply(_ publicKey: [UInt8], by privateKey: [UInt8], into secret: inout [UInt8]) throws {
    guard crypto_scalarmult(&secret, privateKey, publicKey) == 0 else { throw BenchmarkError.primitiveFailed }
  }
}
