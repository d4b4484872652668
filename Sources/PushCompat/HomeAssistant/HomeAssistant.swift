internal import PushCrypto
public import PushPayload
public import PushReceiver

/// Home Assistant's encrypted notifications: secret boxes under a key that follows from a webhook's secret.
///
/// The plaintext is a JSON object with `message`, `title` and `data`. The format lacks: a sender apart from whoever
/// has the webhook's secret, an expiry and protection from replay, the binding of what is beside the plaintext,
/// the webhook's id among it, and whatever hides the length. It is read, and not written. CryptoKit has no
/// XSalsa20, so notifications open on Linux only.
public struct HomeAssistant: EnvelopeFormat {
  /// `home-assistant`.
  public static let name = "home-assistant"

  static let isEncrypted = "encrypted"
  static let data = "encrypted_data"
  static let webhookID = "webhook_id"

  private let key: HomeAssistantKey
  private let webhookID: String?

  /// Opens with a webhook's key; if its id is given, a payload that names another one is for another key.
  public init(key: HomeAssistantKey, webhookID: String? = nil) {
    self.key = key
    self.webhookID = webhookID
  }

  /// Whether `encrypted` is true and `encrypted_data` base64 with room for nonce and tag.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? box(of: payload)) != nil
  }

  /// The notification's JSON, which was not judged.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if `encrypted` is false, `wrongKey` for another webhook's id.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let box = try Self.box(of: payload)
    if let value = payload[Self.webhookID] {
      guard let id = value.string else { throw .malformed(member: Self.webhookID) }
      guard webhookID?.utf8.elementsEqual(id.utf8) ?? true else { throw .wrongKey }
    }
    return try box.open(key: key.bytes.exposedBytes)
  }

  static func box(of payload: JSONObject) throws(EnvelopeFormatError) -> SecretBoxText {
    guard let flag = payload[isEncrypted] else { throw .absent }
    guard let isEncrypted = flag.boolean else { throw .malformed(member: isEncrypted) }
    guard isEncrypted else { throw .absent }
    return try SecretBoxText(EnvelopeText(data, of: payload))
  }
}
