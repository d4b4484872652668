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
    switch aead {
    case .aes128GCM: 0x0001
    case .aes256GCM: 0x0002
    case .chaCha20Poly1305: 0x0003
    }
  }

  /// HKDF with the suite's id, for the key schedule.
  var hkdf: LabeledHKDF {
    switch self {
    case .x25519ChaChaPoly: Self.hkdfOfX25519ChaChaPoly
    case .p256AESGCM: Self.hkdfOfP256AESGCM
    }
  }

  /// psk_id_hash = LabeledExtract("", "psk_id_hash", psk_id), with base mode's empty psk_id: no secret.
  var pskIDHash: [UInt8] {
    switch self {
    case .x25519ChaChaPoly: Self.pskIDHashOfX25519ChaChaPoly
    case .p256AESGCM: Self.pskIDHashOfP256AESGCM
    }
  }

  private static let hkdfOfX25519ChaChaPoly = LabeledHKDF(suiteID: HPKESuite.x25519ChaChaPoly.suiteID)
  private static let hkdfOfP256AESGCM = LabeledHKDF(suiteID: HPKESuite.p256AESGCM.suiteID)
  private static let pskIDHashOfX25519ChaChaPoly = hkdfOfX25519ChaChaPoly.pskIDHash()
  private static let pskIDHashOfP256AESGCM = hkdfOfP256AESGCM.pskIDHash()

  /// RFC 9180, 5.1: suite_id = concat("HPKE", I2OSP(kem_id, 2), I2OSP(kdf_id, 2), I2OSP(aead_id, 2)).
  private var suiteID: [UInt8] {
    [UInt8]("HPKE".utf8) + [UInt8](bigEndian: kem.id, count: 2) + [UInt8](bigEndian: kdfID, count: 2)
      + [UInt8](bigEndian: aeadID, count: 2)
  }
}

extension LabeledHKDF {
  fileprivate func pskIDHash() -> [UInt8] {
    let hash = extract(salt: Span(), "psk_id_hash", Span())
    return [UInt8](copying: hash.exposedBytes)
  }
}
