package import PushCrypto
public import PushReceiver

extension WebPush {
  /// The body of a message to a subscription, with `padding` bytes of padding.
  ///
  /// An HTTP request to the push service carries it with `Content-Encoding: aes128gcm`, or a payload as
  /// ``WebPushCarriage/members(of:)`` writes it.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if plaintext and padding are more than
  ///   ``maximumPlaintextSize``, `EnvelopeFormatError.unavailable`.
  public static func seal(
    _ plaintext: Span<UInt8>, to subscription: WebPushSubscription, padding: Int = 0
  ) throws(EnvelopeFormatError) -> [UInt8] {
    try seal(plaintext, to: subscription, padding: padding, random: SystemRandom())
  }

  /// The same with a salt and a private key of `random`, in this order.
  package static func seal(
    _ plaintext: Span<UInt8>, to subscription: WebPushSubscription, padding: Int,
    random: some RandomSource
  ) throws(EnvelopeFormatError) -> [UInt8] {
    precondition(padding >= 0, "padding has no negative length")
    guard plaintext.count <= maximumPlaintextSize, padding <= maximumPlaintextSize - plaintext.count else {
      throw .tooLarge
    }
    var salt = [UInt8](repeating: 0, count: WebPushCipher.saltSize)
    var bytes = salt.mutableSpan
    random.fill(&bytes)
    do throws(CryptoError) {
      let (sender, ecdh) = try ephemeral(subscription, random)
      let cipher = WebPushCipher.aes128gcm(
        ecdh.exposedBytes, subscription, sender: sender.span, salt: salt.span)
      let record = record(plaintext, padding: padding)
      return try WebPushBody.header(salt: salt, publicKey: sender) + cipher.seal(record.exposedBytes)
    } catch {
      throw .unavailable
    }
  }

  /// RFC 8188, 2: data || 0x02 || 0x00*.
  private static func record(_ plaintext: Span<UInt8>, padding: Int) -> Secret {
    Secret(count: plaintext.count + 1 + padding) { record in
      for index in plaintext.indices { record[index] = plaintext[index] }
      record[plaintext.count] = 2
    }
  }

  /// A new key pair's public key, and ECDH with the subscription's.
  private static func ephemeral(
    _ subscription: WebPushSubscription, _ random: some RandomSource
  ) throws(CryptoError) -> (publicKey: [UInt8], ecdh: SharedSecret) {
    // All but one in 2^32 numbers of 32 bytes are private keys.
    for _ in 0..<8 {
      let privateKey = random.secret(P256.privateKeySize)
      guard let publicKey = try? P256.publicKey(of: privateKey.exposedBytes) else { continue }
      let secret = try P256.sharedSecret(
        privateKey: privateKey.exposedBytes, publicKey: subscription.publicKey.span)
      return (publicKey, SharedSecret(secret))
    }
    throw .unavailable
  }
}
