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

  /// RFC 9180, 4.1: suite_id = concat("KEM", I2OSP(kem_id, 2)).
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

  /// DeriveKeyPair(ikm) (RFC 9180, 7.1.3).
  package func deriveKeyPair(from ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    let hmac = HMACSHA256()
    switch self {
    case .x25519:
      let sk = derivePrivateKey(from: ikm, by: hmac)
      return KeyPair(publicKey: try publicKey(of: sk), privateKey: sk)
    case .p256:
      guard let pair = deriveP256KeyPair(from: ikm, by: hmac) else { throw .invalidPrivateKey }
      return pair
    }
  }

  /// Runs DeriveKeyPair on each 32 bytes of `ikm`.
  ///
  /// Private and public keys are concatenated.
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
        Self.copy(sk, to: position, of: &privateKeys)
      }
      return X25519.publicKeys(of: privateKeys.span)
    case .p256:
      var publicKeys: [UInt8] = []
      publicKeys.reserveCapacity(count * publicKeySize)
      for position in 0..<count {
        guard let pair = deriveP256KeyPair(from: ikm.item(position, size: Self.privateKeySize), by: hmac)
        else {
          return nil
        }
        publicKeys += pair.publicKey
        Self.copy(pair.privateKey, to: position, of: &privateKeys)
      }
      return publicKeys
    }
  }

  /// Runs GenerateKeyPair for each 32 bytes of `privateKeys`, all drawn in one call.
  ///
  /// Any 32 bytes are a private key of X25519, and nearly any of P-256 (RFC 9180, 7.1.3).
  ///
  /// Returns `nil` if none of many draws is a private key, which does not happen in practice.
  fileprivate func generateKeyPairs(
    into privateKeys: inout MutableSpan<UInt8>, random: some RandomSource
  ) -> [UInt8]? {
    random.fill(&privateKeys)
    guard self == .p256 else { return X25519.publicKeys(of: privateKeys.span) }
    var publicKeys: [UInt8] = []
    publicKeys.reserveCapacity(privateKeys.count / Self.privateKeySize * publicKeySize)
    for position in 0..<privateKeys.count / Self.privateKeySize {
      guard let publicKey = publicKey(drawing: position, of: &privateKeys, random: random) else { return nil }
      publicKeys += publicKey
    }
    return publicKeys
  }

  /// The public key of one of the private keys; redraws that private key while it is 0 or not below the order.
  private func publicKey(
    drawing position: Int, of privateKeys: inout MutableSpan<UInt8>, random: some RandomSource
  ) -> [UInt8]? {
    for _ in 0...UInt8.max {
      let publicKey = try? publicKey(of: privateKeys.span.item(position, size: Self.privateKeySize))
      guard publicKey == nil else { return publicKey }
      Self.copy(random.secret(count: Self.privateKeySize), to: position, of: &privateKeys)
    }
    return nil
  }

  /// DeriveKeyPair's private key for X25519.
  private func derivePrivateKey(from ikm: Span<UInt8>, by hmac: HMACSHA256) -> Secret {
    let hkdf = hkdf(by: hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    hkdf.extractKey(salt: Span(), label: "dkp_prk", ikm: ikm)
    // sk = LabeledExpand(dkp_prk, "sk", "", Nsk)
    return hkdf.expand(label: "sk", count: Self.privateKeySize)
  }

  /// DeriveKeyPair for P-256.
  private func deriveP256KeyPair(from ikm: Span<UInt8>, by hmac: HMACSHA256) -> KeyPair? {
    let hkdf = hkdf(by: hmac)
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    hkdf.extractKey(salt: Span(), label: "dkp_prk", ikm: ikm)
    for counter in 0...UInt8.max {
      // bytes = LabeledExpand(dkp_prk, "candidate", I2OSP(counter, 1), Nsk); the bitmask of P-256 is 0xff
      let sk = hkdf.expand(label: "candidate", count: Self.privateKeySize) { $0.update(counter) }
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
    seeds: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let kem = self
    return try EphemeralKeys(kem: kem, count: seeds.count / Self.privateKeySize, hmac: hmac) { privateKeys in
      kem.deriveKeyPairs(from: seeds, into: &privateKeys, by: hmac)
    }
  }

  package func encapsulator(
    count: Int, random: some RandomSource, by hmac: HMACSHA256
  ) throws(CryptoError) -> any Encapsulator {
    let kem = self
    return try EphemeralKeys(kem: kem, count: count, hmac: hmac) { privateKeys in
      kem.generateKeyPairs(into: &privateKeys, random: random)
    }
  }

  /// Encap(pkR) (RFC 9180, 4.1), with an ephemeral key pair that no other message uses.
  func encapsulate(
    to pkR: Span<UInt8>, skE: Span<UInt8>, pkE: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Encapsulation {
    // dh = DH(skE, pkR); enc = SerializePublicKey(pkE); kem_context = concat(enc, pkRm)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    let sharedSecret = extractAndExpand(
      try sharedSecret(privateKey: skE, publicKey: pkR), enc: pkE, pkRm: pkR, by: hmac)
    return Encapsulation(sharedSecret: sharedSecret, encapsulatedKey: [UInt8](copying: pkE))
  }

  package func decapsulate(
    _ enc: Span<UInt8>, skR: Span<UInt8>, pkR: Span<UInt8>, by hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    try decapsulate(enc, pkR: pkR, by: hmac) { (pkE) throws(CryptoError) in
      try sharedSecret(privateKey: skR, publicKey: pkE)
    }
  }

  /// Decap(enc, skR) (RFC 9180, 4.1), with a private key that only `dh` can use: DH(skR, pkE).
  ///
  /// A bad encapsulated key is refused before `dh` is called.
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

  /// Checks a serialized public key (RFC 9180, 7.1.4).
  private func validate(encapsulatedKey: Span<UInt8>) throws(CryptoError) {
    switch self {
    case .x25519: try X25519.validate(publicKey: encapsulatedKey)
    case .p256: try P256.validate(publicKey: encapsulatedKey)
    }
  }

  /// DH(skX, pkY), which validates pkY.
  private func sharedSecret(privateKey skX: Span<UInt8>, publicKey pkY: Span<UInt8>) throws(CryptoError)
    -> Secret
  {
    switch self {
    case .x25519: try X25519.sharedSecret(privateKey: skX, publicKey: pkY)
    case .p256: try P256.sharedSecret(privateKey: skX, publicKey: pkY)
    }
  }

  /// ExtractAndExpand(dh, kem_context) (RFC 9180, 4.1), with kem_context = concat(enc, pkRm).
  private func extractAndExpand(
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
