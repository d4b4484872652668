import PushCrypto
import PushCore
import PushKeys
import PushSealer
import PushTesting

/// A device that opens what was sealed to it, with the key's own operation and no receiver.
struct Device: Sendable {
  static let topic = (try? Topic("com.example.app"))!
  static let now = UnixTime(seconds: 1_700_000_000)!

  /// The address of the device with this number, in the app of ``topic`` unless the test names another.
  static func address(_ number: Int, topic: Topic = topic) -> DeviceAddress {
    let token = DeviceToken([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])!
    return DeviceAddress(topic: topic, environment: .production, token: token)
  }

  let suite: Suite
  let keys: KeySet

  init(_ suite: Suite) {
    self.suite = suite
    keys = KeySet(opening: suite, at: Self.now)
  }

  var recipient: Recipient {
    get throws { try keys.recipient(suite: suite, at: Self.now) }
  }

  /// The content of a payload, which must open.
  func open(_ push: SealedNotification, key: EnvelopeKey = .default) throws -> SealedContent {
    let envelope = try push.envelope(key)
    guard let deviceKey = keys.deviceKey(for: envelope.keyID, at: Self.now) else { throw NoSuchKey() }
    let plaintext = try deviceKey.open(envelope, for: Self.topic)
    return try SealedContent(decoding: plaintext.exposedBytes)
  }

  struct NoSuchKey: Error {}
}

/// A sender, perhaps one that does not sign.
struct Backend: Sendable {
  let keys = KeySet(generating: .sender, at: Device.now)

  func sealer(isSigned: Bool = true, policy: SealingPolicy = SealingPolicy()) throws -> Sealer {
    guard isSigned else { return .anonymous(topic: Device.topic, policy: policy) }
    return Sealer(topic: Device.topic, signingKey: try keys.signingKey(), policy: policy)
  }
}

extension Sealer {
  /// Seals at the device's time.
  func seal(
    _ notification: RemoteNotification, to device: Device, messageID: MessageID = .random(),
    lifetime: Lifetime = .maximum
  ) throws -> SealedNotification {
    try seal(notification, to: device.recipient, messageID: messageID, at: Device.now, lifetime: lifetime)
  }

  func seal(json: String, to device: Device) throws -> SealedNotification {
    let bytes = Array(json.utf8)
    return try seal(payload: try JSONObject(parsing: bytes.span), to: device.recipient, at: Device.now)
  }
}

extension SealedNotification {
  var json: JSONObject {
    get throws { try JSONObject(parsing: payload.span) }
  }

  func envelope(_ key: EnvelopeKey = .default) throws -> Envelope {
    try Envelope(decoding: try key.value(in: json)?.string ?? "")
  }

  /// The payload's bytes without the envelope's text.
  func skeleton(_ key: EnvelopeKey = .default) throws -> String {
    let text = try key.value(in: json)?.string ?? ""
    return String(decoding: payload, as: UTF8.self).replacing(text, with: "", maxReplacements: 1)
  }

  /// The length of the plaintext with its padding.
  func plaintextSize(_ key: EnvelopeKey = .default) throws -> Int { try envelope(key).ciphertext.count - 16 }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
