import BareOpenSSL
import BareSodium

/// X25519 from libsodium, its base point by way of Ed25519's table where that is quicker, as the product does.
final class BareX25519 {
  private let prime: OpaquePointer
  private let form: OpaquePointer
  private let scratch: OpaquePointer
  private let (sum, difference): (OpaquePointer, OpaquePointer)
  private let powers: [OpaquePointer]
  private var point = [UInt8](repeating: 0, count: 32)

  /// What is allocated here lives as long as the process.
  init() throws {
    guard sodium_init() >= 0, let prime = BN_new(), BN_set_bit(prime, 255) == 1, BN_sub_word(prime, 19) == 1,
      let form = BN_MONT_CTX_new(), let scratch = BN_CTX_new(), BN_MONT_CTX_set(form, prime, scratch) == 1,
      let sum = BN_new(), let difference = BN_new()
    else { throw BenchmarkError.primitiveFailed }
    (self.prime, self.form, self.scratch) = (prime, form, scratch)
    (self.sum, self.difference) = (sum, difference)
    powers = (0..<12).compactMap { _ in BN_new() }
  }

  func multiplyBasePoint(_ privateKey: [UInt8], into publicKey: inout [UInt8]) throws {
    guard sodium_runtime_has_avx() == 1 else {
      guard crypto_scalarmult_base(&publicKey, privateKey) == 0 else { throw BenchmarkError.primitiveFailed }
      return
    }
    guard crypto_scalarmult_ed25519_base(&point, privateKey) == 0 else {
      throw BenchmarkError.primitiveFailed
    }
    point[31] &= 0x7f
    // u = (1 + y) / (1 - y)
    guard BN_lebin2bn(point, 32, sum) != nil,
      BN_mod_sub_quick(difference, BN_value_one(), sum, prime) == 1,
      BN_mod_add_quick(sum, sum, BN_value_one(), prime) == 1
    else { throw BenchmarkError.primitiveFailed }
    let inverse = try invert(difference)
    guard BN_mod_mul_montgomery(sum, sum, inverse, form, scratch) == 1,
      BN_bn2lebinpad(sum, &publicKey, 32) == 32
    else { throw BenchmarkError.primitiveFailed }
  }

  func multiply(_ publicKey: [UInt8], by privateKey: [UInt8], into secret: inout [UInt8]) throws {
    guard crypto_scalarmult(&secret, privateKey, publicKey) == 0 else { throw BenchmarkError.primitiveFailed }
  }

  /// a^(p - 2), in Montgomery's form, in 254 squarings and 11 other multiplications.
  private func invert(_ a: OpaquePointer) throws -> OpaquePointer {
    guard BN_to_montgomery(powers[0], a, form, scratch) == 1 else { throw BenchmarkError.primitiveFailed }
    try power(1, powers[0], 0, powers[0])  // 2
    try power(2, powers[1], 2, powers[0])  // 9
    try power(3, powers[2], 0, powers[1])  // 11
    try power(4, powers[3], 1, powers[2])  // 2^5 - 1
    try power(5, powers[4], 5, powers[4])  // 2^10 - 1
    try power(6, powers[5], 10, powers[5])
    try power(7, powers[6], 20, powers[6])
    try power(8, powers[7], 10, powers[5])  // 2^50 - 1
    try power(9, powers[8], 50, powers[8])
    try power(10, powers[9], 100, powers[9])
    try power(11, powers[10], 50, powers[8])  // 2^250 - 1
    try power(11, powers[11], 5, powers[3])
    return powers[11]
  }

  /// The power at `position`: a^(2^squarings) * b.
  private func power(
    _ position: Int, _ a: OpaquePointer, _ squarings: Int, _ b: OpaquePointer
  ) throws {
    let power = powers[position]
    var last = a
    for _ in 0..<squarings {
      guard BN_mod_mul_montgomery(power, last, last, form, scratch) == 1 else {
        throw BenchmarkError.primitiveFailed
      }
      last = power
    }
    guard BN_mod_mul_montgomery(power, last, b, form, scratch) == 1 else {
      throw BenchmarkError.primitiveFailed
    }
  }
}
