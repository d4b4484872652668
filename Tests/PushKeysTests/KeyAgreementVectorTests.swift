import PushCrypto
import PushKeys
import Testing

@Suite("RFC 9180's P-256 vector with a private key that is kept elsewhere")
struct KeyAgreementVectorTests {
  private let hardware = HardwareKey(privateKey: bytes(Vector.skRm), publicKey: bytes(Vector.pkRm))

  @Test func hasTheSameContext() throws {
    let context = try HPKE.setupRecipient(
      encapsulatedKey: bytes(Vector.enc).span, skR: ExternalKey(hardware), pkR: bytes(Vector.pkRm).span,
      suite: .p256AESGCM,
      info: bytes(Vector.info).span)
    let key = [UInt8](copying: context.key.exposedBytes)
    let baseNonce = [UInt8](copying: context.baseNonce.exposedBytes)
    #expect(key == bytes(Vector.key))
    #expect(baseNonce == bytes(Vector.baseNonce))
  }

  @Test func opensTheFirstMessage() throws {
    let opened = try HPKE.open(
      bytes(Vector.ct).span, encapsulatedKey: bytes(Vector.enc).span, skR: ExternalKey(hardware),
      pkR: bytes(Vector.pkRm).span, suite: .p256AESGCM, info: bytes(Vector.info).span,
      aad: bytes(Vector.aad).span)
    let plaintext = [UInt8](copying: opened.exposedBytes)
    #expect(plaintext == bytes(Vector.pt))
  }
}

/// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM in base mode, from the vectors of RFC 9180.
private enum Vector {
  static let info = "4f6465206f6e2061204772656369616e2055726e"
  static let skRm = "317f915db7bc629c48fe765587897e01e282d3e8445f79f27f65d031a88082b2"
  static let pkRm =
    "04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f"
    + "853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c"
  static let enc =
    "04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e"
    + "0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0"
  static let key = "ee16802a936d5f544771131900ee6973d0551de9e852ece2ef34bf0d5f9e1d1d"
  static let baseNonce = "9bc50980832a7b4b58c40161"
  static let aad = "436f756e742d30"
  static let pt = "4265617574792069732074727574682c20747275746820626561757479"
  static let ct =
    "58c61a45059d0c5704560e9d88b564a8b63f1364b8d1fcb3c4c6ddc1d291742465e902cd216f8908da49f8f96f"
}

/// The bytes of pairs of hexadecimal digits.
private func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
