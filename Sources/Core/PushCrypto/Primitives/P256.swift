/// ECDH on P-256 (NIST SP 800-56A) with uncompressed points only.
package enum P256 {
  /// The length of a private key and of a shared secret, in bytes.
  package static let privateKeySize = 32

  /// The length of a public key, in bytes: 0x04, x, y.
  package static let publicKeySize = 65

  /// Checks that `bytes` are a point on the curve in uncompressed form, which excludes the point at infinity.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    guard isUncompressed(bytes), Backend.P256.isPoint(bytes) else { throw .invalidPublicKey }
  }

  private static func isUncompressed(_ bytes: Span<UInt8>) -> Bool {
    bytes.count == publicKeySize && bytes[0] == uncompressed
  }

  /// The first byte of a public key.
  static let uncompressed: UInt8 = 0x04

  /// Whether a private key is from 1 to the order - 1, in constant time.
  static func isValid(privateKey: Span<UInt8>) -> Bool {
    guard privateKey.count == privateKeySize else { return false }
    var borrow = 0
    for index in (0..<privateKeySize).reversed() {
      borrow = (Int(largestPrivateKey[index]) - Int(privateKey[index]) - borrow) >> 8 & 1
    }
    return borrow == 0 && !ConstantTime.isZero(privateKey)
  }

  /// The order of the base point - 1, n - 1.
  static let largestPrivateKey: [UInt8] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x50,
  ]

  /// The base point G, the public key of the private key 1.
  static let basePoint: [UInt8] = [
    0x04,
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
  ]

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` unless it has 32 bytes and is from 1 to the order - 1.
  package static func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == privateKeySize, let publicKey = Backend.P256.publicKey(of: privateKey) else {
      throw .invalidPrivateKey
    }
    return publicKey
  }

  /// The public keys of concatenated private keys, concatenated in the same order.
  ///
  /// A batch may take less time than separate calls.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if one is not from 1 to the order - 1.
  static func publicKeys(of privateKeys: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let count = privateKeys.count / privateKeySize
    for position in 0..<count {
      guard isValid(privateKey: privateKeys.item(position, size: privateKeySize)) else {
        throw .invalidPrivateKey
      }
    }
    if Lanes.pay(for: count), let publicKeys = P256Lanes.shared.publicKeys(of: privateKeys) {
      return publicKeys
    }
    var publicKeys: [UInt8] = []
    publicKeys.reserveCapacity(count * publicKeySize)
    for position in 0..<count {
      publicKeys += try publicKey(of: privateKeys.item(position, size: privateKeySize))
    }
    return publicKeys
  }

  /// The shared secrets of concatenated private keys and of as many public keys, concatenated; all zero where a public key
  /// is refused.
  ///
  /// A batch may take less time than separate calls. ``publicKeys(of:)`` has checked the private keys.
  static func sharedSecrets(privateKeys: Span<UInt8>, publicKeys: ArraySlice<[UInt8]>) -> Secret {
    Secret(count: publicKeys.count * privateKeySize) { secrets in
      if Lanes.pay(for: publicKeys.count),
        P256Lanes.shared.sharedSecrets(privateKeys: privateKeys, publicKeys: publicKeys, into: &secrets)
      {
        return
      }
      for (position, publicKey) in publicKeys.enumerated() {
        let privateKey = privateKeys.item(position, size: privateKeySize)
        guard let secret = try? sharedSecret(privateKey: privateKey, publicKey: publicKey.span) else {
          continue
        }
        secrets.replaceItem(position, with: secret.exposedBytes)
      }
    }
  }

  /// The shared secret, 32 bytes: the x coordinate of the private key times the point.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` or ``CryptoError/invalidPrivateKey``.
  package static func sharedSecret(
    privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    // The backend checks the point too.
    guard isUncompressed(publicKey), privateKey.count == privateKeySize,
      let secret = Backend.P256.sharedSecret(privateKey: privateKey, publicKey: publicKey)
    else {
      try validate(publicKey: publicKey)
      throw .invalidPrivateKey
    }
    return secret
  }
}
