package import PushCore

extension SealingPolicy {
  /// Whether the visible part depends on the message.
  var showsMembers: Bool { !visible.isEmpty || pushType == .liveActivity }

  /// Returns the visible part of a message, with an empty envelope as the last member.
  func visiblePart(of payload: JSONObject) -> JSONObject {
    let members = OuterMember.payload(of: pushType, envelopeKey: envelopeKey)
    var part = object(with: members, from: payload)
    guard pushType != .liveActivity, !visible.isEmpty else { return part }
    if pushType == .alert { showAPSMembers(of: payload, in: &part) }
    part.removeValue(forKey: envelopeKey.text)
    let reserved = ["aps", EnvelopeKey.reserved, envelopeKey.text]
    for (key, value) in payload where visible.contains(.custom(key)) && !reserved.contains(key) {
      part[key] = value
    }
    part[envelopeKey.text] = ""
    return part
  }

  /// Makes an object of the visible part from the same object of the sealed content.
  private func object(with members: [OuterMember], from sealed: JSONObject) -> JSONObject {
    var object = JSONObject()
    for member in members where isPresent(member, in: sealed) {
      object[member.key] = value(of: member, in: sealed)
    }
    return object
  }

  private func isPresent(_ member: OuterMember, in sealed: JSONObject) -> Bool {
    switch member.presence {
    case .always: true
    case .ifSealed: sealed[member.key] != nil
    case .ifSounding: playsSound
    }
  }

  private func value(of member: OuterMember, in sealed: JSONObject) -> JSONValue? {
    switch member.value {
    case .fixed(let value): value
    case .title: .string(placeholderTitle)
    case .body: .string(placeholderBody)
    case .copied: sealed[member.key]
    case .object(let members), .alert(let members):
      .object(object(with: members, from: sealed[member.key]?.object ?? [:]))
    case .envelope: ""
    }
  }

  /// Copies the members of `aps` that the policy leaves visible, if the content has them.
  private func showAPSMembers(of payload: JSONObject, in part: inout JSONObject) {
    let sealed = payload["aps"]?.object ?? [:]
    var aps = part["aps"]?.object ?? [:]
    for member in VisibleMember.ofAPS where visible.contains(member) {
      aps[member.name] = sealed[member.name]
    }
    part["aps"] = .object(aps)
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

  /// The length, in bytes, as the service counts it.
  let size: Int

  /// Makes the skeleton that all messages of a policy share.
  init(policy: SealingPolicy, over service: PushService = .apns) {
    switch service {
    case .apns: self.init(policy: policy, showing: [:])
    case .fcm: self.init(dataUnder: policy.envelopeKey)
    }
  }

  /// Makes the skeleton of FCM's `data`, of which FCM counts the name alone.
  private init(dataUnder envelopeKey: EnvelopeKey) {
    let data: JSONObject = [envelopeKey.text: ""]
    tail = Array(#""}"#.utf8)
    head = data.encoded().dropLast(tail.count)
    size = envelopeKey.text.utf8.count
  }

  /// Makes the skeleton of one message, with its visible members.
  init(policy: SealingPolicy, showing payload: JSONObject) {
    // The envelope is the last member, so nothing but closing characters follows its text.
    tail = Array((policy.pushType == .liveActivity ? #""}}}"# : #""}"#).utf8)
    head = policy.visiblePart(of: payload).encoded().dropLast(tail.count)
    size = head.count + tail.count
  }

  /// Returns the payload with an envelope in it.
  func payload(carrying envelope: Envelope) -> [UInt8] {
    var payload: [UInt8] = []
    payload.reserveCapacity(head.count + envelope.textSize + tail.count)
    payload += head
    envelope.appendText(to: &payload)
    payload += tail
    return payload
  }
}
