internal import PushEnvelope
package import PushPayload

extension SealingPolicy {
  /// Whether there is anything in a message's skeleton that is the message's own.
  var showsMembers: Bool { !visible.isEmpty || pushType == .liveActivity }

  /// What can be read of a message, with an empty envelope as the last member.
  func visiblePart(of payload: JSONObject) -> JSONObject {
    guard pushType != .liveActivity else {
      var aps = visibleLiveActivity(of: payload)
      aps["content-state"] = [envelopeKey.text: ""]
      return ["aps": .object(aps)]
    }
    var whole: JSONObject = ["aps": .object(visibleAPS(of: payload))]
    let reserved = ["aps", EnvelopeKey.reserved, envelopeKey.text]
    for (key, value) in payload where visible.contains(.custom(key)) && !reserved.contains(key) {
      whole[key] = value
    }
    whole[envelopeKey.text] = ""
    return whole
  }

  /// `aps` of a push that carries its envelope at the top level.
  private func visibleAPS(of payload: JSONObject) -> JSONObject {
    switch pushType {
    case .background: return ["content-available": 1]
    case .alert: break
    default: return [:]
    }
    let sealed = payload["aps"]?.object ?? [:]
    var aps: JSONObject = ["alert": .object(placeholder), "mutable-content": 1]
    if playsSound { aps["sound"] = "default" }
    for member in VisibleMember.ofAPS where visible.contains(member) {
      aps[member.name] = sealed[member.name]
    }
    return aps
  }

  /// `aps` of a Live Activity's push: what the system itself needs, and a placeholder if it alerts.
  ///
  /// The attributes are sealed with the state; what the system decodes in their place is empty.
  private func visibleLiveActivity(of payload: JSONObject) -> JSONObject {
    let sealed = payload["aps"]?.object ?? [:]
    var aps = JSONObject()
    for key in Self.liveActivityMembers { aps[key] = sealed[key] }
    if sealed["attributes"] != nil { aps["attributes"] = [:] }
    if sealed["alert"] != nil {
      var alert = placeholder
      if playsSound { alert["sound"] = "default" }
      aps["alert"] = .object(alert)
    }
    return aps
  }

  private static let liveActivityMembers = [
    "timestamp", "event", "stale-date", "dismissal-date", "relevance-score", "attributes-type",
    "input-push-token", "input-push-channel",
  ]

  private var placeholder: JSONObject {
    ["title": .string(placeholderTitle), "body": .string(Placeholder.text)]
  }
}

extension SealingPolicy {
  /// The payload that carries other members in the envelope's place: another system's envelope.
  ///
  /// The push type is not `liveactivity`, whose envelope is no member of the top level.
  ///
  /// - Throws: ``SealError/tooLarge(bytes:limit:)``.
  package func payload(carrying members: JSONObject) throws(SealError) -> [UInt8] {
    precondition(pushType != .liveActivity, "a Live Activity's envelope is no member of the top level")
    var payload = visiblePart(of: [:])
    payload.removeValue(forKey: envelopeKey.text)
    for (key, value) in members { payload[key] = value }
    let bytes = payload.encoded()
    guard bytes.count <= pushType.limit.bytes else {
      throw .tooLarge(bytes: bytes.count, limit: pushType.limit.bytes)
    }
    return bytes
  }
}

/// The visible part of a sealed payload, in bytes: what stands before the envelope's text and what behind it.
struct Skeleton: Sendable {
  private let head: ArraySlice<UInt8>
  private let tail: [UInt8]

  /// The length, in bytes.
  var size: Int { head.count + tail.count }

  /// The skeleton of a policy's messages, as far as it is the same for all of them.
  init(_ policy: SealingPolicy) { self.init(policy, showing: [:]) }

  /// The skeleton of one message, with those of its members that stay visible.
  init(_ policy: SealingPolicy, showing payload: JSONObject) {
    // The envelope is the last member, so nothing but closing characters follows its text.
    tail = Array((policy.pushType == .liveActivity ? #""}}}"# : #""}"#).utf8)
    head = policy.visiblePart(of: payload).encoded().dropLast(tail.count)
  }

  /// The payload with an envelope in it.
  func payload(carrying envelope: Envelope) -> [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(size + envelope.textSize)
    payload += head
    envelope.appendText(to: &payload)
    payload += tail
    return payload
  }
}
