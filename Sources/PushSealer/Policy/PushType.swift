public import PushEnvelope
public import PushPayload

/// The kinds of push that can be sealed (`apns-push-type`).
///
/// The others (`widgets`, `controls`, `location`, `fileprovider`, `mdm`) tell the system to do something, and carry
/// nothing of the sender's. Source: Apple, "Sending notification requests to APNs".
public enum PushType: String, Sendable, CaseIterable {
  /// A notification that the extension opens and the system shows.
  case alert

  /// Data that wakes the app in the background, which opens it.
  case background

  /// A call, which the app itself opens as data.
  case voip

  /// Data for a watch complication, which the app opens.
  case complication

  /// Data of a push-to-talk channel, which the app opens.
  case pushToTalk = "pushtotalk"

  /// The state of a Live Activity, which the widget opens as data: no extension is run for it.
  case liveActivity = "liveactivity"

  /// The largest payload that APNs takes: 5120 bytes for `voip`, 4096 for all others.
  public var limit: PayloadLimit { self == .voip ? .voip : .notification }

  /// Who may open the content.
  public var contentType: ContentType { self == .alert ? .notification : .data }

  /// What `apns-topic` adds to the bundle id.
  var topicSuffix: String {
    switch self {
    case .alert, .background: ""
    case .voip: ".voip"
    case .complication: ".complication"
    case .pushToTalk: ".voip-ptt"
    case .liveActivity: ".push-type.liveactivity"
    }
  }

  /// The priorities that APNs takes, the one to use unless a caller says otherwise first.
  var priorities: [Priority] {
    switch self {
    case .alert, .voip, .complication: [.immediate, .considerate, .low]
    case .background: [.considerate]
    case .pushToTalk: [.immediate]
    case .liveActivity: [.immediate, .considerate]
    }
  }

  /// Whether APNs must not keep the push for later.
  var isNowOrNever: Bool { self == .pushToTalk }
}
