package import PushCrypto
internal import PushEnvelope

/// What the messages of one call are encrypted with: encapsulations for those to public keys, prepared together.
///
/// It ends with the call, and so do its keys.
package struct SealingBatch: ~Copyable {
  /// The most messages of one batch.
  package static let maximumCount = HPKEBatch.maximumCount

  private var batches: [Suite: HPKEBatch] = [:]
  private let hmac: HMACSHA256?
  private let random: any RandomSource

  /// Gets ready for one message to each of at most ``maximumCount`` recipients.
  ///
  /// - Throws: ``CryptoError/unavailable``; ``CryptoError/invalidPrivateKey``, which does not happen.
  package init(for recipients: some Collection<Recipient>, random: any RandomSource) throws(CryptoError) {
    var counts: [Suite: Int] = [:]
    for recipient in recipients { counts[recipient.suite, default: 0] += 1 }
    for suite in Suite.allCases {
      guard let count = counts[suite], let hpke = HPKESuite(suite) else { continue }
      batches[suite] = try HPKEBatch(count: count, suite: hpke, random: random)
    }
    hmac = counts[.sharedChaChaPoly] == nil ? nil : .quick()
    self.random = random
  }

  /// HPKE's SealBase with the next encapsulation and an empty `aad`.
  func seal(
    _ plaintext: Span<UInt8>, to publicKey: PublicKey, _ suite: Suite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    guard let batch = batches[suite] else { preconditionFailure("a batch is for these recipients") }
    let pkR = publicKey.bytes
    return try batch.seal(plaintext, to: pkR.span, info: info, aad: Span())
  }

  /// The suite of a shared key.
  func seal(
    _ plaintext: Span<UInt8>, with key: SharedSecret, info: Span<UInt8>
  ) throws(CryptoError) -> SharedKey.Message {
    try SharedKey.seal(plaintext, with: key.exposedBytes, info: info, by: hmac ?? .quick(), random: random)
  }
}
