/// Ephemeral key pairs for the messages that one call seals, each for one message.
///
/// Many are made in less time than one after another. They are wiped when the call ends, and no other call sees
/// them.
package struct EphemeralKeys: ~Copyable {
  /// The most key pairs that are made at once.
  package static let maximumCount = 64

  /// What they are for.
  let suite: HPKESuite

  /// The HMACs of these messages.
  let hmac: HMACSHA256

  private let privateKeys: Secret
  private let publicKeys: [UInt8]
  private var usedCount = 0

  /// Makes 1 to ``maximumCount`` key pairs, each derived from 32 bytes of `random` of its own.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen.
  package init(count: Int, suite: HPKESuite, random: some RandomSource) throws(CryptoError) {
    let ikm = random.secret(count * DHKEM.privateKeySize)
    try self.init(suite, ikm: ikm.exposedBytes)
  }

  /// DeriveKeyPair (RFC 9180, 7.1.3) of each 32 bytes of `ikm`.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` where the RFC has DeriveKeyPairError, which does not happen.
  init(_ suite: HPKESuite, ikm: Span<UInt8>) throws(CryptoError) {
    let (count, rest) = ikm.count.quotientAndRemainder(dividingBy: DHKEM.privateKeySize)
    precondition((1...Self.maximumCount).contains(count) && rest == 0, "a batch has 1 to 64 key pairs")
    let hmac = HMACSHA256.quick()
    var publicKeys: [UInt8]?
    let privateKeys = Secret(count: ikm.count) { privateKeys in
      publicKeys = suite.kem.deriveKeyPairs(ikm, into: &privateKeys, hmac)
    }
    guard let publicKeys else { throw .invalidPrivateKey }
    self.suite = suite
    self.hmac = hmac
    self.privateKeys = privateKeys
    self.publicKeys = publicKeys
  }

  /// SealBase(pkR, info, aad = "", pt) (RFC 9180, 6.1), with the next key pair.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package mutating func seal(
    _ plaintext: Span<UInt8>, to pkR: Span<UInt8>, info: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    try HPKE.seal(plaintext, to: pkR, info: info, aad: Span(), with: &self)
  }

  /// Encap(pkR) (RFC 9180, 4.1), with the next key pair.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  mutating func encapsulate(to pkR: Span<UInt8>) throws(CryptoError) -> Encapsulation {
    precondition(usedCount * DHKEM.privateKeySize < privateKeys.count, "a key pair serves one message")
    let position = usedCount
    usedCount += 1
    let skE = privateKeys.exposedBytes.item(position, size: DHKEM.privateKeySize)
    let pkE = publicKeys.span.item(position, size: suite.kem.publicKeySize)
    return try suite.kem.encapsulate(to: pkR, skE: skE, pkE: pkE, hmac)
  }
}
