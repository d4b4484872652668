internal import PushCrypto
public import PushPayload
public import PushReceiver

/// Web Push messages in the older `aesgcm` (draft-ietf-webpush-encryption-04), carried to APNs by a relay.
///
/// Some servers still write it unless they are asked for the standard. It lacks what ``WebPush`` lacks. It is
/// read, and not written.
public struct WebPushDraft: EnvelopeFormat {
  /// `webpush-aesgcm`.
  public static let name = "webpush-aesgcm"

  /// The record size when no header field says one, in bytes; a ciphertext of this and a tag has more behind it.
  private static let recordSize = 4096
  /// The bytes that say how much padding follows.
  private static let paddingSize = 2

  private let keys: WebPushKeys
  private let carriage: WebPushCarriage

  /// Opens with a subscription's keys what one relay writes.
  public init(keys: WebPushKeys, carriage: WebPushCarriage) {
    self.keys = keys
    self.carriage = carriage
  }

  /// Whether `p` or `m` can be a ciphertext, `k` a public key and `s` a salt.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    WebPushCarriage.all.contains { (try? Message(payload, $0)) != nil }
  }

  /// Whether its relay's member can be a ciphertext, `k` a public key and `s` a salt.
  public func recognizes(_ payload: JSONObject) -> Bool { (try? Message(payload, carriage)) != nil }

  /// The message's data, without padding.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if neither `k` nor `s` is there, `malformed` also for padding
  ///   that is authentic and wrong.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let message = try Message(payload, carriage)
    let record: Secret
    do throws(CryptoError) {
      let ecdh = try keys.sharedSecret(with: message.publicKey.span)
      record = try WebPushCipher.aesgcm(
        ecdh.exposedBytes, keys.subscription, sender: message.publicKey.span, salt: message.salt.span
      ).open(message.ciphertext.span)
    } catch {
      throw error == .invalidPublicKey
        ? .malformed(member: WebPushCarriage.publicKey) : .init(error)
    }
    guard let data = Self.data(ofRecord: record.exposedBytes) else {
      throw .malformed(member: carriage.body)
    }
    return data
  }

  /// The data of a record: u16 padLen || 0x00*padLen || data; null if the padding is not so.
  private static func data(ofRecord record: Span<UInt8>) -> [UInt8]? {
    let start = paddingSize + (Int(record[0]) << 8 | Int(record[1]))
    guard start <= record.count else { return nil }
    for index in paddingSize..<start where record[index] != 0 { return nil }
    return [UInt8](copying: record.extracting(start..<record.count))
  }

  /// The three members, of the right lengths.
  struct Message {
    let ciphertext: [UInt8]
    let publicKey: [UInt8]
    let salt: [UInt8]

    init(_ payload: JSONObject, _ carriage: WebPushCarriage) throws(EnvelopeFormatError) {
      guard carriage.hasHeaderFields(payload) else { throw .absent }
      ciphertext = try carriage.bytes(
        of: carriage.body, in: payload, atLeast: paddingSize + AEAD.tagSize)
      guard ciphertext.count < recordSize + AEAD.tagSize else { throw .malformed(member: carriage.body) }
      publicKey = try carriage.bytes(of: WebPushCarriage.publicKey, in: payload)
      guard publicKey.count == P256.publicKeySize, publicKey[0] == 0x04 else {
        throw .malformed(member: WebPushCarriage.publicKey)
      }
      salt = try carriage.bytes(of: WebPushCarriage.salt, in: payload)
      guard salt.count == WebPushCipher.saltSize else { throw .malformed(member: WebPushCarriage.salt) }
    }
  }
}
