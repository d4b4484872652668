import PushCrypto
import PushTesting
import TestSupport

#if canImport(CSodium)
  private import CSodium
#endif

/// Signatures that no signer makes: R has a part of small order, and S is right for it.
enum SignatureForge: CaseIterable {
  /// R = 0, in its canonical form: S B = R + k A holds.
  case identity
  /// R = 0, as y = p + 1.
  case identityNotCanonical
  /// R = 0, as -0 for x.
  case identityNegative
  /// R is of order 8: 8 S B = 8 R + 8 k A holds.
  case order8
  /// R = r B, and a point of order 8 more: the same.
  case partOfOrder8

  /// The signature of a message by the key pair of a seed.
  func signature(of message: [UInt8], seed: [UInt8]) throws -> [UInt8] {
    let publicKey = try Ed25519.publicKey(of: seed.span)
    return try Self.signature(of: message, seed: seed, publicKey: publicKey, r: r, nonce: nonce)
  }

  /// r, a scalar that anybody knows: the fields of R that are not of small order are r B.
  private var nonce: [UInt8] {
    self == .partOfOrder8
      ? FixedRandomness.bytes(of: "nonce").dropLast() + [0] : [UInt8](repeating: 0, count: 32)
  }

  /// A point of order 8.
  private static let point: [UInt8] = [
    0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
    0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
  ]

  #if canImport(CSodium)
    private var r: [UInt8] {
      let zeros = [UInt8](repeating: 0, count: 30)
      let ones = [UInt8](repeating: 0xff, count: 30)
      switch self {
      case .identity: return [1] + zeros + [0]
      case .identityNotCanonical: return [0xee] + ones + [0x7f]
      case .identityNegative: return [1] + zeros + [0x80]
      case .order8: return Self.point
      case .partOfOrder8:
        var (product, sum) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        _ = unsafe crypto_scalarmult_ed25519_base_noclamp(&product, nonce)
        _ = unsafe crypto_core_ed25519_add(&sum, product, Self.point)
        return sum
      }
    }

    /// R and S = r + k a.
    private static func signature(
      of message: [UInt8], seed: [UInt8], publicKey: [UInt8], r: [UInt8], nonce: [UInt8]
    ) throws -> [UInt8] {
      var a = Array(hash(seed).prefix(32))
      (a[0], a[31]) = (a[0] & 0xf8, a[31] & 0x7f | 0x40)
      let k = reduced(hash(r + publicKey + message))
      var (product, sum) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
      unsafe crypto_core_ed25519_scalar_mul(&product, k, reduced(a + [UInt8](repeating: 0, count: 32)))
      unsafe crypto_core_ed25519_scalar_add(&sum, product, nonce)
      return r + sum
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: 64)
      _ = unsafe crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
      return digest
    }

    /// 64 bytes modulo L.
    private static func reduced(_ bytes: [UInt8]) -> [UInt8] {
      var result = [UInt8](repeating: 0, count: 32)
      unsafe crypto_core_ed25519_scalar_reduce(&result, bytes)
      return result
    }
  #else
    private struct NoSuchSteps: Error {}

    private var r: [UInt8] { [] }

    /// CryptoKit has no arithmetic of scalars.
    private static func signature(
      of message: [UInt8], seed: [UInt8], publicKey: [UInt8], r: [UInt8], nonce: [UInt8]
    ) throws -> [UInt8] { throw NoSuchSteps() }
  #endif
}
