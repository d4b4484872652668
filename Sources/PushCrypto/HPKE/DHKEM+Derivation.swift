extension DHKEM {
  /// DeriveKeyPair(ikm) (RFC 9180, 7.1.3).
  ///
  /// `ikm` has at least 32 bytes of entropy.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen.
  package func deriveKeyPair(_ ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    let hmac = HMACSHA256()
    switch self {
    case .x25519:
      let sk = derivePrivateKey(ikm, hmac)
      return KeyPair(publicKey: try publicKey(of: sk), privateKey: sk)
    case .p256:
      guard let pair = deriveP256KeyPair(ikm, hmac) else { throw .invalidPrivateKey }
      return pair
    }
  }

  /// DeriveKeyPair of each 32 bytes of `ikm`: private keys and public ones, one behind the other.
  ///
  /// Null where the RFC has DeriveKeyPairError, which does not happen.
  func deriveKeyPairs(
    _ ikm: Span<UInt8>, into privateKeys: inout MutableSpan<UInt8>, _ hmac: HMACSHA256
  ) -> [UInt8]? {
    let count = ikm.count / Self.privateKeySize
    switch self {
    case .x25519:
      for position in 0..<count {
        let sk = derivePrivateKey(ikm.item(position, size: Self.privateKeySize), hmac)
        Self.copy(sk, to: position, of: &privateKeys)
      }
      return X25519.publicKeys(of: privateKeys.span)
    case .p256:
      var publicKeys: [UInt8] = []
      publicKeys.reserveCapacity(count * publicKeySize)
      for position in 0..<count {
        guard let pair = deriveP256KeyPair(ikm.item(position, size: Self.privateKeySize), hmac) else {
          return nil
        }
        publicKeys += pair.publicKey
        Self.copy(pair.privateKey, to: position, of: &privateKeys)
      }
      return publicKeys
    }
  }

  /// DeriveKeyPair's private key, of X25519.
  private func derivePrivateKey(_ ikm: Span<UInt8>, _ hmac: HMACSHA256) -> Secret {
    let hkdf = hkdf(hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    let dkpPRK = hkdf.extract(salt: Span(), "dkp_prk", ikm)
    // sk = LabeledExpand(dkp_prk, "sk", "", Nsk)
    return hkdf.expand(dkpPRK, "sk", Span(), Self.privateKeySize)
  }

  /// DeriveKeyPair, of P-256.
  private func deriveP256KeyPair(_ ikm: Span<UInt8>, _ hmac: HMACSHA256) -> KeyPair? {
    let hkdf = hkdf(hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    let dkpPRK = hkdf.extract(salt: Span(), "dkp_prk", ikm)
    for counter in 0...UInt8.max {
      // bytes = LabeledExpand(dkp_prk, "candidate", I2OSP(counter, 1), Nsk); the bitmask of P-256 is 0xff
      let counterBytes = [counter]
      let sk = hkdf.expand(dkpPRK, "candidate", counterBytes.span, Self.privateKeySize)
      // until sk is neither 0 nor >= order
      guard let pk = try? publicKey(of: sk) else { continue }
      return KeyPair(publicKey: pk, privateKey: sk)
    }
    return nil
  }

  private func publicKey(of privateKey: borrowing Secret) throws(CryptoError) -> [UInt8] {
    try publicKey(of: privateKey.exposedBytes)
  }

  private static func copy(
    _ privateKey: borrowing Secret, to position: Int, of privateKeys: inout MutableSpan<UInt8>
  ) {
    let bytes = privateKey.exposedBytes
    for index in bytes.indices { privateKeys[position * privateKeySize + index] = bytes[index] }
  }
}
