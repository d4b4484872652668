/// The Diffie-Hellman key encapsulation mechanisms (RFC 9180, 4.1), with HKDF-SHA256.
package enum DHKEM: Sendable {
  /// DHKEM(X25519, HKDF-SHA256).
  case x25519

  /// DHKEM(P-256, HKDF-SHA256).
  case p256

  /// The length of a serialized private key (Nsk) and of the input for deriving one, in bytes.
  static let privateKeySize = 32

  /// HKDF with the KEM's suite ID.
  fileprivate func hkdf(by hmac: HMACSHA256) -> LabeledHKDF {
    switch self {
    case .x25519: LabeledHKDF(suiteID: Self.suiteIDOfX25519, hmac: hmac)
    case .p256: LabeledHKDF(suiteID: Self.suiteIDOfP256, hmac: hmac)
    }
  }

  private static let suiteIDOfX25519 = DHKEM.x25519.suiteID
  private static let suiteIDOfP256 = DHKEM.p256.suiteID

  /// The KEM's suite ID (RFC 9180, 4.1): suite_id = concat("KEM", I2OSP(kem_id, 2)).
  private var suiteID: [UInt8] { [UInt8]("KEM".utf8) + [UInt8](bigEndian: id, count: 2) }
}

// MARK: Keys

extension DHKEM: KeyKind {
  package var privateKeySize: Int { Self.privateKeySize }

  package var publicKeySize: Int {
    switch self {
    case .x25519: X25519.keySize
    case .p256: P256.publicKeySize
    }
  }

  package var pkcs8: PKCS8Form? {
    switch self {
    case .x25519: .x25519
    case .p256: .p256
    }
  }

  /// Checks a serialized public key (RFC 9180, 7.1.4).
  ///
  /// An X25519 key must also be canonical.
  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    try validate(encapsulatedKey: publicKey)
    guard self != .x25519 || X25519.isCanonical(publicKey) else { throw .invalidPublicKey }
  }

  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    switch self {
    case .x25519: try X25519.publicKey(of: privateKey)
    case .p256: try P256.publicKey(of: privateKey)
    }
  }

  /// Derives a key pair: DeriveKeyPair(ikm) (RFC 9180, 7.1.3).
  package func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    let hmac = HMACSHA256()
    switch self {
    case .x25519:
      let sk = derivePrivateKey(from: ikm, by: hmac)
      return KeyPair(publicKey: try publicKey(of: sk), privateKey: sk)
    case .p256:
      guard let sk = deriveP256PrivateKey(from: ikm, by: hmac) else { throw .invalidPrivateKey }
      return KeyPair(publicKey: try publicKey(of: sk), privateKey: sk)
    }
  }

  /// Derives a key pair from each 32 bytes of `ikm` (DeriveKeyPair), and returns the concatenated public keys.
  ///
  /// Returns `nil` for the RFC's DeriveKeyPairError, which does not happen in practice.
  fileprivate func deriveKeyPairs(
    from ikm: Span<UInt8>, into privateKeys: inout MutableSpan<UInt8>, by hmac: HMACSHA256
  ) -> [UInt8]? {
    let count = ikm.count / Self.privateKeySize
    switch self {
    case .x25519:
      for position in 0..<count {
        let sk = derivePrivateKey(from: ikm.item(position, size: Self.privateKeySize), by: hmac)
        privateKeys.replaceItem(position, with: sk.exposedBytes)
      }
      return X25519.publicKeys(of: privateKeys.span)
    case .p256:
      for position in 0..<count {
        let ikm = ikm.item(position, size: Self.privateKeySize)
        guard let sk = deriveP256PrivateKey(from: ikm, by: hmac) else { return nil }
        privateKeys.replaceItem(position, with: sk.exposedBytes)
      }
      return try? P256.publicKeys(of: privateKeys.span)
    }
  }

  /// Fills `privateKeys` with random keys of 32 bytes, and returns the concatenated public keys (GenerateKeyPair).
  ///
  /// Any 32 bytes are a private key of X25519, and nearly any are one of P-256 (RFC 9180, 7.1.3).
  ///
  /// Returns `nil` if none of many draws is a private key, which does not happen in practice.
  fileprivate func generateKeyPairs(
    into privateKeys: inout MutableSpan<UInt8>, random: some RandomSource
  ) -> [UInt8]? {
    random.fill(&privateKeys)
    guard self == .p256 else { return X25519.publicKeys(of: privateKeys.span) }
    for position in 0..<privateKeys.count / Self.privateKeySize {
      for _ in 0...UInt8.max {
        if P256.isValid(privateKey: privateKeys.span.item(position, size: Self.privateKeySize)) { break }
        // It is 0 or not below the order.
        privateKeys.replaceItem(position, with: random.secret(count: Self.privateKeySize).exposedBytes)
      }
    }
    return try? P256.publicKeys(of: privateKeys.span)
  }

  /// Derives a private key for X25519, as DeriveKeyPair does.
  private func derivePrivateKey(from ikm: Span<UInt8>, by hmac: HMACSHA256) -> Secret {
    let hkdf = hkdf(by: hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    hkdf.extractKey(salt: Span(), label: "dkp_prk", ikm: ikm)
    // sk = LabeledExpand(dkp_prk, "sk", "", Nsk)
    return hkdf.expand(label: "sk", count: Self.privateKeySize)
  }

  /// Derives a private key for P-256, as DeriveKeyPair does.
  private func deriveP256PrivateKey(from ikm: Span<UInt8>, by hmac: HMACSHA256) -> Secret? {
    let hkdf = hkdf(by: hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    hkdf.extractKey(salt: Span(), label: "dkp_prk", ikm: ikm)
    for counter in 0...UInt8.max {
      // bytes = LabeledExpand(dkp_prk, "candidate", I2OSP(counter, 1), Nsk); the bitmask of P-256 is 0xff
      let sk = hkdf.expand(label: "candidate", count: Self.privateKeySize) { $0.update(counter) }
      // until sk is neither 0 nor >= order
      if isValid(sk) { return sk }
    }
    return nil
  }

  private func isValid(_ sk: borrowing Secret) -> Bool { P256.isValid(privateKey: sk.exposedBytes) }

  private func publicKey(of privateKey: borrowing Secret) throws(CryptoError) -> [UInt8] {
    try publicKey(of: privateKey.exposedBytes)
  }
}

// MARK: Encapsulation

extension DHKEM: KEM {
  package var id: UInt16 {
    switch self {
    case .p256: 0x0010
    case .x25519: 0x0020
    }
  }

  package var encapsulatedKeySize: Int { publicKeySize }

  package var sharedSecretSize: Int { HMACSHA256.codeSize }

  package var encapsulationSeedSize: Int { Self.privateKeySize }

  package func encapsulator(
    to recipients: [[UInt8]], seeds: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let kem = self
    return try EphemeralKeys(kem: kem, recipients: recipients, hmac: hmac) { privateKeys in
      kem.deriveKeyPairs(from: seeds, into: &privateKeys, by: hmac)
    }
  }

  package func encapsulator(
    to recipients: [[UInt8]], random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let kem = self
    return try EphemeralKeys(kem: kem, recipients: recipients, hmac: hmac) { privateKeys in
      kem.generateKeyPairs(into: &privateKeys, random: random)
    }
  }

  package func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try decapsulate(enc, pkR: pkR, by: hmac) { (pkE) throws(CryptoError) in
      try sharedSecret(privateKey: skR, publicKey: pkE)
    }
  }

  /// Recovers a shared secret, Decap(enc, skR) (RFC 9180, 4.1), with a private key that only `dh` can use.
  ///
  /// `dh` computes DH(skR, pkE). A bad encapsulated key is refused before `dh` is called.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, and any error that `dh` throws.
  package func decapsulate(
    _ enc: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256,
    dh: (Span<UInt8>) throws(CryptoError) -> Secret
  ) throws(CryptoError) -> Secret {
    // pkE = DeserializePublicKey(enc)
    try validate(encapsulatedKey: enc)
    // dh = DH(skR, pkE); kem_context = concat(enc, pkRm)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    return extractAndExpand(try dh(enc), enc: enc, pkRm: pkR, by: hmac)
  }

  /// Checks an encapsulated key, which is a serialized public key (RFC 9180, 7.1.4).
  private func validate(encapsulatedKey: Span<UInt8>) throws(CryptoError) {
    switch self {
    case .x25519: try X25519.validate(publicKey: encapsulatedKey)
    case .p256: try P256.validate(publicKey: encapsulatedKey)
    }
  }

  /// Computes DH(skX, pkY), and validates pkY.
  private func sharedSecret(privateKey skX: Span<UInt8>, publicKey pkY: Span<UInt8>) throws(CryptoError)
    -> Secret
  {
    switch self {
    case .x25519: try X25519.sharedSecret(privateKey: skX, publicKey: pkY)
    case .p256: try P256.sharedSecret(privateKey: skX, publicKey: pkY)
    }
  }

  /// Computes DH(skX, pkY) of each of concatenated private keys and its public key; all zero where a public key is refused.
  func sharedSecrets(privateKeys: Span<UInt8>, publicKeys: ArraySlice<[UInt8]>) -> Secret {
    switch self {
    case .x25519: X25519.sharedSecrets(privateKeys: privateKeys, publicKeys: publicKeys)
    case .p256: P256.sharedSecrets(privateKeys: privateKeys, publicKeys: publicKeys)
    }
  }

  /// Derives the shared secret: ExtractAndExpand(dh, concat(enc, pkRm)) (RFC 9180, 4.1).
  func extractAndExpand(
    _ dh: borrowing Secret, enc: Span<UInt8>, pkRm: Span<UInt8>, by hmac: HMACSHA256
  ) -> Secret {
    let hkdf = hkdf(by: hmac)
    // eae_prk = LabeledExtract("", "eae_prk", dh)
    hkdf.extractKey(salt: Span(), label: "eae_prk", ikm: dh.exposedBytes)
    // shared_secret = LabeledExpand(eae_prk, "shared_secret", kem_context, Nsecret)
    return hkdf.expand(label: "shared_secret", count: sharedSecretSize) { context in
      context.update(enc)
      context.update(pkRm)
    }
  }
}
