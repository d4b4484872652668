internal import PushCore

/// A member that a sealed push shows beside its envelope.
///
/// The sealer writes these members and no others, except those that a policy leaves visible. ``Lint`` reports whatever
/// else a payload shows.
struct OuterMember: Sendable {
  /// The member's key.
  let key: String
  /// The member's value.
  let value: Value
  /// When the member is present.
  let presence: Presence

  init(_ key: String, _ value: Value, present presence: Presence = .always) {
    self.key = key
    self.value = value
    self.presence = presence
  }

  enum Value: Sendable {
    /// The same for every message.
    case fixed(JSONValue)
    /// The placeholder's title, a text that the sender chooses.
    case title
    /// The placeholder's body, a text that the sender chooses.
    case body
    /// The value of the sealed member with the same key, because the system needs it.
    case copied(SystemValue)
    /// An object with these members.
    case object([OuterMember])
    /// The placeholder, an object with these members. A payload that was not sealed here may have its body alone instead.
    case alert([OuterMember])
    /// The envelope.
    case envelope
  }

  enum Presence: Sendable {
    case always
    /// If the sealed object has a member with the same key.
    case ifSealed
    /// If the policy plays a sound.
    case ifSounding
  }
}

// FORMAT.md, section 1: the skeletons.
extension OuterMember {
  /// The members of a push of a type.
  ///
  /// A push of an unknown type may have those of every type except a Live Activity.
  static func payload(of pushType: PushType?, envelopeKey: EnvelopeKey) -> [OuterMember] {
    let envelope = OuterMember(envelopeKey.text, .envelope)
    let aps = aps(of: pushType)
    guard pushType == .liveActivity else { return [OuterMember("aps", .object(aps)), envelope] }
    return [OuterMember("aps", .object(aps + [OuterMember("content-state", .object([envelope]))]))]
  }

  private static func aps(of pushType: PushType?) -> [OuterMember] {
    switch pushType {
    case .alert: [alert([title, body], present: .always), OuterMember("mutable-content", .fixed(1)), sound]
    case .background: [OuterMember("content-available", .fixed(1))]
    case .voip, .complication, .pushToTalk: []
    // The attributes are sealed together with the state; the system decodes an empty object in their place.
    case .liveActivity:
      system + [
        OuterMember("attributes", .object([]), present: .ifSealed),
        alert([title, body, sound], present: .ifSealed),
      ]
    case nil: aps(of: .alert) + aps(of: .background)
    }
  }

  private static func alert(_ members: [OuterMember], present presence: Presence) -> OuterMember {
    OuterMember("alert", .alert(members), present: presence)
  }

  private static let title = OuterMember("title", .title)
  private static let body = OuterMember("body", .body)
  private static let sound = OuterMember("sound", .fixed(.string(Sound.default.name)), present: .ifSounding)

  private static let system = [
    OuterMember("timestamp", .copied(.time), present: .ifSealed),
    OuterMember("event", .copied(.event), present: .ifSealed),
    OuterMember("stale-date", .copied(.time), present: .ifSealed),
    OuterMember("dismissal-date", .copied(.time), present: .ifSealed),
    OuterMember("relevance-score", .copied(.rank), present: .ifSealed),
    OuterMember("attributes-type", .copied(.typeName), present: .ifSealed),
    OuterMember("input-push-token", .copied(.flag), present: .ifSealed),
    OuterMember("input-push-channel", .copied(.channel), present: .ifSealed),
  ]
}

/// A value that the system needs from a Live Activity's push, of a kind that cannot hold a text.
enum SystemValue: Sendable {
  /// Unix seconds up to the year 9999.
  case time
  /// `start`, `update` or `end`.
  case event
  /// A number that is not negative, with no more digits than a double needs.
  case rank
  /// The name of a Swift type, up to 128 bytes.
  case typeName
  /// 1.
  case flag
  /// The ID of a broadcast channel: base64, up to 64 characters.
  case channel

  /// Whether the value is of this kind.
  func includes(_ value: JSONValue) -> Bool {
    switch self {
    case .time: value.number?.integer.map((0..<Self.year10000).contains) == true
    case .event: value.string.flatMap(LiveActivity.Event.init) != nil
    case .rank: value.number.map(Self.isRank) == true
    case .typeName: value.string.map(Self.isTypeName) == true
    case .flag: value == 1
    case .channel: value.string.map(Self.isChannel) == true
    }
  }

  private static let year10000: Int64 = 253_402_300_800

  private static func isRank(_ number: JSONNumber) -> Bool {
    // The longest double, without a sign: 2.2250738585072014e-308.
    number.literal.utf8.count <= 23 && number.double.map { $0 >= 0 } == true
  }

  private static func isTypeName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isIdentifier)
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else {
      return false
    }
    return text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
  }

  private static func isChannel(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(base64.contains)
  }

  private static let base64 = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_".unicodeScalars)
}
