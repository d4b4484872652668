/// Ed25519 (RFC 8032).
///
/// Keys and signatures in edge cases are judged here, so that all libraries agree.
package enum Ed25519 {
  /// The length of a private key (RFC 8032's seed) and of a public key, in bytes.
  package static let keySize = 32

  /// The length of a signature, in bytes.
  package static let signatureSize = 64

  /// Whether signatures are deterministic (RFC 8032).
  ///
  /// CryptoKit's are randomized.
  package static var isDeterministic: Bool { Backend.Ed25519.isDeterministic }

  /// Checks that `bytes` can serve as a public key: 32 bytes, canonical, not of small order.
  ///
  /// Bytes that are not a point pass this check, but no signature verifies with them.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    guard bytes.count == keySize, Ed25519Encoding.isCanonical(bytes), !Ed25519Encoding.hasSmallOrder(bytes)
    else { throw .invalidPublicKey }
  }

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if it is not 32 bytes long.
  package static func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == keySize else { throw .invalidPrivateKey }
    return Backend.Ed25519.publicKey(of: privateKey)
  }

  /// Signs `message`; if ``isDeterministic``, the 64-byte signature is always the same.
  ///
  /// `publicKey` must belong to the private key; this was checked when the pair was made.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if a key is not 32 bytes long.
  package static func sign(
    _ message: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == keySize, publicKey.count == keySize else { throw .invalidPrivateKey }
    return Backend.Ed25519.sign(message, privateKey: privateKey, publicKey: publicKey)
  }

  /// Signs each of several messages as ``sign(_:privateKey:publicKey:)`` does, in less time where the system allows it.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` if a key is not 32 bytes long.
  package static func sign(
    _ messages: [[UInt8]], privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> [[UInt8]] {
    guard privateKey.count == keySize, publicKey.count == keySize else { throw .invalidPrivateKey }
    if Lanes.pay(for: messages.count),
      let signatures = Ed25519Lanes.shared.signatures(
        on: messages, privateKey: privateKey, publicKey: publicKey)
    {
      return signatures
    }
    return messages.map { Backend.Ed25519.sign($0.span, privateKey: privateKey, publicKey: publicKey) }
  }

  /// Whether `signature` on `message` is valid under the public key.
  ///
  /// Three things are refused before the library is called: a public key that ``validate(publicKey:)`` refuses, an R of
  /// small order, and an S that is not below the group's order. The equation is the one without the cofactor.
  package static func isValid(
    _ signature: Span<UInt8>, on message: Span<UInt8>, publicKey: Span<UInt8>
  ) -> Bool {
    guard signature.count == signatureSize, (try? validate(publicKey: publicKey)) != nil,
      !Ed25519Encoding.hasSmallOrder(signature.extracting(0..<32)),
      Ed25519Encoding.isReduced(signature.extracting(32..<64))
    else { return false }
    return Backend.Ed25519.isValid(signature, on: message, publicKey: publicKey)
  }
}

/// The key pairs of Ed25519; the private key is RFC 8032's seed.
package struct Ed25519Keys: KeyKind {
  /// Makes the kind.
  package init() {}

  package var privateKeySize: Int { Ed25519.keySize }

  package var publicKeySize: Int { Ed25519.keySize }

  package var pkcs8: PKCS8Form? { .ed25519 }

  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    try Ed25519.validate(publicKey: publicKey)
  }

  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    try Ed25519.publicKey(of: privateKey)
  }

  /// Derives the pair from a seed, which is any 32 bytes.
  package func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    KeyPair(publicKey: try publicKey(of: ikm), privateKey: Secret(copying: ikm))
  }
}

/// Checks of the 32-byte encoding of an Ed25519 point or scalar, for public values only.
enum Ed25519Encoding {
  /// Whether a point's y coordinate is below p = 2^255 - 19 (RFC 8032, 5.1.3, step 1).
  static func isCanonical(_ point: Span<UInt8>) -> Bool {
    LittleEndian.isBelow(withoutSign(point), LittleEndian.fieldPrime)
  }

  /// Whether a scalar is below L, the order of the base point (RFC 8032, 5.1.7, step 1).
  static func isReduced(_ scalar: Span<UInt8>) -> Bool {
    LittleEndian.isBelow([UInt8](copying: scalar), groupOrder)
  }

  /// Whether a point has order 1, 2, 4 or 8, in any encoding.
  ///
  /// The sign of x is ignored.
  static func hasSmallOrder(_ point: Span<UInt8>) -> Bool {
    smallOrderY.contains(withoutSign(point))
  }

  private static func withoutSign(_ point: Span<UInt8>) -> [UInt8] {
    var y = [UInt8](copying: point)
    y[31] &= 0x7f
    return y
  }

  /// The order of the base point, L = 2^252 + 27742317777372353535851937790883648493.
  private static let groupOrder: [UInt8] =
    [
      0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    ] + [UInt8](repeating: 0, count: 15) + [0x10]

  /// The y coordinates, little endian, of the eight points of small order: 1, -1, 0, the two of order 8, and 0
  /// and 1 again as p and p + 1.
  private static let smallOrderY: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [UInt8](repeating: 0, count: 32),
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
    [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ]
}
