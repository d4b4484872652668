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

  /// Encap(pkR) (RFC 9180, 4.1), with an ephemeral key pair that no other message has.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func encapsulate(
    to pkR: Span<UInt8>, skE: Span<UInt8>, pkE: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Encapsulation {
    // dh = DH(skE, pkR)
    let dh = try sharedSecret(skE, pkR)
    // enc = SerializePublicKey(pkE); kem_context = concat(enc, pkRm)
    let kemContext = [UInt8](concatenating: pkE, pkR)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    let sharedSecret = extractAndExpand(dh.exposedBytes, kemContext.span, hmac)
    return Encapsulation(sharedSecret: sharedSecret, encapsulatedKey: [UInt8](copying: pkE))
  }

  /// Decap(enc, skR) (RFC 9180, 4.1).
  ///
  /// `pkR` must be pk(skR). A bad encapsulated key is refused before skR is asked for anything.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` for a bad encapsulated key, and whatever skR throws.
  func decapsulate(
    _ enc: Span<UInt8>, skR: some KeyAgreement, pkR: Span<UInt8>, _ hmac: HMACSHA256
  ) throws(CryptoError) -> Secret {
    // pkE = DeserializePublicKey(enc)
    try validate(publicKey: enc)
    // dh = DH(skR, pkE)
    let dh = try skR.sharedSecret(with: enc)
    // kem_context = concat(enc, pkRm)
    let kemContext = [UInt8](concatenating: enc, pkR)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    return extractAndExpand(dh.exposedBytes, kemContext.span, hmac)
  }

  /// DH(skX, pkY), which validates pkY.
  func sharedSecret(_ skX: Span<UInt8>, _ pkY: Span<UInt8>) throws(CryptoError) -> Secret {
    switch self {
    case .x25519: try X25519.sharedSecret(privateKey: skX, publicKey: pkY)
    case .p256: try P256.sharedSecret(privateKey: skX, publicKey: pkY)
    }
  }

  /// ExtractAndExpand(dh, kem_context) (RFC 9180, 4.1).
  private func extractAndExpand(
    _ dh: Span<UInt8>, _ kemContext: Span<UInt8>, _ hmac: HMACSHA256
  ) -> Secret {
    let hkdf = hkdf(hmac)
    // eae_prk = LabeledExtract("", "eae_prk", dh)
    let eaePRK = hkdf.extract(salt: Span(), "eae_prk", dh)
    // shared_secret = LabeledExpand(eae_prk, "shared_secret", kem_context, Nsecret)
    return hkdf.expand(eaePRK, "shared_secret", kemContext, HMACSHA256.codeSize)
  }

  /// HKDF with the KEM's id.
  func hkdf(_ hmac: HMACSHA256) -> LabeledHKDF {
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
