/// The sizes of ML-KEM-768 (FIPS 203, 8), and the check of its public keys.
package enum MLKEM768 {
  /// The length of a public key, in bytes: FIPS 203's encapsulation key.
  static let publicKeySize = 1184

  /// The length of a ciphertext, in bytes.
  static let ciphertextSize = 1088

  /// The length of a private key's seed (d | z), in bytes.
  static let seedSize = 64

  /// The length of an encapsulation's randomness (m), in bytes.
  static let encapsulationSeedSize = 32

  /// The length of a shared secret, in bytes.
  static let sharedSecretSize = 32

  /// Whether a public key passes FIPS 203's check of its type and modulus (7.2).
  ///
  /// It has 1,184 bytes, which begin with 768 coefficients of 12 bits, little endian, each below 3,329.
  package static func isValid(publicKey: Span<UInt8>) -> Bool {
    guard publicKey.count == publicKeySize else { return false }
    return stride(from: 0, to: coefficientsSize, by: 3).allSatisfy { start in
      let (low, middle, high) = (
        Int(publicKey[start]), Int(publicKey[start + 1]), Int(publicKey[start + 2])
      )
      return low | (middle & 0x0f) << 8 < modulus && middle >> 4 | high << 4 < modulus
    }
  }

  /// The length of the coefficients at the start of a public key, in bytes; the rest is a seed.
  private static let coefficientsSize = 1152

  private static let modulus = 3329
}
