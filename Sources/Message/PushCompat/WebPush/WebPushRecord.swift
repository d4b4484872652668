internal import PushCrypto
internal import PushCore

/// The single encrypted record of a Web Push message, in either coding, with the inputs of its key.
struct WebPushRecord {
  /// The length of a salt, in bytes.
  static let saltSize = 16

  let salt: [UInt8]

  /// The sender's ephemeral public key, 65 bytes.
  let publicKey: [UInt8]

  /// The ciphertext with its tag.
  let ciphertext: [UInt8]

  /// Opens the record; `member`, for errors, is the member that has the public key.
  ///
  /// - Throws: `EnvelopeFormatError.malformed(member:)` if the public key is not a point of the curve,
  ///   `EnvelopeFormatError.notAuthentic`, `EnvelopeFormatError.unavailable`.
  func opened(
    with keys: WebPushKeys, coding: WebPushCipher.Coding, publicKeyIn member: String
  ) throws(EnvelopeFormatError) -> Secret {
    do throws(CryptoError) {
      let ecdh = try keys.sharedSecret(with: publicKey.span)
      return try WebPushCipher(
        coding: coding, ecdh: ecdh.exposedBytes, subscription: keys.subscription, sender: publicKey.span,
        salt: salt.span
      ).open(ciphertext.span)
    } catch {
      throw error == .invalidPublicKey ? .malformed(member: member) : .init(error)
    }
  }
}

/// The AES-128-GCM key and nonce of a Web Push message's single record.
struct WebPushCipher: ~Copyable {
  /// The two content codings, which derive key and nonce from the same secrets in different ways.
  enum Coding: String { case aes128gcm, aesgcm }

  private let key: Secret
  private let nonce: Secret

  /// Derives key and nonce from an ECDH secret, a subscription, the sender's public key and a salt.
  init(
    coding: Coding, ecdh: Span<UInt8>, subscription: WebPushSubscription, sender: Span<UInt8>,
    salt: Span<UInt8>
  ) {
    let (ikmInfo, context) = Self.infos(
      coding: coding, subscription: subscription, sender: [UInt8](copying: sender))
    // IKM = HKDF(auth_secret, ecdh_secret, info, 32)
    let ikm = SharedKey.derive(
      count: 32, from: ecdh, salt: subscription.secret.exposedBytes, info: ikmInfo.span)
    // RFC 8188, 2.2: CEK = HKDF(salt, IKM, "Content-Encoding: <coding>" || 0x00 || context, 16)
    let keyInfo = Self.zeroTerminated("Content-Encoding: \(coding.rawValue)") + context
    key = SharedKey.derive(
      count: AEAD.aes128GCM.keySize, from: ikm.exposedBytes, salt: salt, info: keyInfo.span)
    // RFC 8188, 2.3: NONCE = HKDF(salt, IKM, "Content-Encoding: nonce" || 0x00 || context, 12); the record's number is 0
    let nonceInfo = Self.zeroTerminated("Content-Encoding: nonce") + context
    nonce = SharedKey.derive(count: AEAD.nonceSize, from: ikm.exposedBytes, salt: salt, info: nonceInfo.span)
  }

  /// The info that IKM is derived with, and the context that key and nonce are derived with.
  private static func infos(
    coding: Coding, subscription: WebPushSubscription, sender: [UInt8]
  ) -> (ikm: [UInt8], context: [UInt8]) {
    switch coding {
    case .aes128gcm:
      // RFC 8291, 3.4: key_info = "WebPush: info" || 0x00 || ua_public || as_public
      return (zeroTerminated("WebPush: info") + subscription.publicKey + sender, [])
    case .aesgcm:
      // draft-ietf-webpush-encryption-04, 3.3: "Content-Encoding: auth" || 0x00
      let info = zeroTerminated("Content-Encoding: auth")
      // 4: context = "P-256" || 0x00 || u16(65) || ua_public || u16(65) || as_public
      let size = [UInt8](bigEndian: P256.publicKeySize, count: 2)
      return (info, zeroTerminated("P-256") + size + subscription.publicKey + size + sender)
    }
  }

  private static func zeroTerminated(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// Seals the record.
  ///
  /// The result is 16 bytes longer.
  func seal(_ record: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    try AEAD.aes128GCM.seal(
      record, authenticating: Span(), key: key.exposedBytes, nonce: nonce.exposedBytes)
  }

  /// Opens a ciphertext, and returns the record.
  func open(_ ciphertext: Span<UInt8>) throws(CryptoError) -> Secret {
    try AEAD.aes128GCM.open(
      ciphertext, authenticating: Span(), key: key.exposedBytes, nonce: nonce.exposedBytes)
  }
}
