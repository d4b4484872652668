internal import PushCrypto
public import PushPayload
public import PushReceiver

/// Web Push messages in `aes128gcm` (RFC 8291), carried to APNs by a relay.
///
/// The format lacks: the sender (whoever has the subscription's two keys can write, and servers keep them), an
/// expiry and protection from replay, a key's id, the binding of what is shown beside it, and whatever hides the
/// length unless the sender pads. A body takes 103 bytes more than its plaintext.
public struct WebPush: EnvelopeFormat {
  /// `webpush-aes128gcm`.
  public static let name = "webpush-aes128gcm"

  /// The longest plaintext with its padding, in bytes, so that a body has at most 4096.
  public static let maximumPlaintextSize = WebPushBody.recordSize - WebPushBody.minimumSize

  private let keys: WebPushKeys
  private let carriage: WebPushCarriage

  /// Opens with a subscription's keys what one relay writes.
  public init(keys: WebPushKeys, carriage: WebPushCarriage) {
    self.keys = keys
    self.carriage = carriage
  }

  /// Whether `p` or `m` is a body of one record, and neither `k` nor `s` is there.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    WebPushCarriage.all.contains { (try? body(of: payload, by: $0)) != nil }
  }

  /// Whether its relay's member is a body of one record, and neither `k` nor `s` is there.
  public func recognizes(_ payload: JSONObject) -> Bool { (try? Self.body(of: payload, by: carriage)) != nil }

  /// The message's data, without padding.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if `k` or `s` is there, `malformed` also for padding that is
  ///   authentic and wrong.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let body = try Self.body(of: payload, by: carriage)
    let record: Secret
    do throws(CryptoError) {
      let ecdh = try keys.sharedSecret(with: body.publicKey.span)
      record = try WebPushCipher.aes128gcm(
        ecdh.exposedBytes, keys.subscription, sender: body.publicKey.span, salt: body.salt.span
      ).open(body.record.span)
    } catch {
      throw error == .invalidPublicKey ? .malformed(member: carriage.body) : .init(error)
    }
    guard let data = WebPushBody.data(ofRecord: record.exposedBytes) else {
      throw .malformed(member: carriage.body)
    }
    return data
  }

  static func body(
    of payload: JSONObject, by carriage: WebPushCarriage
  ) throws(EnvelopeFormatError) -> WebPushBody {
    guard !carriage.hasHeaderFields(payload) else { throw .absent }
    let bytes = try carriage.bytes(of: carriage.body, in: payload)
    guard let body = WebPushBody(bytes) else { throw .malformed(member: carriage.body) }
    return body
  }
}
