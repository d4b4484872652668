/// The kinds of push that can be sealed (`apns-push-type`).
///
/// The others (`widgets`, `controls`, `location`, `fileprovider`, `mdm`) tell the system to do something, and carry
/// no content from the sender. Source: Apple, "Sending notification requests to APNs".
public enum PushType: String, Sendable, CaseIterable {
  /// A notification that the extension opens and the system shows.
  case alert

  /// Data that wakes the app in the background. The app opens it.
  case background

  /// A call. The app opens it as data.
  case voip

  /// Data for a watch complication. The app opens it.
  case complication

  /// Data for a push-to-talk channel. The app opens it.
  case pushToTalk = "pushtotalk"

  /// The state of a Live Activity. The widget opens it as data, because the system runs no extension for it.
  case liveActivity = "liveactivity"

  /// The largest payload that APNs accepts: 5120 bytes for `voip`, 4096 for all other types.
  public var limit: PayloadLimit { self == .voip ? .voip : .notification }

  /// The content type that is sealed with the content.
  public var contentType: ContentType {
    switch self {
    case .alert: .notification
    case .background: .background
    case .voip: .voip
    case .complication: .complication
    case .pushToTalk: .pushToTalk
    case .liveActivity: .liveActivity
    }
  }

  /// An app's topic for pushes of this type (`apns-topic`).
  package func apnsTopic(of topic: Topic) -> String {
    // Most types have no suffix, and then no new string is made.
    topicSuffix.isEmpty ? topic.text : topic.text + topicSuffix
  }

  /// The suffix that `apns-topic` has after the bundle ID.
  package var topicSuffix: String {
    switch self {
    case .alert, .background: ""
    case .voip: ".voip"
    case .complication: ".complication"
    case .pushToTalk: ".voip-ptt"
    case .liveActivity: ".push-type.liveactivity"
    }
  }

  /// The priorities that APNs accepts; the first one is the default.
  package var priorities: [Priority] {
    switch self {
    case .alert, .voip, .complication: [.immediate, .considerate, .low]
    case .background: [.considerate]
    case .pushToTalk: [.immediate]
    case .liveActivity: [.immediate, .considerate]
    }
  }

  /// Whether APNs must deliver the push immediately or discard it.
  var isNowOrNever: Bool { self == .pushToTalk }
}
