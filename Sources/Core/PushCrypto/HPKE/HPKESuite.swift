/// A combination of HPKE's algorithms (RFC 9180, 7), with HKDF-SHA256.
package struct HPKESuite: Sendable {
  /// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305: CryptoKit's `Curve25519_SHA256_ChachaPoly`.
  package static let x25519ChaChaPoly = HPKESuite(kem: DHKEM.x25519, aead: .chaCha20Poly1305)

  /// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
  package static let p256AESGCM = HPKESuite(kem: DHKEM.p256, aead: .aes256GCM)

  /// X-Wing, HKDF-SHA256, AES-256-GCM: CryptoKit's `XWingMLKEM768X25519_SHA256_AES_GCM_256`.
  package static let xwingAESGCM = HPKESuite(kem: XWing(), aead: .aes256GCM)

  /// The key encapsulation mechanism.
  package let kem: any KEM

  /// The cipher for messages.
  let aead: AEAD

  /// psk_id_hash = LabeledExtract("", "psk_id_hash", psk_id), with base mode's empty psk_id.
  ///
  /// It is not secret.
  let pskIDHash: [UInt8]

  private let id: [UInt8]

  /// RFC 9180, 7.2: HKDF-SHA256.
  private static let kdfID: UInt16 = 0x0001

  /// Combines a KEM with an AEAD that has an HPKE identifier.
  package init(kem: any KEM, aead: AEAD) {
    guard let aeadID = aead.hpkeID else { preconditionFailure("HPKE has no such AEAD") }
    self.kem = kem
    self.aead = aead
    // RFC 9180, 5.1: suite_id = concat("HPKE", I2OSP(kem_id, 2), I2OSP(kdf_id, 2), I2OSP(aead_id, 2))
    id =
      [UInt8]("HPKE".utf8) + [UInt8](bigEndian: kem.id, count: 2) + [UInt8](bigEndian: Self.kdfID, count: 2)
      + [UInt8](bigEndian: aeadID, count: 2)
    let hash = LabeledHKDF(suiteID: id).extract(salt: Span(), label: "psk_id_hash", ikm: Span())
    pskIDHash = [UInt8](copying: hash.exposedBytes)
  }

  /// info_hash = LabeledExtract("", "info_hash", info) (RFC 9180, 5.1).
  ///
  /// It is not secret, and the same for all messages with this `info`.
  package func infoHash(of info: Span<UInt8>, by hmac: HMACSHA256 = HMACSHA256()) -> [UInt8] {
    let hash = hkdf(by: hmac).extract(salt: Span(), label: "info_hash", ikm: info)
    return [UInt8](copying: hash.exposedBytes)
  }

  /// HKDF with the suite's ID, for the key schedule.
  func hkdf(by hmac: HMACSHA256) -> LabeledHKDF { LabeledHKDF(suiteID: id, hmac: hmac) }
}

extension AEAD {
  /// The identifier in RFC 9180, 7.3; `nil` if the AEAD is not listed.
  fileprivate var hpkeID: UInt16? {
    switch self {
    case .aes128GCM: 0x0001
    case .aes192GCM: nil
    case .aes256GCM: 0x0002
    case .chaCha20Poly1305: 0x0003
    }
  }
}
