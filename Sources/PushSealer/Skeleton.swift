internal import PushEnvelope
internal import PushPayload

/// The visible part of a sealed payload: everything but the envelope's text.
struct Skeleton {
  private let policy: SealingPolicy

  init(_ policy: SealingPolicy) { self.policy = policy }

  /// The payload with an envelope's text in it.
  func payload(carrying text: String) -> JSONObject {
    ["aps": .object(aps), policy.envelopeKey.text: .string(text)]
  }

  /// The length of the payload without the envelope's text, in bytes.
  var size: Int { payload(carrying: "").encoded().count }

  /// How many characters of envelope there is room for.
  var textCapacity: Int { policy.pushType.limit.bytes - size }

  private var aps: JSONObject {
    guard policy.pushType == .alert else { return [:] }
    var aps: JSONObject = [
      "alert": .object([
        "title": .string(policy.placeholderTitle), "body": .string(Placeholder.text),
      ]),
      "mutable-content": .number(JSONNumber(1)),
    ]
    if policy.playsSound { aps["sound"] = .string("default") }
    return aps
  }
}
