internal import PushEnvelope
internal import PushPayload

/// The visible part of a sealed payload: everything but the envelope's text.
struct Skeleton: Sendable {
  private let aps: JSONObject
  private let envelopeKey: EnvelopeKey

  /// The most that APNs takes, in bytes.
  let limit: Int

  /// The length of the payload without the envelope's text, in bytes.
  let size: Int

  init(_ policy: SealingPolicy) {
    aps = Self.aps(policy)
    envelopeKey = policy.envelopeKey
    limit = policy.pushType.limit.bytes
    size = Self.payload(aps, envelopeKey, "").encoded().count
  }

  /// The payload with an envelope's text in it.
  func payload(carrying text: String) -> JSONObject { Self.payload(aps, envelopeKey, text) }

  private static func payload(_ aps: JSONObject, _ envelopeKey: EnvelopeKey, _ text: String) -> JSONObject {
    ["aps": .object(aps), envelopeKey.text: .string(text)]
  }

  private static func aps(_ policy: SealingPolicy) -> JSONObject {
    switch policy.pushType {
    case .alert: return placeholder(policy)
    case .background: return ["content-available": 1]
    case .voip: return [:]
    }
  }

  private static func placeholder(_ policy: SealingPolicy) -> JSONObject {
    var aps: JSONObject = [
      "alert": ["title": .string(policy.placeholderTitle), "body": .string(Placeholder.text)],
      "mutable-content": 1,
    ]
    if policy.playsSound { aps["sound"] = "default" }
    return aps
  }
}
