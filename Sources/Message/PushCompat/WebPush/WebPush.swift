package import PushCrypto
public import PushCore

/// Web Push messages in the content coding `aes128gcm` (RFC 8291), carried to APNs by a relay.
///
/// A body is 103 bytes longer than its plaintext.
///
/// The format lacks:
/// - a sender: anyone who has the subscription's two keys can write, and servers store them;
/// - replay protection and an expiry;
/// - an identifier of its key;
/// - a binding to the visible part of the payload;
/// - padding, unless the sender adds it.
public struct WebPush: EnvelopeFormat {
  /// `webpush-aes128gcm`.
  public static let name = "webpush-aes128gcm"

  /// The longest plaintext with its padding, in bytes, so that a body has at most 4096.
  public static let maximumPlaintextSize = WebPushBody.writtenRecordSize - WebPushBody.minimumSize

  private let keys: WebPushKeys
  private let carriage: WebPushCarriage

  /// Opens messages that one kind of relay writes, with a subscription's keys.
  public init(keys: WebPushKeys, carriage: WebPushCarriage) {
    self.keys = keys
    self.carriage = carriage
  }

  /// Whether `p` or `m` is a body of one record, and both `k` and `s` are missing.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    WebPushCarriage.all.contains { (try? body(of: payload, by: $0)) != nil }
  }

  /// Whether the relay's member is a body of one record, and both `k` and `s` are missing.
  public func recognizes(_ payload: JSONObject) -> Bool { (try? Self.body(of: payload, by: carriage)) != nil }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    for carriage in WebPushCarriage.all {
      guard let body = try? body(of: payload, by: carriage) else { continue }
      return ForeignEnvelope(
        format: name, members: [carriage.body], ciphertextSize: body.record.ciphertext.count,
        details: [
          "recordSize": .number(JSONNumber(body.recordSize)),
          "salt": ForeignEnvelope.hexadecimal(of: body.record.salt),
          "ephemeralKey": ForeignEnvelope.hexadecimal(of: body.record.publicKey),
        ])
    }
    return nil
  }

  /// Opens the body, and returns the message's data without padding.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if `k` or `s` is present, `malformed` also for padding that is
  ///   authentic but wrong.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let body = try Self.body(of: payload, by: carriage)
    let record = try body.record.opened(with: keys, coding: .aes128gcm, publicKeyIn: carriage.body)
    guard let data = Self.data(ofRecord: record.exposedBytes) else { throw .malformed(member: carriage.body) }
    return data
  }

  private static func body(
    of payload: JSONObject, by carriage: WebPushCarriage
  ) throws(EnvelopeFormatError) -> WebPushBody {
    guard !carriage.hasHeaderFields(in: payload) else { throw .absent }
    let bytes = try carriage.bytes(of: carriage.body, in: payload)
    guard let body = WebPushBody(parsing: bytes) else { throw .malformed(member: carriage.body) }
    return body
  }

  /// The data of an opened record, before its delimiter; `nil` without the delimiter of a last record.
  private static func data(ofRecord record: Span<UInt8>) -> [UInt8]? {
    var end = record.count
    while end > 0, record[end - 1] == 0 { end -= 1 }
    // RFC 8188, 2: "the last record uses a padding delimiter octet set to the value 2"
    guard end > 0, record[end - 1] == 2 else { return nil }
    return [UInt8](copying: record.extracting(0..<end - 1))
  }
}

extension WebPush {
  /// Seals a message to a subscription with `padding` bytes of padding, and returns its body.
  ///
  /// Send the body in an HTTP request to the push service with `Content-Encoding: aes128gcm`, or in a payload with
  /// `WebPushCarriage.members(of:)`.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if plaintext and padding are longer than ``maximumPlaintextSize``,
  ///   `EnvelopeFormatError.unavailable`.
  public static func seal(
    _ plaintext: Span<UInt8>, to subscription: WebPushSubscription, padding: Int = 0
  ) throws(EnvelopeFormatError) -> [UInt8] {
    try seal(plaintext, to: subscription, padding: padding, random: SystemRandom())
  }

  /// Seals with a salt and a private key from `random`, in this order.
  package static func seal(
    _ plaintext: Span<UInt8>, to subscription: WebPushSubscription, padding: Int,
    random: some RandomSource
  ) throws(EnvelopeFormatError) -> [UInt8] {
    precondition(padding >= 0, "padding has no negative length")
    guard plaintext.count <= maximumPlaintextSize, padding <= maximumPlaintextSize - plaintext.count else {
      throw .tooLarge
    }
    var salt = [UInt8](repeating: 0, count: WebPushRecord.saltSize)
    var bytes = salt.mutableSpan
    random.fill(&bytes)
    do throws(CryptoError) {
      let (sender, ecdh) = try ephemeral(for: subscription, random: random)
      let cipher = WebPushCipher(
        coding: .aes128gcm, ecdh: ecdh.exposedBytes, subscription: subscription, sender: sender.span,
        salt: salt.span)
      let record = record(of: plaintext, padding: padding)
      return try WebPushBody.header(salt: salt, publicKey: sender) + cipher.seal(record.exposedBytes)
    } catch {
      throw .unavailable
    }
  }

  /// RFC 8188, 2: data || 0x02 || 0x00*.
  private static func record(of plaintext: Span<UInt8>, padding: Int) -> Secret {
    Secret(count: plaintext.count + 1 + padding) { record in
      for index in plaintext.indices { record[index] = plaintext[index] }
      record[plaintext.count] = 2
    }
  }

  /// Generates a key pair, and returns its public key and its shared secret with the subscription's key.
  private static func ephemeral(
    for subscription: WebPushSubscription, random: some RandomSource
  ) throws(CryptoError) -> (publicKey: [UInt8], ecdh: SharedSecret) {
    // All but one in 2^32 values of 32 bytes are private keys.
    for _ in 0..<8 {
      let privateKey = random.secret(count: P256.privateKeySize)
      guard let publicKey = try? P256.publicKey(of: privateKey.exposedBytes) else { continue }
      let secret = try P256.sharedSecret(
        privateKey: privateKey.exposedBytes, publicKey: subscription.publicKey.span)
      return (publicKey, SharedSecret(secret))
    }
    throw .unavailable
  }
}

/// A body in the content coding `aes128gcm` with a single record, as Web Push requires (RFC 8188, 2.1; RFC 8291, 4).
struct WebPushBody {
  /// salt (16) || rs (4) || idlen (1) = 65 || as_public (65).
  private static let headerSize = publicKeyStart + P256.publicKeySize

  /// The shortest body: header, delimiter and tag.
  static let minimumSize = headerSize + 1 + AEAD.tagSize

  /// The record size of a body that is sealed here, in bytes: it is the usual one, and the largest body that every push
  /// service accepts.
  static let writtenRecordSize = 4096

  private static let publicKeyStart = WebPushRecord.saltSize + 4 + 1
  private static let smallestRecordSize = 18

  let recordSize: Int
  let record: WebPushRecord

  /// Splits a body; `nil` unless it is one record with a sender's public key of 65 bytes, which is not validated yet.
  init?(parsing bytes: [UInt8]) {
    guard bytes.count >= Self.minimumSize, Int(bytes[Self.publicKeyStart - 1]) == P256.publicKeySize,
      bytes[Self.publicKeyStart] == 0x04
    else { return nil }
    recordSize = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    record = WebPushRecord(
      salt: Array(bytes[..<WebPushRecord.saltSize]),
      publicKey: Array(bytes[Self.publicKeyStart..<Self.headerSize]),
      ciphertext: Array(bytes[Self.headerSize...]))
    // A ciphertext longer than rs would be several records, which Web Push does not have.
    guard recordSize >= Self.smallestRecordSize, record.ciphertext.count <= recordSize else { return nil }
  }

  /// The header of a body that is sealed here.
  static func header(salt: [UInt8], publicKey: [UInt8]) -> [UInt8] {
    salt + [UInt8](bigEndian: writtenRecordSize, count: 4) + [UInt8(P256.publicKeySize)] + publicKey
  }
}
