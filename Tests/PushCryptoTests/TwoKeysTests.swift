import PushCrypto
import Testing

/// One message that opens under two keys.
///
/// ChaCha20-Poly1305 does not commit to its key, so a sender can make a ciphertext that two keys open to
/// different texts. If a receiver tried its keys, its answer would reveal which keys it has. So a receiver never tries
/// keys: it takes the one that the envelope names.
struct TwoKeysTests {
  @Test func `both keys open it`() throws {
    let vector: Vector = try VectorFile.load("hpke-two-keys")
    #expect(vector.recipients.count == 2)
    for recipient in vector.recipients {
      let plaintext = try HPKE.open(
        vector.ct.bytes.span, encapsulatedKey: vector.enc.bytes.span, skR: recipient.skR.bytes.span,
        pkR: recipient.pkR.bytes.span, suite: .x25519ChaChaPoly, info: vector.info.bytes.span,
        aad: vector.aad.bytes.span)
      #expect(exposed(plaintext) == recipient.pt.bytes)
    }
    #expect(vector.recipients[0].pt.bytes != vector.recipients[1].pt.bytes)
  }

  private struct Vector: Decodable {
    let enc, ct, info, aad: Hex
    let recipients: [Recipient]
  }

  private struct Recipient: Decodable {
    let skR, pkR, pt: Hex
  }
}
