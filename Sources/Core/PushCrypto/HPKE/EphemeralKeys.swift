/// Ephemeral key pairs, each for one message to its own recipient.
///
/// A batch takes less time than separate key pairs. The private keys are wiped at the end of this object's life.
final class EphemeralKeys: Encapsulator {
  private let kem: DHKEM
  private let hmac: HMACSHA256
  private let publicKeys: [UInt8]
  private let recipients: [[UInt8]]
  private let agreements: Agreements
  private var usedCount = 0

  /// Makes a key pair for each recipient: `fill` writes the private keys and returns the public ones.
  init(
    kem: DHKEM, recipients: [[UInt8]], hmac: HMACSHA256,
    filledBy fill: (inout MutableSpan<UInt8>) -> [UInt8]?
  ) throws(CryptoError) {
    var publicKeys: [UInt8]?
    let privateKeys = Secret(count: recipients.count * DHKEM.privateKeySize) { publicKeys = fill(&$0) }
    guard let publicKeys else { throw .invalidPrivateKey }
    self.kem = kem
    self.hmac = hmac
    self.publicKeys = publicKeys
    self.recipients = recipients
    agreements = Agreements(kem, privateKeys: privateKeys, recipients: recipients)
  }

  /// Encapsulates a secret with the next key pair: Encap(pkR) (RFC 9180, 4.1).
  func encapsulate() throws(CryptoError) -> Encapsulation {
    let (position, recipients, publicKeys) = (usedCount, recipients, publicKeys)
    usedCount += 1
    // dh = DH(skE, pkR); enc = SerializePublicKey(pkE); kem_context = concat(enc, pkRm)
    let dh = try agreements.secret(at: position)
    let recipient = recipients[position]
    let enc = publicKeys.span.item(position, size: kem.publicKeySize)
    // shared_secret = ExtractAndExpand(dh, kem_context)
    let sharedSecret = kem.extractAndExpand(dh, enc: enc, pkRm: recipient.span, by: hmac)
    return Encapsulation(sharedSecret: sharedSecret, encapsulatedKey: [UInt8](copying: enc))
  }
}
