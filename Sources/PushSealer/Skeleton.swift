internal import PushEnvelope
internal import PushPayload

/// The visible part of a sealed payload, in bytes: what stands before the envelope's text and what behind it.
struct Skeleton: Sendable {
  private let head: [UInt8]
  private let tail: [UInt8]

  /// The length, in bytes.
  var size: Int { head.count + tail.count }

  /// The skeleton of a policy's messages, as far as it is the same for all of them.
  init(_ policy: SealingPolicy) { self.init(policy, showing: [:]) }

  /// The skeleton of one message, with those of its members that stay visible.
  init(_ policy: SealingPolicy, showing payload: JSONObject) {
    let envelope: JSONObject = [policy.envelopeKey.text: ""]
    let whole: JSONObject
    let closing: String
    switch policy.pushType {
    case .liveActivity:
      var aps = policy.visibleLiveActivity(of: payload)
      aps["content-state"] = .object(envelope)
      whole = ["aps": .object(aps)]
      closing = #""}}}"#
    default:
      var visible: JSONObject = ["aps": .object(policy.visibleAPS(of: payload))]
      for (key, value) in payload where key != "aps" && policy.visible.contains(.custom(key)) {
        visible[key] = value
      }
      visible[policy.envelopeKey.text] = ""
      whole = visible
      closing = #""}"#
    }
    // The envelope is the last member, so nothing but closing characters follows its text.
    let bytes = whole.encoded()
    head = Array(bytes.dropLast(closing.utf8.count))
    tail = Array(closing.utf8)
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

extension SealingPolicy {
  /// Whether there is anything in a message's skeleton that is the message's own.
  var showsMembers: Bool { !visible.isEmpty || pushType == .liveActivity }

  /// `aps` of a push that carries its envelope at the top level.
  fileprivate func visibleAPS(of payload: JSONObject) -> JSONObject {
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
  fileprivate func visibleLiveActivity(of payload: JSONObject) -> JSONObject {
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
  ]

  private var placeholder: JSONObject {
    ["title": .string(placeholderTitle), "body": .string(Placeholder.text)]
  }
}
