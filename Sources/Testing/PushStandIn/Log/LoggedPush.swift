public import PushCore
internal import PushSimulation
public import PushHost

/// A push in the log: what Apple sees, what the person sees, and why.
///
/// Everything in it comes from outside: show it as text, never as markup.
public struct LoggedPush: Sendable {
  /// The push's number, from 1, in the order in which the requests arrived.
  public let number: Int
  /// When the request arrived.
  public let time: UnixTime
  /// The phone's name; nil if no phone has the token.
  public let phone: String?
  /// The device token as the path had it.
  public let token: String
  /// The message ID in the answer: the request's `apns-id`, or a new one.
  public let messageID: MessageID
  /// The headers whose names begin with `apns-`; the provider token is not kept.
  public let headers: [Header]
  /// What Apple sees: the payload, up to its 5120th byte.
  public let payload: [UInt8]
  /// The payload's size in bytes.
  public let size: Int

  /// What has become of the push so far.
  public internal(set) var fate: Fate
  /// What the person sees; nil if nothing was shown.
  public internal(set) var seen: Seen?
  /// How often the phone got the push.
  public internal(set) var deliveries = 0

  /// A header of a request.
  public struct Header: Hashable, Sendable {
    /// The name, in lowercase.
    public let name: String
    /// The value.
    public let value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What became of a push.
  public enum Fate: Hashable, Sendable {
    /// APNs refused it.
    case refused(Refusal)
    /// The connection failed before APNs took it.
    case failed(TransportFault)
    /// APNs keeps it.
    case waiting(WaitReason)
    /// APNs accepted it and has discarded it.
    case discarded(DiscardReason)
    /// The phone has it, and the extension works on it.
    case delivered
    /// The person sees it, if it has text.
    case shown
    /// The push is not a notification: the app or another part of the system got it, and decides what to show.
    case handedToApp
  }

  /// What a person sees.
  public struct Seen: Hashable, Sendable {
    /// The first line.
    public let title: String
    /// The line below.
    public let subtitle: String
    /// The text.
    public let body: String
    /// Whether there is anything to see.
    public let isVisible: Bool
    /// Why the push was not opened; nil if it was, or if the extension did not run.
    public let degraded: DegradedPush?
    /// Why the original is shown; nil if the extension's content is shown.
    public let original: String?

    init(_ shown: ShownNotification) {
      title = shown.title
      subtitle = shown.subtitle
      body = shown.body
      isVisible = shown.isVisible
      degraded = shown.degraded
      original = if case .original(let reason) = shown.source { reason.words } else { nil }
    }
  }

  /// The fate in words, with the reason for what is shown.
  public var why: String {
    guard fate == .shown, let seen else { return fate.words }
    if let degraded = seen.degraded { return degraded.description }
    if let original = seen.original { return original }
    return seen.isVisible ? "the extension opened it" : "the extension shows nothing"
  }
}

extension LoggedPush.Fate {
  fileprivate var words: String {
    switch self {
    case .refused(let refusal): "refused: \(refusal)"
    case .failed(let fault): fault.description
    case .waiting(.phoneIsOff): "kept: the phone is off"
    case .waiting(.power): "kept: the phone saves power"
    case .waiting(.throttled): "kept: the app was woken too often in the last hour"
    case .discarded(let reason): "discarded: \(reason.words)"
    case .delivered: "the extension works on it"
    case .shown: "shown"
    case .handedToApp: "handed to the app: this push type shows nothing by itself"
    }
  }
}

extension DiscardReason {
  fileprivate var words: String {
    switch self {
    case .expired: "its time was over"
    case .nowOrNever: "it could not be delivered at once, and its expiration is 0"
    case .replacedWhileOff: "a later push came while the phone was off, and APNs keeps one an app"
    case .collapsed: "a later push has its collapse ID"
    case .newerBackgroundPush: "a later background push came"
    case .tooMany: "too many pushes waited for the app, or for its extension"
    case .noLongerRegistered: "the app was deleted, or has another token"
    case .noPhone: "no phone has this token"
    }
  }
}

extension ShownNotification.OriginalReason {
  fileprivate var words: String {
    switch self {
    case .notRun(.noMutableContent): "the extension did not run: mutable-content is not 1"
    case .notRun(.noAlert): "the extension did not run: there is no alert with text"
    case .notRun(.alertsOff): "the extension did not run: alerts are off"
    case .outOfTime: "the extension did not answer in time"
    case .mayNotFilter: "the extension returned no text, and may not hide notifications"
    }
  }
}
