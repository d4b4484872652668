import BareOpenSSL
import BareSodium

/// X25519 from libsodium, its base point by way of Ed25519's table where that is quicker, as the product does.
final class BareX25519 {
  private let prime: OpaquePointer
  private let exponent: OpaquePointer
  private let form: OpaquePointer
  private let scratch: OpaquePointer
  private let (sum, difference, u): (OpaquePointer, OpaquePointer, OpaquePointer)
  private var point = [UInt8](repeating: 0, count: 32)

  /// What is allocated here lives as long as the process.
  init() throws {
    guard sodium_init() >= 0, let prime = BN_new(), BN_set_bit(prime, 255) == 1, BN_sub_word(prime, 19) == 1,
      let exponent = BN_dup(prime), BN_sub_word(exponent, 2) == 1, let form = BN_MONT_CTX_new(),
      let scratch = BN_CTX_new(), BN_MONT_CTX_set(form, prime, scratch) == 1, let sum = BN_new(),
      let difference = BN_new(), let u = BN_new()
    else { throw BenchmarkError.primitiveFailed }
    (self.prime, self.exponent, self.form, self.scratch) = (prime, exponent, form, scratch)
    (self.sum, self.difference, self.u) = (sum, difference, u)
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
    guard BN_lebin2bn(point, 32, u) != nil, BN_add(sum, u, BN_value_one()) == 1,
      BN_mod_sub(difference, BN_value_one(), u, prime, scratch) == 1,
      BN_mod_exp_mont(u, difference, exponent, prime, scratch, form) == 1,
      BN_mod_mul(u, u, sum, prime, scratch) == 1, BN_bn2lebinpad(u, &publicKey, 32) == 32
    else { throw BenchmarkError.primitiveFailed }
  }

  func multiply(_ publicKey: [UInt8], by privateKey: [UInt8], into secret: inout [UInt8]) throws {
    guard crypto_scalarmult(&secret, privateKey, publicKey) == 0 else { throw BenchmarkError.primitiveFailed }
  }
}
