/// X25519 (RFC 7748).
///
/// Public keys that give every private key the same shared secret are refused.
package enum X25519 {
  /// The length of a private key, a public key and a shared secret, in bytes.
  package static let keySize = 32

  /// Checks that `bytes` can serve as a public key: 32 bytes, not a point of small order.
  ///
  /// RFC 9180, 7.1.4 lets an implementation check the key or the shared secret. Some libraries check neither, so both
  /// are checked here: anyone can read a message sealed to a small-order key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    guard bytes.count == keySize, !hasSmallOrder(bytes) else { throw .invalidPublicKey }
  }

  /// Whether a 32-byte public key is the canonical encoding of its point: below p = 2^255 - 19.
  package static func isCanonical(_ publicKey: Span<UInt8>) -> Bool {
    LittleEndian.isBelow([UInt8](copying: publicKey), LittleEndian.fieldPrime)
  }

  /// The public key of a private key: X25519(sk, 9).
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if it is not 32 bytes long.
  package static func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == keySize else { throw .invalidPrivateKey }
    return publicKeys(of: privateKey)
  }

  /// Returns the public keys of concatenated 32-byte private keys, concatenated in the same order.
  ///
  /// A batch takes less time than separate calls.
  static func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8] {
    precondition(privateKeys.count.isMultiple(of: keySize), "a private key has 32 bytes")
    if Lanes.pay(for: privateKeys.count / keySize),
      let publicKeys = X25519Lanes.shared.publicKeys(of: privateKeys)
    {
      return publicKeys
    }
    return Backend.X25519.publicKeys(of: privateKeys)
  }

  /// The shared secrets of concatenated 32-byte private keys and of as many public keys, concatenated; all zero where a
  /// public key is refused.
  ///
  /// A batch may take less time than separate calls.
  static func sharedSecrets(privateKeys: Span<UInt8>, publicKeys: ArraySlice<[UInt8]>) -> Secret {
    Secret(count: publicKeys.count * keySize) { secrets in
      // What cannot serve as a key is replaced by a point of small order, whose shared secrets are all zero.
      let points = publicKeys.map { (try? validate(publicKey: $0.span)) == nil ? smallOrderPoints[0] : $0 }
      if Lanes.pay(for: points.count),
        X25519Lanes.shared.sharedSecrets(privateKeys: privateKeys, points: points, into: &secrets)
      {
        return
      }
      for (position, point) in points.enumerated() {
        let privateKey = privateKeys.item(position, size: keySize)
        let secret = Backend.X25519.sharedSecret(privateKey: privateKey, publicKey: point.span)
        secrets.replaceItem(position, with: secret.exposedBytes)
      }
    }
  }

  /// The shared secret X25519(sk, pk), 32 bytes.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, also if the result is all zero, and
  ///   ``CryptoError/invalidPrivateKey``.
  package static func sharedSecret(
    privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    guard privateKey.count == keySize else { throw .invalidPrivateKey }
    try validate(publicKey: publicKey)
    let secret = Backend.X25519.sharedSecret(privateKey: privateKey, publicKey: publicKey)
    guard !isZero(secret) else { throw .invalidPublicKey }
    return secret
  }

  private static func isZero(_ secret: borrowing Secret) -> Bool {
    ConstantTime.isZero(secret.exposedBytes)
  }

  /// Whether a 32-byte public key is one of the small-order points, in any of their encodings.
  private static func hasSmallOrder(_ publicKey: Span<UInt8>) -> Bool {
    let last = keySize - 1
    return smallOrderPoints.contains { point in
      // RFC 7748, 5: the top bit is ignored
      publicKey[last] & 0x7f == point[last] && (0..<last).allSatisfy { publicKey[$0] == point[$0] }
    }
  }

  /// The u coordinates, little endian, of the points of order 1, 2, 4 and 8 on the curve and on its twist:
  /// 0, 1, the two of order 8, p - 1, and 0 and 1 again as p and p + 1.
  static let smallOrderPoints: [[UInt8]] = [
    [0] + [UInt8](repeating: 0, count: 31),
    [1] + [UInt8](repeating: 0, count: 31),
    [
      0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
      0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
    ],
    [
      0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
      0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
    ],
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ]
}
