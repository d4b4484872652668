/// The Diffie-Hellman secrets of ephemeral private keys with their recipients' public keys, computed for eight at a time.
///
/// Secrets live until those of another eight are computed.
final class Agreements {
  private let dh: DHKEM
  private let privateKeys: Secret
  private let recipients: [[UInt8]]
  private var group: (number: Int, secrets: SharedSecret)?

  /// Takes as many private keys, which are valid and concatenated, as there are recipients.
  init(_ dh: DHKEM, privateKeys: consuming Secret, recipients: [[UInt8]]) {
    self.dh = dh
    self.privateKeys = privateKeys
    self.recipients = recipients
  }

  /// Returns the secret of a private key and its recipient: DH(skE, pkR), 32 bytes.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func secret(at position: Int) throws(CryptoError) -> Secret {
    let (number, lane) = position.quotientAndRemainder(dividingBy: Lanes.width)
    let secrets = secrets(ofGroup: number)
    let secret = secrets.exposedBytes.item(lane, size: DHKEM.privateKeySize)
    guard !ConstantTime.isZero(secret) else { throw .invalidPublicKey }
    return Secret(copying: secret)
  }

  private func secrets(ofGroup number: Int) -> SharedSecret {
    if let group, group.number == number { return group.secrets }
    let positions = number * Lanes.width..<min((number + 1) * Lanes.width, recipients.count)
    let kept = SharedSecret(agree(privateKeys, at: positions))
    group = (number, kept)
    return kept
  }

  private func agree(_ privateKeys: borrowing Secret, at positions: Range<Int>) -> Secret {
    dh.sharedSecrets(
      privateKeys: privateKeys.exposedBytes.items(positions, size: DHKEM.privateKeySize),
      publicKeys: recipients[positions])
  }
}
