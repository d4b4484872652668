internal import PushCrypto

/// The AES-128-GCM key and the nonce of a Web Push message's one record.
///
/// Both ways of writing a message derive them in their own way from the same secrets.
struct WebPushCipher: ~Copyable {
  /// The length of a salt, in bytes.
  static let saltSize = 16

  private let key: Secret
  private let nonce: Secret

  /// RFC 8291, 3.4, and RFC 8188, 2.2 and 2.3.
  static func aes128gcm(
    _ ecdh: Span<UInt8>, _ subscription: WebPushSubscription, sender: Span<UInt8>, salt: Span<UInt8>
  ) -> WebPushCipher {
    // key_info = "WebPush: info" || 0x00 || ua_public || as_public; IKM = HKDF(auth_secret, ecdh_secret, key_info, 32)
    let info = zeroTerminated("WebPush: info") + subscription.publicKey + [UInt8](copying: sender)
    let ikm = SharedKey.derive(
      32, from: ecdh, salt: subscription.secret.exposedBytes, info: info.span)
    // CEK = HKDF(salt, IKM, "Content-Encoding: aes128gcm" || 0x00, 16)
    return WebPushCipher(
      ikm, salt, keyInfo: zeroTerminated("Content-Encoding: aes128gcm"),
      nonceInfo: zeroTerminated("Content-Encoding: nonce"))
  }

  /// The older draft's (draft-ietf-webpush-encryption-04, 3.3 and 4).
  static func aesgcm(
    _ ecdh: Span<UInt8>, _ subscription: WebPushSubscription, sender: Span<UInt8>, salt: Span<UInt8>
  ) -> WebPushCipher {
    // IKM = HKDF(auth, ecdh, "Content-Encoding: auth" || 0x00, 32)
    let ikm = SharedKey.derive(
      32, from: ecdh, salt: subscription.secret.exposedBytes,
      info: zeroTerminated("Content-Encoding: auth").span)
    // context = "P-256" || 0x00 || u16(65) || ua_public || u16(65) || as_public
    let size = [UInt8](bigEndian: P256.publicKeySize, count: 2)
    let context =
      zeroTerminated("P-256") + size + subscription.publicKey + size + [UInt8](copying: sender)
    return WebPushCipher(
      ikm, salt, keyInfo: zeroTerminated("Content-Encoding: aesgcm") + context,
      nonceInfo: zeroTerminated("Content-Encoding: nonce") + context)
  }

  private init(_ ikm: borrowing Secret, _ salt: Span<UInt8>, keyInfo: [UInt8], nonceInfo: [UInt8]) {
    key = SharedKey.derive(
      AEAD.aes128GCM.keySize, from: ikm.exposedBytes, salt: salt, info: keyInfo.span)
    nonce = SharedKey.derive(AEAD.nonceSize, from: ikm.exposedBytes, salt: salt, info: nonceInfo.span)
  }

  private static func zeroTerminated(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  /// The record's ciphertext, 16 bytes longer; the record's number, 0, changes nothing of the nonce.
  func seal(_ record: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    try AEAD.aes128GCM.seal(
      record, authenticating: Span(), key: key.exposedBytes, nonce: nonce.exposedBytes)
  }

  /// The record of a ciphertext.
  func open(_ ciphertext: Span<UInt8>) throws(CryptoError) -> Secret {
    try AEAD.aes128GCM.open(
      ciphertext, authenticating: Span(), key: key.exposedBytes, nonce: nonce.exposedBytes)
  }
}
