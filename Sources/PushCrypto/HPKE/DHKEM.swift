/// The key encapsulation mechanisms based on Diffie-Hellman (RFC 9180, 4.1), with HKDF-SHA256.
package enum DHKEM: Sendable {
  /// DHKEM(X25519, HKDF-SHA256).
  case x25519

  /// DHKEM(P-256, HKDF-SHA256).
  case p256

  /// RFC 9180, 7.1.
  var id: UInt16 {
    switch self {
    case .p256: 0x0010
    case .x25519: 0x0020
    }
  }

  /// The length of a serialized private key (Nsk), of the input for deriving one, and of a shared secret, in bytes.
  package static let privateKeySize = 32

  /// The length of a serialized public key (Npk) and of an encapsulated key (Nenc), in bytes.
  package var publicKeySize: Int {
    switch self {
    case .x25519: X25519.keySize
    case .p256: P256.publicKeySize
    }
  }

  /// Checks a serialized public key (RFC 9180, 7.1.4).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package func validate(publicKey: Span<UInt8>) throws(CryptoError) {
    switch self {
    case .x25519: try X25519.validate(publicKey: publicKey)
    case .p256: try P256.validate(publicKey: publicKey)
    }
  }

  /// pk(sk), serialized.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``.
  package func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    switch self {
    case .x25519: try X25519.publicKey(of: privateKey)
    case .p256: try P256.publicKey(of: privateKey)
    }
  }

  private func publicKey(of privateKey: borrowing Secret) throws(CryptoError) -> [UInt8] {
    try publicKey(of: privateKey.exposedBytes)
  }

  /// DeriveKeyPair(ikm) (RFC 9180, 7.1.3).
  ///
  /// `ikm` has at least 32 bytes of entropy.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen.
  package func deriveKeyPair(_ ikm: Span<UInt8>) throws(CryptoError) -> KeyPair {
    // dkp_prk = LabeledExtract("", "dkp_prk", ikm)
    let dkpPRK = hkdf.extract(salt: Span(), "dkp_prk", ikm)
    switch self {
    case .x25519:
      // sk = LabeledExpand(dkp_prk, "sk", "", Nsk)
      let sk = hkdf.expand(dkpPRK.exposedBytes, "sk", Span(), Self.privateKeySize)
      let pk = try publicKey(of: sk)
      return KeyPair(publicKey: pk, privateKey: sk)
    case .p256:
      for counter in 0...UInt8.max {
        // bytes = LabeledExpand(dkp_prk, "candidate", I2OSP(counter, 1), Nsk); the bitmask of P-256 is 0xff
        let counterBytes = [counter]
        let sk = hkdf.expand(dkpPRK.exposedBytes, "candidate", counterBytes.span, Self.privateKeySize)
        // until sk is neither 0 nor >= order
        guard let pk = try? publicKey(of: sk) else { continue }
        return KeyPair(publicKey: pk, privateKey: sk)
      }
      throw .invalidPrivateKey
    }
  }

  /// Encap(pkR) (RFC 9180, 4.1), with the ephemeral key pair DeriveKeyPair(ikmE).
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func encapsulate(to pkR: Span<UInt8>, ikmE: Span<UInt8>) throws(CryptoError) -> Encapsulation {
    // skE, pkE = GenerateKeyPair()
    let ephemeral = try deriveKeyPair(ikmE)
    // dh = DH(skE, pkR)
    let dh = try sharedSecret(ephemeral.privateKey.exposedBytes, pkR)
    // enc = SerializePublicKey(pkE); kem_context = concat(enc, pkRm)
    let kemContext = ephemeral.publicKey + [UInt8](copying: pkR)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    let sharedSecret = extractAndExpand(dh.exposedBytes, kemContext.span)
    return Encapsulation(sharedSecret: sharedSecret, encapsulatedKey: ephemeral.publicKey)
  }

  /// Decap(enc, skR) (RFC 9180, 4.1).
  ///
  /// `pkR` must be pk(skR). A bad encapsulated key is refused before skR is asked for anything.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, and whatever skR throws.
  func decapsulate(
    _ enc: Span<UInt8>, skR: some KeyAgreement, pkR: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    // pkE = DeserializePublicKey(enc)
    try validate(publicKey: enc)
    // dh = DH(skR, pkE)
    let dh = try skR.sharedSecret(with: enc)
    // kem_context = concat(enc, pkRm)
    let kemContext = [UInt8](copying: enc) + [UInt8](copying: pkR)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    return extractAndExpand(dh.exposedBytes, kemContext.span)
  }

  /// DH(skX, pkY), which validates pkY.
  func sharedSecret(_ skX: Span<UInt8>, _ pkY: Span<UInt8>) throws(CryptoError) -> Secret {
    switch self {
    case .x25519: try X25519.sharedSecret(privateKey: skX, publicKey: pkY)
    case .p256: try P256.sharedSecret(privateKey: skX, publicKey: pkY)
    }
  }

  /// ExtractAndExpand(dh, kem_context) (RFC 9180, 4.1).
  private func extractAndExpand(_ dh: Span<UInt8>, _ kemContext: Span<UInt8>) -> Secret {
    // eae_prk = LabeledExtract("", "eae_prk", dh)
    let eaePRK = hkdf.extract(salt: Span(), "eae_prk", dh)
    // shared_secret = LabeledExpand(eae_prk, "shared_secret", kem_context, Nsecret)
    return hkdf.expand(eaePRK.exposedBytes, "shared_secret", kemContext, HMACSHA256.codeSize)
  }

  /// RFC 9180, 4.1: suite_id = concat("KEM", I2OSP(kem_id, 2)).
  private var hkdf: LabeledHKDF {
    switch self {
    case .x25519: Self.hkdfOfX25519
    case .p256: Self.hkdfOfP256
    }
  }

  private static let hkdfOfX25519 = DHKEM.x25519.makeHKDF()
  private static let hkdfOfP256 = DHKEM.p256.makeHKDF()

  private func makeHKDF() -> LabeledHKDF {
    LabeledHKDF(suiteID: [UInt8]("KEM".utf8) + [UInt8](bigEndian: id, count: 2))
  }
}
