internal import PushCrypto
public import PushCore

/// Web Push messages in the older content coding `aesgcm` (draft-ietf-webpush-encryption-04), carried to APNs by a relay.
///
/// Some servers still write it unless they are asked for the standard. The format lacks the same as ``WebPush``. It can
/// be opened, but not sealed.
public struct WebPushDraft: EnvelopeFormat {
  /// `webpush-aesgcm`.
  public static let name = "webpush-aesgcm"

  /// The record size in bytes unless a header field names another.
  ///
  /// A ciphertext of this size and a tag is not the last record.
  private static let recordSize = 4096
  /// The length of the field that says how much padding follows, in bytes.
  private static let paddingSize = 2

  private let keys: WebPushKeys
  private let carriage: WebPushCarriage

  /// Opens messages that one kind of relay writes, with a subscription's keys.
  public init(keys: WebPushKeys, carriage: WebPushCarriage) {
    self.keys = keys
    self.carriage = carriage
  }

  /// Whether `p` or `m` can be a ciphertext, `k` a public key and `s` a salt.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    WebPushCarriage.all.contains { (try? record(of: payload, by: $0)) != nil }
  }

  /// Whether the relay's member can be a ciphertext, `k` a public key and `s` a salt.
  public func recognizes(_ payload: JSONObject) -> Bool {
    (try? Self.record(of: payload, by: carriage)) != nil
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    for carriage in WebPushCarriage.all {
      guard let record = try? record(of: payload, by: carriage) else { continue }
      return ForeignEnvelope(
        format: name, members: [carriage.body, WebPushCarriage.publicKey, WebPushCarriage.salt],
        ciphertextSize: record.ciphertext.count,
        details: [
          "salt": ForeignEnvelope.hexadecimal(of: record.salt),
          "ephemeralKey": ForeignEnvelope.hexadecimal(of: record.publicKey),
        ])
    }
    return nil
  }

  /// Opens the message, and returns its data without padding.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if both `k` and `s` are missing, `malformed` also for padding that is
  ///   authentic but wrong.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let record = try Self.record(of: payload, by: carriage)
      .opened(with: keys, coding: .aesgcm, publicKeyIn: WebPushCarriage.publicKey)
    guard let data = Self.data(ofRecord: record.exposedBytes) else { throw .malformed(member: carriage.body) }
    return data
  }

  /// The message's three members, which have the right lengths.
  private static func record(
    of payload: JSONObject, by carriage: WebPushCarriage
  ) throws(EnvelopeFormatError) -> WebPushRecord {
    guard carriage.hasHeaderFields(in: payload) else { throw .absent }
    let ciphertext = try carriage.bytes(
      of: carriage.body, in: payload, atLeast: paddingSize + AEAD.tagSize)
    guard ciphertext.count < recordSize + AEAD.tagSize else { throw .malformed(member: carriage.body) }
    let publicKey = try carriage.bytes(of: WebPushCarriage.publicKey, in: payload)
    guard publicKey.count == P256.publicKeySize, publicKey[0] == 0x04 else {
      throw .malformed(member: WebPushCarriage.publicKey)
    }
    let salt = try carriage.bytes(of: WebPushCarriage.salt, in: payload)
    guard salt.count == WebPushRecord.saltSize else { throw .malformed(member: WebPushCarriage.salt) }
    return WebPushRecord(salt: salt, publicKey: publicKey, ciphertext: ciphertext)
  }

  /// The data of an opened record, u16 padLen || 0x00*padLen || data; `nil` if the padding is wrong.
  private static func data(ofRecord record: Span<UInt8>) -> [UInt8]? {
    let start = paddingSize + (Int(record[0]) << 8 | Int(record[1]))
    guard start <= record.count else { return nil }
    for index in paddingSize..<start where record[index] != 0 { return nil }
    return [UInt8](copying: record.extracting(start..<record.count))
  }
}
