public import PushPayload

/// What the person is shown, and what the app gets with it.
public struct ShownContent: Equatable, Sendable {
  /// The first line; empty if there is none.
  public var title = ""
  /// The line below; empty if there is none.
  public var subtitle = ""
  /// The text; empty if there is none.
  public var body = ""
  /// The sound; null is silence.
  public var sound: Sound?
  /// The number on the app's icon; null leaves it as it is.
  public var badge: Int?
  /// A registered category's identifier; empty if there is none.
  public var category = ""
  /// What groups notifications; empty if there is nothing.
  public var threadIdentifier = ""
  /// The window to bring forward; null if none is named.
  public var targetContentIdentifier: String?
  /// How much it may disturb.
  public var interruptionLevel = InterruptionLevel.active
  /// The rank in the summary, from 0 to 1.
  public var relevanceScore = 0.0
  /// What the app gets.
  public var userInfo: [String: PropertyList] = [:]

  /// Makes an empty content.
  public init() {}

  /// Everything that an opened notification says, and nothing else.
  ///
  /// The app gets neither the format's own member nor one that stands for a message that was not opened.
  init(
    _ notification: RemoteNotification, payload: JSONObject, isSigned: Bool, envelopeKey: EnvelopeKey
  ) {
    let alert = notification.alert
    // A text that is to be localized shows its key, as the system shows a key that it does not find.
    title = alert?.title ?? alert?.other["title-loc-key"]?.string ?? ""
    subtitle = alert?.subtitle ?? alert?.other["subtitle-loc-key"]?.string ?? ""
    body = alert?.body ?? alert?.other["loc-key"]?.string ?? ""
    sound = notification.sound
    badge = notification.badge
    category = notification.category ?? ""
    threadIdentifier = notification.threadID ?? ""
    targetContentIdentifier = notification.targetContentID
    interruptionLevel = notification.interruptionLevel ?? .active
    relevanceScore = notification.relevanceScore ?? 0
    var payload = payload
    for key in [EnvelopeKey.reserved, envelopeKey.text] { payload[key] = nil }
    userInfo = PropertyList.dictionary(payload)
    if !isSigned { lowerToAnonymous() }
  }

  /// What the system shows of a payload whose extension it does not run.
  package init(unopened payload: JSONObject, envelopeKey: EnvelopeKey = .default) {
    guard let notification = try? RemoteNotification(payload: payload) else {
      self.init()
      return
    }
    self.init(notification, payload: payload, isSigned: true, envelopeKey: envelopeKey)
    userInfo = PropertyList.dictionary(payload)
  }

  /// Who breaks through a person's silence must be known.
  private mutating func lowerToAnonymous() {
    if case .critical(let name, _)? = sound { sound = .named(name) }
    switch interruptionLevel {
    case .timeSensitive, .critical: interruptionLevel = .active
    case .active, .passive: break
    }
  }
}
