package import PushCrypto
public import PushPayload
public import PushReceiver

/// Zulip's end-to-end encrypted notifications: secret boxes, in JSON of the server's.
///
/// The plaintext is an object whose `type` is `message`, `remove` or `test`; a client ignores others. The format
/// lacks: a sender apart from the server that was registered with (the key is shared, so either side can write),
/// an expiry and protection from replay (`time` stands in the plaintext, for the application to judge), the
/// binding of what is beside the plaintext, the key's number among it, and whatever hides the length. CryptoKit
/// has no XSalsa20, so notifications are sealed and open on Linux only.
public struct Zulip: EnvelopeFormat {
  /// `zulip`.
  public static let name = "zulip"

  /// The longest plaintext that is sealed, in bytes: no payload has room for a longer one.
  public static let maximumPlaintextSize = EnvelopeText.maximumSize / 4 * 3 - SecretBoxText.overhead

  static let keyID = "push_key_id"
  static let data = "encrypted_data"

  private let keys: [UInt32: ZulipKey]

  /// Opens with the keys of a client's accounts; of two with one number, the last counts.
  public init(keys: [ZulipKey]) {
    self.keys = Dictionary(keys.map { ($0.id, $0) }) { $1 }
  }

  /// Whether `push_key_id` is a number of 32 bits and `encrypted_data` base64 with room for nonce and tag.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? keyID(of: payload)) != nil && (try? box(of: payload)) != nil
  }

  /// The notification's JSON, which was not judged.
  ///
  /// - Throws: `EnvelopeFormatError`: `wrongKey` for a number that no key has.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let id = try Self.keyID(of: payload)
    let box = try Self.box(of: payload)
    guard let key = keys[id] else { throw .wrongKey }
    return try box.open(key: key.secret.exposedBytes)
  }

  /// The members of a payload, beside `aps`, for a plaintext under a key.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if it is longer than ``maximumPlaintextSize``,
  ///   `EnvelopeFormatError.unavailable`.
  public static func seal(
    _ plaintext: Span<UInt8>, with key: ZulipKey
  ) throws(EnvelopeFormatError) -> JSONObject {
    try seal(plaintext, with: key, random: SystemRandom())
  }

  /// The same with a nonce of `random`.
  package static func seal(
    _ plaintext: Span<UInt8>, with key: ZulipKey, random: some RandomSource
  ) throws(EnvelopeFormatError) -> JSONObject {
    guard plaintext.count <= maximumPlaintextSize else { throw .tooLarge }
    let text = try SecretBoxText.seal(plaintext, key: key.secret.exposedBytes, random: random)
    return [keyID: .number(JSONNumber(Int64(key.id))), data: .string(text)]
  }

  static func keyID(of payload: JSONObject) throws(EnvelopeFormatError) -> UInt32 {
    guard let value = payload[keyID] else { throw .absent }
    guard let integer = value.number?.integer, let id = UInt32(exactly: integer) else {
      throw .malformed(member: keyID)
    }
    return id
  }

  static func box(of payload: JSONObject) throws(EnvelopeFormatError) -> SecretBoxText {
    try SecretBoxText(EnvelopeText(data, of: payload))
  }
}
