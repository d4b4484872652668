/// A combination of HPKE's algorithms (RFC 9180, 7).
package enum HPKESuite: Sendable, CaseIterable {
  /// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305: CryptoKit's `Curve25519_SHA256_ChachaPoly`.
  case x25519ChaChaPoly

  /// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
  case p256AESGCM

  /// How keys are agreed.
  package var kem: DHKEM {
    switch self {
    case .x25519ChaChaPoly: .x25519
    case .p256AESGCM: .p256
    }
  }

  /// How messages are encrypted.
  var aead: AEAD {
    switch self {
    case .x25519ChaChaPoly: .chaCha20Poly1305
    case .p256AESGCM: .aes256GCM
    }
  }

  /// RFC 9180, 7.2: HKDF-SHA256.
  private var kdfID: UInt16 { 0x0001 }

  /// RFC 9180, 7.3.
  private var aeadID: UInt16 {
    switch self {
    case .x25519ChaChaPoly: 0x0003
    case .p256AESGCM: 0x0002
    }
  }

  /// HKDF with the suite's id, for the key schedule.
  func hkdf(_ hmac: HMACSHA256) -> LabeledHKDF {
    switch self {
    case .x25519ChaChaPoly: LabeledHKDF(suiteID: Self.suiteIDOfX25519ChaChaPoly, hmac: hmac)
    case .p256AESGCM: LabeledHKDF(suiteID: Self.suiteIDOfP256AESGCM, hmac: hmac)
    }
  }

  /// psk_id_hash = LabeledExtract("", "psk_id_hash", psk_id), with base mode's empty psk_id: no secret.
  var pskIDHash: [UInt8] {
    switch self {
    case .x25519ChaChaPoly: Self.pskIDHashOfX25519ChaChaPoly
    case .p256AESGCM: Self.pskIDHashOfP256AESGCM
    }
  }

  private static let suiteIDOfX25519ChaChaPoly = HPKESuite.x25519ChaChaPoly.suiteID
  private static let suiteIDOfP256AESGCM = HPKESuite.p256AESGCM.suiteID
  private static let pskIDHashOfX25519ChaChaPoly = HPKESuite.x25519ChaChaPoly.makePSKIDHash()
  private static let pskIDHashOfP256AESGCM = HPKESuite.p256AESGCM.makePSKIDHash()

  private func makePSKIDHash() -> [UInt8] {
    let hash = hkdf(HMACSHA256()).extract(salt: Span(), "psk_id_hash", Span())
    return [UInt8](copying: hash.exposedBytes)
  }

  /// RFC 9180, 5.1: suite_id = concat("HPKE", I2OSP(kem_id, 2), I2OSP(kdf_id, 2), I2OSP(aead_id, 2)).
  private var suiteID: [UInt8] {
    [UInt8]("HPKE".utf8) + [UInt8](bigEndian: kem.id, count: 2) + [UInt8](bigEndian: kdfID, count: 2)
      + [UInt8](bigEndian: aeadID, count: 2)
  }
}
