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

  /// RFC 9180, 5.1: suite_id = concat("HPKE", I2OSP(kem_id, 2), I2OSP(kdf_id, 2), I2OSP(aead_id, 2)).
  var suiteID: [UInt8] {
    [UInt8]("HPKE".utf8) + [UInt8](bigEndian: kem.id, count: 2) + [UInt8](bigEndian: kdfID, count: 2)
      + [UInt8](bigEndian: aeadID, count: 2)
  }
}
