import PushCrypto
import Testing

/// A group of RFC 9180's test vectors (appendix A) in base mode.
struct RFC9180Group: Decodable, Sendable, CustomTestStringConvertible {
  let mode: Int
  let kemID, kdfID, aeadID: Int
  let info, ikmR, ikmE, skRm, skEm, pkRm, pkEm, enc: Hex
  let key, baseNonce: Hex
  let encryptions: [Encryption]

  struct Encryption: Decodable, Sendable {
    let aad, ct, pt: Hex
  }

  private enum CodingKeys: String, CodingKey {
    case mode, info, ikmR, ikmE, skRm, skEm, pkRm, pkEm, enc, key, encryptions
    case kemID = "kem_id"
    case kdfID = "kdf_id"
    case aeadID = "aead_id"
    case baseNonce = "base_nonce"
  }

  static func load() throws -> [RFC9180Group] { try VectorFile.load("rfc9180-base") }

  /// RFC 9180, 7: the suite with the group's three numbers.
  var suite: HPKESuite {
    get throws {
      switch (kemID, kdfID, aeadID) {
      case (0x0020, 0x0001, 0x0003): .x25519ChaChaPoly
      case (0x0010, 0x0001, 0x0002): .p256AESGCM
      default: throw UnknownSuite()
      }
    }
  }

  struct UnknownSuite: Error {}

  var testDescription: String { "KEM \(kemID), KDF \(kdfID), AEAD \(aeadID)" }

  func setupSender() throws -> HPKE.Sender {
    try HPKE.setupSender(
      to: pkRm.bytes.span, suite: suite, info: info.bytes.span, ikmE: ikmE.bytes.span)
  }

  func setupRecipient() throws -> HPKEContext {
    try HPKE.setupRecipient(
      encapsulatedKey: enc.bytes.span, skR: skRm.bytes.span, pkR: pkRm.bytes.span, suite: suite,
      info: info.bytes.span)
  }
}
