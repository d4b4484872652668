internal import PushCore

/// A push type with the stand-in's rules for it (`apns-push-type`; Apple, "Sending notification requests to APNs").
enum PushKind: String {
  case alert
  case background
  case complication
  case controls
  case fileProvider = "fileprovider"
  case liveActivity = "liveactivity"
  case location
  case mdm
  case pushToTalk = "pushtotalk"
  case voip
  case widgets

  /// The suffix that the topic has after the bundle ID.
  var topicSuffix: String {
    switch self {
    case .alert, .background, .mdm: ""
    case .complication: ".complication"
    case .controls: ".push-type.controls"
    case .fileProvider: ".pushkit.fileprovider"
    case .liveActivity: ".push-type.liveactivity"
    case .location: ".location-query"
    case .pushToTalk: ".voip-ptt"
    case .voip: ".voip"
    case .widgets: ".push-type.widgets"
    }
  }

  /// The largest payload.
  var limit: PayloadLimit { self == .voip ? .voip : .notification }

  /// The priority of a push without the header.
  static let defaultPriority: Int64 = 10

  /// The priorities that are accepted.
  var priorities: Set<Int64> { self == .background ? [5] : [10, 5, 1] }

  /// Whether the payload must have an `aps` object: what an app or the system reads as data may do without.
  var needsAPS: Bool {
    switch self {
    case .alert, .background, .controls, .liveActivity, .widgets: true
    case .complication, .fileProvider, .location, .mdm, .pushToTalk, .voip: false
    }
  }

  /// The kind of token that it goes to; device management has a topic of its own, and so no other kind.
  var tokenKind: TokenKind { TokenKind(rawValue: rawValue) ?? .app }
}
