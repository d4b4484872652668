internal import PushEnvelope
package import PushPayload

extension SealingPolicy {
  /// Whether the visible part depends on the message.
  var showsMembers: Bool { !visible.isEmpty || pushType == .liveActivity }

  /// Returns the visible part of a message, with an empty envelope as the last member.
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

  /// The visible `aps` of a push that carries its envelope at the top level.
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

  /// The visible `aps` of a Live Activity's push: the members that the system needs, and a placeholder if it alerts.
  ///
  /// The attributes are sealed together with the state; the system decodes an empty object in their place.
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
  /// Returns a payload that carries another system's envelope, as `members`, in place of this format's.
  ///
  /// The push type must not be `liveactivity`, because its envelope is not at the top level.
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

/// The visible part of a sealed payload as bytes: everything before and after the envelope's text.
struct Skeleton: Sendable {
  private let head: ArraySlice<UInt8>
  private let tail: [UInt8]

  /// The length, in bytes.
  var size: Int { head.count + tail.count }

  /// Makes the skeleton that all messages of a policy share.
  init(_ policy: SealingPolicy) { self.init(policy, showing: [:]) }

  /// Makes the skeleton of one message, with its visible members.
  init(_ policy: SealingPolicy, showing payload: JSONObject) {
    // The envelope is the last member, so nothing but closing characters follows its text.
    tail = Array((policy.pushType == .liveActivity ? #""}}}"# : #""}"#).utf8)
    head = policy.visiblePart(of: payload).encoded().dropLast(tail.count)
  }

  /// Returns the payload with an envelope in it.
  func payload(carrying envelope: Envelope) -> [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(size + envelope.textSize)
    payload += head
    envelope.appendText(to: &payload)
    payload += tail
    return payload
  }
}
