internal import PushCrypto
public import PushCore

/// Home Assistant's encrypted notifications: secret boxes under a key that is derived from a webhook's secret.
///
/// The plaintext is a JSON object with `message`, `title` and `data`. The format can be opened, but not sealed. CryptoKit
/// has no XSalsa20, so notifications open on Linux, and on a Mac with the package's trait `Sodium`. A phone recognizes
/// them; code for iOS that would open one does not compile.
///
/// The format lacks:
/// - a sender: anyone who has the webhook's secret can write;
/// - replay protection and an expiry;
/// - a binding to the rest of the payload, including the webhook's ID;
/// - padding: the length is visible.
public struct HomeAssistant: EnvelopeFormat {
  /// `home-assistant`.
  public static let name = "home-assistant"

  private static let isEncrypted = "encrypted"
  private static let data = "encrypted_data"
  private static let webhookID = "webhook_id"

  private let key: HomeAssistantKey
  private let webhookID: String?

  /// Opens with a webhook's key.
  ///
  /// If `webhookID` is given, a payload that names another webhook is refused.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public init(key: HomeAssistantKey, webhookID: String? = nil) {
    self.key = key
    self.webhookID = webhookID
  }

  /// Whether `encrypted` is true and `encrypted_data` is base64 with room for nonce and tag.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? box(of: payload)) != nil
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    guard let box = try? box(of: payload) else { return nil }
    var details = JSONObject()
    if let id = payload[webhookID]?.string { details["webhookID"] = .string(id) }
    return ForeignEnvelope(
      format: name, members: [isEncrypted, data], ciphertextSize: box.boxSize, details: details)
  }

  /// Opens the box, and returns the notification's JSON unchecked.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` also if `encrypted` is false, `wrongKey` for another webhook's ID.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let box = try Self.box(of: payload)
    if let value = payload[Self.webhookID] {
      guard let id = value.string else { throw .malformed(member: Self.webhookID) }
      guard webhookID?.utf8.elementsEqual(id.utf8) ?? true else { throw .wrongKey }
    }
    return try box.open(key: key.bytes.exposedBytes)
  }

  private static func box(of payload: JSONObject) throws(EnvelopeFormatError) -> SecretBoxText {
    guard let flag = payload[isEncrypted] else { throw .absent }
    guard let isEncrypted = flag.boolean else { throw .malformed(member: isEncrypted) }
    guard isEncrypted else { throw .absent }
    return try SecretBoxText(member: data, of: payload)
  }

  /// Reads `title` and `message`.
  ///
  /// All other members belong to the app.
  public static let reading = PlaintextReading { plaintext, _ in
    guard var members = try? JSONObject(parsing: plaintext.span) else { return nil }
    var alert = JSONObject()
    alert["title"] = members["title"]
    alert["body"] = members["message"]
    for name in ["title", "message"] { members[name] = nil }
    members["aps"] = ["alert": .object(alert)]
    return members
  }
}

/// The key that is derived from a Home Assistant webhook's secret, by one of two rules.
public struct HomeAssistantKey: Sendable {
  /// The key, 32 bytes.
  fileprivate let bytes: SharedSecret

  private static let digitCount = 2 * XSalsa20Poly1305.keySize

  private init(bytes: consuming Secret) { self.bytes = SharedSecret(bytes) }

  /// The rule of Home Assistant Core 2022.3 and later: the secret is the key in 64 hexadecimal digits, in either case;
  /// `nil` for anything else.
  public static func hexadecimal(secret: Span<UInt8>) -> HomeAssistantKey? {
    guard secret.count == digitCount else { return nil }
    var areDigits = true
    let key = Secret(count: XSalsa20Poly1305.keySize, in: .guarded) { key in
      for index in key.indices {
        let (high, low) = (HexDigit.value(of: secret[2 * index]), HexDigit.value(of: secret[2 * index + 1]))
        areDigits = areDigits && high != nil && low != nil
        key[index] = (high ?? 0) << 4 | (low ?? 0)
      }
    }
    return areDigits ? HomeAssistantKey(bytes: key) : nil
  }

  /// The older rule: the key is the secret's first 32 characters, followed by zeros if it is shorter; `nil` for an empty
  /// secret.
  ///
  /// Half of a secret of 64 hexadecimal digits is dropped, which leaves 128 random bits.
  public static func truncated(secret: Span<UInt8>) -> HomeAssistantKey? {
    guard !secret.isEmpty else { return nil }
    return HomeAssistantKey(
      bytes: Secret(count: XSalsa20Poly1305.keySize, in: .guarded) { key in
        for index in 0..<min(secret.count, key.count) { key[index] = secret[index] }
      })
  }
}
